import type { PaymentEvent, PaymentKind } from './payment-event.ts'
import { actionOf } from './without-duplicates.ts'

const PAYS: readonly PaymentKind[] = ['paid', 'granted', 'payment_waived']
/** Events of these kinds have the amount of the payment, unless they state one. */
const OF_ITS_MONEY: readonly PaymentKind[] = ['refunded', 'disputed', 'dispute_lost', 'payment_undone']

/**
 * The events as users read them. An event about a payment, as a refund, gets the payment's plan, method and amount where its sender left
 * them out. `all`: every event of the stream, in order.
 */
export function withPaymentFacts<Event extends PaymentEvent>(shown: readonly Event[], all: readonly PaymentEvent[]): Event[] {
  return shown.map((event) => {
    if (PAYS.includes(event.kind)) return event
    const payments = paymentsOf(event, all)
    const [first] = payments
    if (!first) return event
    const isStated = event.amount !== undefined || event.foreign !== undefined
    const money = OF_ITS_MONEY.includes(event.kind) && !isStated ? openMoney(event, payments, shown) : {}
    return { ...event, planId: event.planId ?? first.planId, method: event.method ?? first.method, ...money }
  })
}

/** The payments that an event is about; an action of the operator may be about several. One in parts is those that were paid by then. */
function paymentsOf(event: PaymentEvent, all: readonly PaymentEvent[]): PaymentEvent[] {
  const action = actionOf(event)
  const about = action === undefined ? [event] : all.filter((one) => actionOf(one) === action)
  const ids = new Set(about.map(({ paymentId }) => paymentId).filter((id) => id !== undefined))
  return [...ids].flatMap((id) => {
    const paid = all.filter(({ kind, paymentId }) => PAYS.includes(kind) && paymentId === id)
    const parts = paid.filter(({ purchaseAmount, at }) => purchaseAmount !== undefined && at <= event.at)
    return parts.length > 0 ? parts : paid.slice(0, 1)
  })
}

/**
 * The amount that was paid, less the parts that were given back before. Empty where one of the amounts is not known, or where they are of
 * several currencies.
 */
function openMoney(event: PaymentEvent, payments: readonly PaymentEvent[], shown: readonly PaymentEvent[]): Partial<PaymentEvent> {
  const ids = new Set(payments.map(({ paymentId }) => paymentId))
  const isRefund = ({ kind, isOwn }: PaymentEvent) => kind === 'refunded' || (kind === 'partially_refunded' && isOwn)
  const before = shown.filter((one) => isRefund(one) && ids.has(one.paymentId) && one.at < event.at)
  const currency = payments[0]?.foreign?.currency
  const sum = (all: readonly PaymentEvent[]) => sumIn(all, currency)
  const [paid, givenBack] = [sum(payments), sum(before)]
  if (paid === undefined || givenBack === undefined) return {}
  const amount = paid - givenBack
  return currency === undefined ? { amount } : { foreign: { currency, amount } }
}

/** The sum in one currency; `undefined`: in reais, or the sum is not known. */
function sumIn(events: readonly PaymentEvent[], currency: string | undefined): number | undefined {
  const amounts = events.map(({ amount, foreign }) => {
    if (currency === undefined) return foreign ? undefined : amount
    return foreign?.currency === currency ? foreign.amount : undefined
  })
  return amounts.reduce((sum, amount) => (sum === undefined || amount === undefined ? undefined : sum + amount), 0)
}
