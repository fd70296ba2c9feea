import type { ChangeFeed } from '../../changes/index.ts'
import type { GuardedFetch } from '../../guarded-fetch/index.ts'
import type { Now, Sealer } from '../../kit/index.ts'
import type { Attempt } from '../../notifications/index.ts'
import type { Queryable, Storage } from '../../storage/index.ts'
import type { MerchantAccounts } from '../merchant-accounts.ts'

export interface FetchDeps {
  storage: Storage
  changes: ChangeFeed
  merchantAccounts: MerchantAccounts
  sealer: Sealer
  guardedFetch: GuardedFetch
  now: Now
}

/** Notes what came of the attempt. */
export type Note = (db: Queryable, result: Pick<Attempt, 'outcome' | 'why'>) => Promise<void>
