import type { Actor } from '../../audit/index.ts'
import type { Now, Sealer } from '../../kit/index.ts'
import type { Storage } from '../../storage/index.ts'
import type { ProviderRefusal } from './refuse-provider.ts'

export interface ProviderDeps {
  storage: Storage
  now: Now
  actor: Actor
}

/** What the two below need of a transaction that does more; a refusal must roll it back (`rollBackRefusals`). */
export interface Within {
  refuse: (refusal: ProviderRefusal) => never
  sealer: Sealer
  at: number
  actor: Actor
}
