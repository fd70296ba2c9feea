import type { GatewayEvent } from '../../gateway-event.ts'
import { amountAt, idAt, textAt, timeAt } from '../fields.ts'
import { trialOf } from '../period.ts'
import { planOf } from '../plan.ts'
import { INVOICES, type Kinds, kindOf, PREAPPROVALS } from './kinds.ts'
import type { Known } from './known.ts'
import { buyerOf } from './payer.ts'

/** GET /preapproval/{id}. It shows the paid end only where no payment does: `next_payment_date` is the day of the next charge. */
export function toPreapprovalEvent(preapproval: unknown, { otherwiseAt }: Pick<Known, 'otherwiseAt'>): GatewayEvent | 'ignored' {
  const changedAt = timeAt(preapproval, 'last_modified') ?? timeAt(preapproval, 'date_created') ?? otherwiseAt
  const event = toSubscriptionEvent(preapproval, { preapproval, kinds: PREAPPROVALS, topic: 'preapproval', changedAt })
  const next = timeAt(preapproval, 'next_payment_date')
  return event !== 'ignored' && event.kind === 'canceled' && next !== undefined && next > changedAt ? { ...event, periodEnd: next } : event
}

/** The events that a subscription implies, oldest first. A trial begins with the authorization and counts as a payment of nothing. */
export function historyOfPreapproval(preapproval: unknown, known: Pick<Known, 'otherwiseAt'>): GatewayEvent[] {
  const now = toPreapprovalEvent(preapproval, known)
  const trial = textAt(preapproval, 'status') === 'authorized' ? trialOf(preapproval) : undefined
  if (now === 'ignored') return []
  if (trial === undefined || now.subscriptionId === undefined) return [now]
  const paymentId = `trial ${now.subscriptionId}`
  const begun = {
    ...now,
    key: paymentId,
    kind: 'paid' as const,
    paymentId,
    buyer: buyerOf(preapproval, preapproval),
    amount: 0,
    foreign: undefined,
  }
  return [{ ...begun, occurredAt: trial.periodStart, ...trial }, now]
}

/** GET /authorized_payments/{id}, for one that names no payment. */
export function toInvoiceEvent(invoice: unknown, { preapproval, otherwiseAt }: Known): GatewayEvent | 'ignored' {
  const changedAt = timeAt(invoice, 'last_modified') ?? timeAt(invoice, 'debit_date') ?? otherwiseAt
  return toSubscriptionEvent(invoice, { preapproval, kinds: INVOICES, topic: 'invoice', changedAt })
}

function toSubscriptionEvent(
  thing: unknown,
  { preapproval, kinds, topic, changedAt }: { preapproval: unknown; kinds: Kinds; topic: 'preapproval' | 'invoice'; changedAt: number },
): GatewayEvent | 'ignored' {
  const id = idAt(thing, 'id')
  const subscriptionId = idAt(preapproval, 'id')
  const kind = kindOf(thing, kinds)
  if (id === undefined || subscriptionId === undefined || kind === undefined) return 'ignored'
  return {
    // A subscription can be paused and resumed many times: each time is an event of its own.
    key: `${topic} ${id} ${textAt(thing, 'status')} ${changedAt}`,
    kind,
    subscriptionId,
    paymentId: undefined,
    paymentAliases: [],
    // `payer_email` belongs to a Mercado Pago account: it replaces no address that the buyer paid with.
    buyer: kind === 'canceled' ? undefined : buyerOf(thing, preapproval),
    ...amountAt(thing, 'transaction_amount'),
    method: undefined,
    occurredAt: changedAt,
    periodEnd: undefined,
    plan: planOf(thing, preapproval, { isOffer: true, isOfSubscription: true }),
  }
}
