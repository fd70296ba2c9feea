import type { Actor } from '../../audit/index.ts'
import type { Announce, ChangeFeed } from '../../changes/index.ts'
import type { Now, Sealer } from '../../kit/index.ts'
import type { ProviderRefusal } from './refuse-provider.ts'

export interface ProviderDeps {
  changes: Pick<ChangeFeed, 'transaction'>
  now: Now
  actor: Actor
}

/** The dependencies of a change within a transaction that does more. A refusal must roll that transaction back (`rollBackRefusals`). */
export interface Within {
  refuse: (refusal: ProviderRefusal) => never
  announce: Announce
  sealer: Sealer
  at: number
  actor: Actor
}
