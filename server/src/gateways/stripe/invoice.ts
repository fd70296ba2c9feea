import type { GatewayEvent, PlanPeriod } from '../gateway-event.ts'
import type { StripeEvent } from './event.ts'
import { linesOf, type PaidLine, periodsOf } from './invoice-lines.ts'
import { idAt, isSetAt, listAt, numberAt, textAt, timeAt } from './object.ts'
import { periodPriceOf } from './period-price.ts'
import { aliases, amountAt, onlyMethod, planNamed, planSlugAt, refsOfLine, slugsOf, toGatewayEvent, unitsOf } from './to-event.ts'

/** The events of an invoice: of a subscription, each payment and each failure; of a single sale, its payment. */
export function parseInvoice(event: StripeEvent): GatewayEvent | 'ignored' {
  const id = idAt(event.object, 'id')
  if (!id) return 'ignored'
  if (event.type === 'invoice.paid' || event.type === 'invoice.payment_succeeded') return parsePaid(event, id)
  const waived = WAIVED.get(event.type)
  return waived ? parseWaived(event, { id, waived }) : parseUnpaid(event, id)
}

const WAIVED: ReadonlyMap<string, string> = new Map([
  ['invoice.voided', 'voided'],
  ['invoice.marked_uncollectible', 'uncollectible'],
])

/** A bill that is not collected any more. The subscription says whether access goes on. */
function parseWaived(event: StripeEvent, { id, waived }: { id: string; waived: string }): GatewayEvent | 'ignored' {
  const subscriptionId = subscriptionOf(event.object)
  if (!subscriptionId) return 'ignored'
  return toGatewayEvent(event, { key: `${id}:${waived}`, kind: 'payment_waived', subscriptionId, paymentId: id })
}

/** `invoice.payment_succeeded` can also report a partial payment; either is believed only if the invoice is paid. */
function parsePaid(event: StripeEvent, id: string): GatewayEvent | 'ignored' {
  const { object, at } = event
  if (textAt(object, 'status') !== 'paid' && !isSetAt(object, 'paid')) return 'ignored'
  const subscriptionId = subscriptionOf(object)
  const plan = planOf(object, subscriptionId)
  if (!subscriptionId && plan.slugs.length === 0 && plan.refs.length === 0) return 'ignored'
  const [period, ...others] = (subscriptionId && periodsOf(object, subscriptionId)) || []
  if (subscriptionId && !period) return 'ignored' // an extra item: it pays for no period
  const names = namesOf(object)
  const paymentId = subscriptionId ? id : (names[0] ?? id) // a sale's session names the payment intent as well
  return toGatewayEvent(event, {
    key: `${paymentId}:paid`,
    kind: 'paid',
    subscriptionId,
    paymentId,
    paymentAliases: aliases(paymentId, [id, ...names]),
    buyer: textAt(object, 'customer_email'),
    ...amountAt(object, 'amount_paid'),
    ...(subscriptionId && { periodPrice: unitsOf(object, periodPriceOf(object, subscriptionId)) }),
    method: methodOf(object),
    occurredAt: timeAt(object, 'status_transitions', 'paid_at') ?? at,
    ...(period && { periodStart: period.start, periodEnd: period.end }),
    plan: period && others.some(({ end }) => end !== period.end) ? { ...plan, periods: [period, ...others].map(toPeriod) } : plan,
  })
}

function parseUnpaid(event: StripeEvent, id: string): GatewayEvent | 'ignored' {
  const { type, object } = event
  const subscriptionId = subscriptionOf(object)
  if (!subscriptionId) return 'ignored' // a bill of something never bought
  const attempt = numberAt(object, 'attempt_count') ?? 0
  const [period] = periodsOf(object, subscriptionId) ?? []
  return toGatewayEvent(event, {
    key: `${id}:${type.slice('invoice.'.length)}:${attempt}`,
    kind: 'payment_failed',
    subscriptionId,
    paymentId: id,
    paymentAliases: aliases(id, namesOf(object)),
    buyer: textAt(object, 'customer_email'),
    ...amountAt(object, 'amount_due'),
    method: methodOf(object),
    ...(period && { periodStart: period.start }),
    plan: planOf(object, subscriptionId),
  })
}

function toPeriod({ line, start, end }: PaidLine): PlanPeriod {
  return { slugs: slugsOf(planSlugAt(line)), refs: refsOfLine(line), periodStart: start, periodEnd: end }
}

/** Since 2025-03-31 it stands in `parent`, before that at the top level. */
function subscriptionOf(invoice: unknown): string | undefined {
  return idAt(invoice, 'parent', 'subscription_details', 'subscription') ?? idAt(invoice, 'subscription')
}

/** Other ids of the payment: old versions carry them, new ones where the request asked to include `payments`. */
function namesOf(invoice: unknown): string[] {
  const payments = listAt(invoice, 'payments').filter((payment) => textAt(payment, 'status') !== 'canceled')
  const included = payments.flatMap((payment) => [idAt(payment, 'payment', 'payment_intent'), idAt(payment, 'payment', 'charge')])
  return aliases(undefined, [idAt(invoice, 'payment_intent'), ...included, idAt(invoice, 'charge')])
}

function planOf(invoice: unknown, subscriptionId: string | undefined): GatewayEvent['plan'] {
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
