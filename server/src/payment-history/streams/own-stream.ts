import type { Transaction } from '../../storage/index.ts'
import { eventStore } from '../events/event-store.ts'
import type { NormalizedEvent } from '../record/normalized-event.ts'
import type { ApplyDeps } from '../write-subscriptions.ts'
import type { EventStream } from './event-stream.ts'
import type { HeldMatch } from './hold-match.ts'
import { type GatewayStream, isOfSubscription } from './match-stream.ts'
import { movedEventStore } from './moved-event-store.ts'
import { openStream } from './open-stream.ts'
import { ownKey } from './own-ref.ts'
import { paymentStore } from './payment-store.ts'
import { streamStore } from './stream-store.ts'

/** A held stream of the own checkout. If it became a part of a gateway's stream, `stream` is that one, and the payment has its id there. */
interface OwnMatch {
  part: EventStream
  stream: EventStream
  source: string
  paymentId: string | undefined
}

interface OwnEvent {
  source: string
  ref: string
  by: NormalizedEvent['stream']['by']
  event: NormalizedEvent['event']
}

/**
 * Opens the stream of an event of the own checkout. The first form has one stream for a buyer, product and plan. If the account that has it
 * moved to another address, the old address may be someone else's by now. A purchase with it begins the next stream then, and goes to the
 * user who verifies the address (docs/decisions/0092).
 */
export async function openOwn(
  tx: Transaction,
  { source, ref, by, event }: OwnEvent,
  open: (ref: string) => Promise<EventStream>,
): Promise<OwnMatch> {
  const openNow = async (name: string) => wholeOf(tx, { source, part: await open(name), paymentId: event.paymentId })
  for (let count = 2, match = await openNow(ref); ; count++) {
    const next = `${ref} ${count}`
    if (by !== 'buyer' || !match.stream.isLeft) return match
    // Only a payment begins the next stream. Any other event goes to the stream of its payment, else to the newest.
    const isElsewhere =
      event.kind === 'paid' ||
      ((await streamStore(tx).hasStream({ source, ref: next })) && !(await eventStore(tx).hasPayment(match.stream.id, match.paymentId)))
    if (!isElsewhere) return match
    match = await openNow(next)
  }
}

async function wholeOf(tx: Transaction, { source, part, paymentId }: Omit<OwnMatch, 'stream'>): Promise<OwnMatch> {
  if (part.mergedInto === undefined) return { part, stream: part, source, paymentId }
  const whole = await streamStore(tx).holdById(part.mergedInto)
  const names = paymentId === undefined ? [] : [nameIn(part, paymentId)]
  const [known] = await paymentStore(tx).find(whole.source, productIdIn(whole.stream), names)
  return { part, ...whole, paymentId: known?.paymentId ?? paymentId }
}

/**
 * Merges the stream of the own checkout with the gateway's, if the own checkout reports a gateway's payment (docs/decisions/0102). If it is
 * a part of another stream already, that one is merged.
 */
export async function joinOwn(
  tx: Transaction,
  held: HeldMatch,
  { stream, email, event }: NormalizedEvent & { stream: GatewayStream },
  { at }: Pick<ApplyDeps, 'at'>,
): Promise<HeldMatch> {
  const [key] = ownKey(stream, email)
  if (!stream.own || !key) return held
  const { by } = stream.own.stream
  // The purchase has its owner already, and the address may be another's by now, or nobody's.
  if (by === 'buyer' && [held.into, ...held.mergedStreams].some(({ isLeft, isBuyerForgotten }) => isLeft || isBuyerForgotten)) return held
  const open = (ref: string) => openStream(tx, { source: key.source, ref }, { productId: stream.productId, at })
  const own = await openOwn(tx, { ...key, by, event }, open)
  const joined = withMerged(held, own, stream)
  if (!joined || event.paymentId === undefined || own.paymentId !== event.paymentId) return joined ?? held
  // An earlier report without the gateway's name, and without a name of its own, is the same payment if its time is the same.
  const unnamed = event.kind === 'paid' ? await movedEventStore(tx).listUnnamed(own.stream.id, event.at) : []
  const formerIds = [...joined.match.formerIds, event.paymentId, ...unnamed]
  // The checkout may use its own name of the payment later. That name counts within its stream alone: another buyer's payment can have the
  // same.
  return { ...joined, match: { ...joined.match, formerIds }, ownNames: [nameIn(own.part, event.paymentId)] }
}

/** Two subscriptions of a gateway never become one, nor streams of two gateways. */
function withMerged(held: HeldMatch, { part, stream: whole, source }: OwnMatch, stream: GatewayStream): HeldMatch | undefined {
  const { match, into, mergedStreams } = held
  if ([into, ...mergedStreams].some(({ id }) => id === whole.id)) return held
  if (whole.id === part.id) return { ...held, mergedStreams: [...mergedStreams, part] }
  if (source !== held.source || productIdIn(whole) !== productIdIn(into)) return undefined
  if (!isOfSubscription(whole.ref, stream)) return { ...held, mergedStreams: [...mergedStreams, whole] }
  return isOfSubscription(into.ref, stream)
    ? undefined
    : { ...held, match: { ...match, planBy: 'known' }, into: whole, mergedStreams: [...mergedStreams, into] }
}

/**
 * Whether an end is about the whole purchase. Its payment is named so that the purchase is found, unless the own checkout names the payment
 * itself.
 */
export function isOfAll({ stream, event: { kind, paymentId } }: NormalizedEvent): boolean {
  return stream.by === 'gateway' && stream.own !== undefined && paymentId === undefined && (kind === 'canceled' || kind === 'ended')
}

function nameIn({ id }: EventStream, paymentId: string): string {
  return `${id} ${paymentId}`
}

/** The product of a gateway's stream. */
function productIdIn({ ref }: EventStream): string {
  return ref.split(' ', 1)[0] ?? ''
}
