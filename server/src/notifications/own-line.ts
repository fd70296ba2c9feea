import type { Transaction } from '../storage/index.ts'
import { type ApplyDeps, eventStore, type Line, mergeStore, openLine } from '../subscriptions/index.ts'
import { type GatewayLine, isOfSubscription } from './gateway-line.ts'
import type { HeldPlace } from './hold-place.ts'
import type { NormalizedEvent } from './notification.ts'
import { ownKey } from './own-ref.ts'
import { paymentStore } from './payment-store.ts'

/** A line of the own checkout, held, as it is now: where it became a part of a gateway's line, `line` is that one, and the payment is called as it is there. */
interface OwnPlace {
  part: Line
  line: Line
  source: string
  paymentId: string | undefined
}

interface OwnEvent {
  source: string
  ref: string
  by: NormalizedEvent['line']['by']
  event: NormalizedEvent['event']
}

/**
 * Opens the line that events of the own checkout belongs to. The first form has one for a buyer, product and plan: where the account that has it moved to another address, the
 * address may be someone else's by now. What is bought with it begins the next line then, and goes to whoever proves the address (docs/decisions/0092).
 */
export async function openOwn(
  tx: Transaction,
  { source, ref, by, event }: OwnEvent,
  open: (ref: string) => Promise<Line>,
): Promise<OwnPlace> {
  const events = eventStore(tx)
  const openNow = async (name: string) => wholeOf(tx, { source, part: await open(name), paymentId: event.paymentId })
  for (let count = 2, place = await openNow(ref); ; count++) {
    const next = `${ref} ${count}`
    if (by !== 'buyer' || !place.line.isLeft) return place
    // Only a payment begins the next line; other events is of the line that has its payment, else of the newest.
    const isElsewhere =
      event.kind === 'paid' || ((await events.hasLine({ source, ref: next })) && !(await events.hasPayment(place.line.id, place.paymentId)))
    if (!isElsewhere) return place
    place = await openNow(next)
  }
}

async function wholeOf(tx: Transaction, { source, part, paymentId }: Omit<OwnPlace, 'line'>): Promise<OwnPlace> {
  if (part.mergedInto === undefined) return { part, line: part, source, paymentId }
  const whole = await eventStore(tx).holdById(part.mergedInto)
  const names = paymentId === undefined ? [] : [nameIn(part, paymentId)]
  const [known] = await paymentStore(tx).find(whole.source, productIdIn(whole.line), names)
  return { part, ...whole, paymentId: known?.paymentId ?? paymentId }
}

/** Where the own checkout tells of a gateway's payment, its line, or what that is a part of, becomes one with the gateway's (docs/decisions/0102). */
export async function joinOwn(
  tx: Transaction,
  held: HeldPlace,
  { line, email, event }: NormalizedEvent & { line: GatewayLine },
  { at }: Pick<ApplyDeps, 'at'>,
): Promise<HeldPlace> {
  const [key] = ownKey(line, email)
  if (!line.own || !key) return held
  const { by } = line.own.line
  // Whose purchase it is has been decided, and the address may be another's by now, or nobody's.
  if (by === 'buyer' && [held.into, ...held.parts].some(({ isLeft, isBuyerForgotten }) => isLeft || isBuyerForgotten)) return held
  const open = (ref: string) => openLine(tx, { source: key.source, ref }, { productId: line.productId, at })
  const own = await openOwn(tx, { ...key, by, event }, open)
  const joined = withPart(held, own, line)
  if (!joined || event.paymentId === undefined || own.paymentId !== event.paymentId) return joined ?? held
  // What was told before without the gateway's name, and without one of its own, is the same payment by its time.
  const unnamed = event.kind === 'paid' ? await mergeStore(tx).listUnnamed(own.line.id, event.at) : []
  const formerIds = [...joined.place.formerIds, event.paymentId, ...unnamed]
  // Under its own name the checkout may tell more of the payment. That name counts within its line alone: another buyer's payment can have the same.
  return { ...joined, place: { ...joined.place, formerIds }, ownNames: [nameIn(own.part, event.paymentId)] }
}

/** Two subscriptions of a gateway never become one, nor what two gateways tell. */
function withPart(held: HeldPlace, { part, line: whole, source }: OwnPlace, line: GatewayLine): HeldPlace | undefined {
  const { place, into, parts } = held
  if ([into, ...parts].some(({ id }) => id === whole.id)) return held
  if (whole.id === part.id) return { ...held, parts: [...parts, part] }
  if (source !== held.source || productIdIn(whole) !== productIdIn(into)) return undefined
  if (!isOfSubscription(whole.ref, line)) return { ...held, parts: [...parts, whole] }
  return isOfSubscription(into.ref, line)
    ? undefined
    : { ...held, place: { ...place, planBy: 'known' }, into: whole, parts: [...parts, into] }
}

/** The end of a purchase is told with a payment so that the purchase is found: it is of all of it, unless the own checkout names the payment itself. */
export function isOfAll({ line, event: { kind, paymentId } }: NormalizedEvent): boolean {
  return line.by === 'gateway' && line.own !== undefined && paymentId === undefined && (kind === 'canceled' || kind === 'ended')
}

function nameIn({ id }: Line, paymentId: string): string {
  return `${id} ${paymentId}`
}

/** The product of a gateway's line. */
function productIdIn({ ref }: Line): string {
  return ref.split(' ', 1)[0] ?? ''
}
