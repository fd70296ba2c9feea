import type { Transaction } from '../../storage/index.ts'
import { disputeStore } from '../events/dispute-store.ts'
import { eventStore } from '../events/event-store.ts'
import { readDisputes, takeWon } from '../fold/disputes.ts'
import { namesOf } from '../streams/match-stream.ts'
import { paymentStore } from '../streams/payment-store.ts'
import type { NormalizedEvent } from './normalized-event.ts'
import { resolveEvent } from './resolve-event.ts'
import { completeEvent } from './resolved.ts'

/** Whether the event is known with all its data, its time excepted, from another notification. */
export async function isKnownEvent(tx: Transaction, source: string, normalized: NormalizedEvent): Promise<boolean> {
  const { stream } = normalized
  const found = await resolveEvent(tx, source, normalized)
  if (!('ref' in found)) return false
  const { match } = found
  if (match && (match.mergedStreams.length > 0 || match.formerIds.length > 0)) return false
  const event = completeEvent(normalized.event, found)
  if (!(await eventStore(tx).has({ source, ref: found.ref }, event, match?.planBy ?? 'either'))) return false
  return stream.by !== 'gateway' || event.paymentId === undefined || paymentStore(tx).knows(source, stream.productId, namesOf(stream))
}

/** Whether there is an open dispute of what the event is about. */
export async function isDisputed(tx: Transaction, source: string, normalized: NormalizedEvent): Promise<boolean> {
  const found = await resolveEvent(tx, source, normalized)
  if (!('ref' in found) || found.paymentId === undefined) return false
  const disputes = readDisputes(await disputeStore(tx).list({ source, ref: found.ref }, found.paymentId))
  return takeWon(disputes, completeEvent(normalized.event, found)).won.some(({ lost }) => !lost)
}

/** Whether the payment that the event is about was made, under any of its names. */
export async function isPaid(tx: Transaction, source: string, normalized: NormalizedEvent): Promise<boolean> {
  const found = await resolveEvent(tx, source, normalized)
  if (!('ref' in found)) return false
  const { ref, paymentId, match } = found
  return eventStore(tx).hasPaid(source, [ref, ...(match?.mergedStreams ?? [])], [paymentId, ...(match?.formerIds ?? [])])
}
