import type { Actor } from '../../audit/index.ts'
import type { ChangeFeed } from '../../changes/index.ts'
import type { Now, Sealer } from '../../kit/index.ts'
import type { Storage, Transaction } from '../../storage/index.ts'
import type { Unresolved } from '../notification.ts'

export interface ResolveDeps {
  storage: Storage
  changes: ChangeFeed
  sealer: Sealer
  now: Now
  /** The actor in the audit log. */
  actor: Actor
  /** Called before the change, with the users and addresses concerned. An error that it throws rolls everything back. */
  approve?: ((tx: Transaction, about: About) => Promise<void>) | undefined
  /** The run that this is a part of. */
  runId?: string
}

/** The accounts whose purchases are touched, before or after, and the buyers' addresses, whether or not anybody has them. */
export interface About {
  userIds: readonly string[]
  emails: readonly string[]
}

export type ResolveRefusal =
  | { refusal: 'not_pending' | 'no_such_product' | 'email_malformed' }
  | { refusal: 'still_unresolved'; why: Unresolved }

export function nameOf(actor: Actor): string {
  return typeof actor === 'string' ? actor : actor.name
}
