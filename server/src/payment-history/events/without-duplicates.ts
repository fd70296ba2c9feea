import { agreedAmount, type PaymentEvent } from './payment-event.ts'

type NormalizedEvent = PaymentEvent & { notificationId: string | undefined }

/**
 * The events of a stream as users read it. A refund by the operator is several events, and the gateway reports the same money, before it
 * or after, once or more: it is shown once, as the operator's, with the gateway's amount and notification. What the gateway gave back in
 * part before stays what it is.
 */
export function withoutDuplicates(events: readonly NormalizedEvent[]): NormalizedEvent[] {
  const actions = Map.groupBy(
    events.filter(({ kind, key }) => kind === 'refunded' && isOperators(key)),
    actionOf,
  )
  const shown = new Map(events.map((event) => [event.key, event]))
  for (const action of actions.values()) {
    const first = action.find(({ key }) => key.split(':').length === 2)
    if (!first) continue
    const echoes = events.filter((event) => isEcho(event, { action, first, events }))
    for (const { key } of [...action, ...echoes]) if (key !== first.key) shown.delete(key)
    const ofFirst = echoes.find(({ paymentId }) => paymentId === first.paymentId)
    shown.set(first.key, { ...first, amount: ofFirst?.amount, notificationId: ofFirst?.notificationId })
  }
  return [...shown.values()]
}

/** The keys of one action begin with that of its first event. */
export function keyOfAction(id: string, place: number): string {
  return place === 0 ? `operator:${id}` : `operator:${id}:${place}`
}

/** The id of the operator's action that an event belongs to. */
export function actionOf({ key }: Pick<PaymentEvent, 'key'>): string | undefined {
  return isOperators(key) ? key.split(':')[1] : undefined
}

/**
 * Whether the operator gave back what was served for nothing until then: the money that came later is another matter. `paidAt`: when it was
 * first paid, in ms.
 */
export function isOfNothing(
  event: Pick<PaymentEvent, 'key' | 'at'>,
  { wasWaived, paidAt = 0 }: { wasWaived?: boolean | undefined; paidAt?: number | undefined },
): boolean {
  return wasWaived === true && actionOf(event) !== undefined && event.at < paidAt
}

function isOperators(key: string): boolean {
  return key.startsWith('operator:')
}

function isEcho(
  { kind, key, paymentId, amount, at }: NormalizedEvent,
  { action, first, events }: { action: readonly NormalizedEvent[]; first: NormalizedEvent; events: readonly NormalizedEvent[] },
): boolean {
  if (kind !== 'refunded' || isOperators(key) || paymentId === undefined) return false
  const own = events.filter((event) => event.paymentId === paymentId)
  const payments = own.filter((event) => event.kind === 'paid')
  const facts = {
    wasWaived: own.some((event) => event.kind === 'payment_waived'),
    paidAt: Math.min(...payments.map((event) => event.at)),
  }
  if (!action.some((one) => one.paymentId === paymentId && !isOfNothing(one, facts))) return false
  const paid = Math.max(0, ...payments.map((event) => agreedAmount(event) ?? 0))
  return at >= first.at || amount === undefined || amount >= paid
}
