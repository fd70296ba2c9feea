import type { PaymentEvent } from '../events/payment-event.ts'
import type { EventStream } from '../streams/event-stream.ts'
import type { Merged } from '../streams/merge-streams.ts'
import type { AmountMismatch, AppliedEvent, NormalizedEvent } from './normalized-event.ts'
import type { Resolved } from './resolved.ts'

/** The normalized event of a notification, to be added to its stream. */
export interface NotifiedEvent {
  notificationId: string
  source: string
  normalized: NormalizedEvent
}

/** An event that was added to its stream, and what the stream came to. */
export interface RecordedEvent {
  notificationId: string
  applied: AppliedEvent
  subscriptionId: string
  /** Its plan is registered nowhere: the operator has to say which it is. */
  isPlanMissing: boolean
  mismatch: AmountMismatch | undefined
  /** The address was left out of the event: nothing else may keep it either. */
  isBuyerForgotten: boolean
}

/** Adds one event to its stream, as it was resolved. */
export type AddEvent = (event: NotifiedEvent, found: Resolved) => Promise<void>

interface Added extends Pick<RecordedEvent, 'notificationId' | 'applied' | 'isPlanMissing' | 'mismatch'> {
  streamId: string
}

interface Touched {
  stream: EventStream
  /** The only event of it, where that is known. */
  only: PaymentEvent | undefined
  merged: Merged | undefined
}

export interface Batch {
  streams: Map<string, Touched>
  added: Added[]
}
