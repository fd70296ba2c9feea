import type { GatewayNews } from '../gateway.ts'
import type { StripeEvent } from './event.ts'
import { aliases, amountAt, newsOf, onlyMethod, planNamed, planSlugAt, refsOfLine, slugsOf } from './news.ts'
import { idAt, isSetAt, listAt, numberAt, textAt, timeAt } from './object.ts'

/** What an invoice tells: of a subscription, each payment and each failure; of a single sale, that it is paid. */
export function tellInvoice(event: StripeEvent): GatewayNews | 'ignored' {
  const id = idAt(event.object, 'id')
  if (!id) return 'ignored'
  if (event.type === 'invoice.paid' || event.type === 'invoice.payment_succeeded') return tellPaid(event, id)
  return tellUnpaid(event, id)
}

/** `invoice.payment_succeeded` can also tell of a part; either is believed only with the invoice paid. */
function tellPaid(event: StripeEvent, id: string): GatewayNews | 'ignored' {
  const { object, at } = event
  if (textAt(object, 'status') !== 'paid' && !isSetAt(object, 'paid')) return 'ignored'
  const subscriptionId = subscriptionOf(object)
  const plan = planOf(object, subscriptionId)
  if (!subscriptionId && plan.slugs.length === 0 && plan.refs.length === 0) return 'ignored'
  const periodEnd = subscriptionId && periodEndOf(object, subscriptionId)
  if (subscriptionId && !periodEnd) return 'ignored' // an extra on the side: it pays for no time
  const names = namesOf(object)
  const paymentId = subscriptionId ? id : (names[0] ?? id) // a sale's session names the payment intent as well
  return newsOf(event, {
    key: `${paymentId}:paid`,
    kind: 'paid',
    subscriptionId,
    paymentId,
    paymentAliases: aliases(paymentId, [id, ...names]),
    buyer: textAt(object, 'customer_email'),
    amount: amountAt(object, 'amount_paid'),
    method: methodOf(object),
    occurredAt: timeAt(object, 'status_transitions', 'paid_at') ?? at,
    ...(periodEnd && { periodEnd }),
    plan,
  })
}

function tellUnpaid(event: StripeEvent, id: string): GatewayNews | 'ignored' {
  const { type, object } = event
  const subscriptionId = subscriptionOf(object)
  if (!subscriptionId) return 'ignored' // a bill that was never bought
  const attempt = numberAt(object, 'attempt_count') ?? 0
  return newsOf(event, {
    key: `${id}:${type.slice('invoice.'.length)}:${attempt}`,
    kind: 'payment_failed',
    subscriptionId,
    paymentId: id,
    paymentAliases: aliases(id, namesOf(object)),
    buyer: textAt(object, 'customer_email'),
    amount: amountAt(object, 'amount_due'),
    method: methodOf(object),
    plan: planOf(object, subscriptionId),
  })
}

/** Since 2025-03-31 it stands in `parent`, before that at the top. */
function subscriptionOf(invoice: unknown): string | undefined {
  return idAt(invoice, 'parent', 'subscription_details', 'subscription') ?? idAt(invoice, 'subscription')
}

/** What else names the payment: old versions carry it, new ones where the API was asked to include `payments`. */
function namesOf(invoice: unknown): string[] {
  const payments = listAt(invoice, 'payments').filter((payment) => textAt(payment, 'status') !== 'canceled')
  const included = payments.flatMap((payment) => [idAt(payment, 'payment', 'payment_intent'), idAt(payment, 'payment', 'charge')])
  return aliases(undefined, [idAt(invoice, 'payment_intent'), ...included, idAt(invoice, 'charge')])
}

/** The end of the latest period among the subscription's lines; `undefined` where none covers any time. Credits for the time of an old plan buy none. */
function periodEndOf(invoice: unknown, subscriptionId: string): number | undefined {
  const ends = linesOf(invoice, subscriptionId).flatMap((line) => {
    const end = timeAt(line, 'period', 'end') ?? 0
    return end > (timeAt(line, 'period', 'start') ?? 0) ? [end] : []
  })
  return ends.length > 0 ? Math.max(...ends) : undefined
}

function linesOf(invoice: unknown, subscriptionId: string | undefined): readonly unknown[] {
  const bought = listAt(invoice, 'lines').filter((line) => (numberAt(line, 'amount') ?? 0) >= 0)
  return subscriptionId ? bought.filter((line) => subscriptionOfLine(line) === subscriptionId) : bought
}

function subscriptionOfLine(line: unknown): string | undefined {
  return (
    idAt(line, 'parent', 'subscription_item_details', 'subscription') ??
    idAt(line, 'parent', 'invoice_item_details', 'subscription') ??
    idAt(line, 'subscription') ??
    idAt(line, 'id') // before 2019-12-03 a line was called like its subscription
  )
}

function planOf(invoice: unknown, subscriptionId: string | undefined): GatewayNews['plan'] {
  const lines = linesOf(invoice, subscriptionId)
  return planNamed({
    slugs: slugsOf(
      planSlugAt(invoice, 'parent', 'subscription_details'),
      planSlugAt(invoice, 'subscription_details'),
      planSlugAt(invoice),
      ...lines.map((line) => planSlugAt(line)),
    ),
    refs: [...new Set(lines.flatMap(refsOfLine))],
    isOffer: subscriptionId !== undefined,
  })
}

function methodOf(invoice: unknown) {
  return onlyMethod(listAt(invoice, 'payment_settings', 'payment_method_types'))
}
