import type { Actor } from '../../audit/index.ts'
import type { Now, Sealer } from '../../kit/index.ts'
import type { Storage } from '../../storage/index.ts'
import type { ProviderRefusal } from './refuse-provider.ts'

export interface ProviderDeps {
  storage: Storage
  now: Now
  actor: Actor
}

/** The dependencies of a change within a transaction that does more. A refusal must roll that transaction back (`rollBackRefusals`). */
export interface Within {
  refuse: (refusal: ProviderRefusal) => never
  sealer: Sealer
  at: number
  actor: Actor
}
