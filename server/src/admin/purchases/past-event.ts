import type { Announce } from '../../changes/index.ts'
import type { Sealer } from '../../kit/index.ts'
import type { Storage, Transaction } from '../../storage/index.ts'

/** The outcome of an event. `pending`: it waits as a notification, for the operator or for the payment that it is about. */
export type Recorded =
  | { outcome: 'applied'; subscriptionId: string }
  | { outcome: 'known' | 'test' }
  | { outcome: 'pending'; id: string; why: string }

/** An event of the past, from a line of a file or a gateway's list. */
export interface PastEvent {
  /** The line of the file, or the position in the gateway's list. */
  line: number
  /** Ms. */
  at: number
  /** Events that share a name are recorded together, in the order of their times. */
  names: readonly string[]
  record(tx: Transaction, deps: RecordDeps): Promise<Recorded>
}

export interface RecordDeps {
  announce: Announce
  storage: Storage
  sealer: Sealer
  at: number
}
