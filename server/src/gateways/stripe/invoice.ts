import type { GatewayEvent, PlanPeriod } from '../gateway.ts'
import type { StripeEvent } from './event.ts'
import { idAt, isSetAt, listAt, numberAt, textAt, timeAt } from './object.ts'
import { aliases, amountAt, onlyMethod, planNamed, planSlugAt, refsOfLine, slugsOf, toGatewayEvent } from './to-event.ts'

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

/** A line of an invoice that pays for a period, in ms. */
interface PaidLine {
  line: unknown
  start: number
  end: number
}

/**
 * The things that an invoice pays for, with their ends, each once: the earliest end first, as it is the day of the next invoice.
 * `undefined` where no line has a period. The rest of a period after a change of plan counts where nothing else is billed; metered usage
 * counts where nothing is paid ahead. Credits for the time of an old plan do not count.
 */
function periodsOf(invoice: unknown, subscriptionId: string): [PaidLine, ...PaidLine[]] | undefined {
  const lines = linesOf(invoice, subscriptionId)
    .map((line) => ({ line, start: timeAt(line, 'period', 'start') ?? 0, end: timeAt(line, 'period', 'end') ?? 0 }))
    .filter(({ start, end }) => end > start)
  const created = timeAt(invoice, 'created') ?? 0
  const counting = preferred(
    preferred(lines, ({ line }) => !isProration(line)),
    ({ end }) => end > created,
  )
  const last = new Map<string, PaidLine>()
  for (const one of counting) {
    const known = last.get(nameOf(one))
    if (!known || one.end > known.end || (one.end === known.end && one.start < known.start)) last.set(nameOf(one), one)
  }
  const [first, ...rest] = [...last.values()].sort((a, b) => a.end - b.end || a.start - b.start)
  return first && [first, ...rest]
}

/** The preferred items of a list if there are any, else all. */
function preferred<T>(all: readonly T[], isPreferred: (one: T) => boolean): readonly T[] {
  const some = all.filter(isPreferred)
  return some.length > 0 ? some : all
}

function nameOf({ line }: PaidLine): string {
  return refsOfLine(line).join(' ')
}

function isProration(line: unknown): boolean {
  return (
    isSetAt(line, 'parent', 'subscription_item_details', 'proration') ||
    isSetAt(line, 'parent', 'invoice_item_details', 'proration') ||
    isSetAt(line, 'proration')
  )
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
    idAt(line, 'id') // before 2019-12-03 a line had its subscription's id
  )
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
