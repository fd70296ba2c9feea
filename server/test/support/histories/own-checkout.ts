import { randomUUID } from 'node:crypto'
import { type Bill, type Contract, type HistoryEvent, leftOf, MINUTE, type Payment } from './simulation/simulation.ts'
import type { GatewayApi, Sent, SimulatorRun } from './simulator.ts'
import { openStripe } from './stripe/stripe.ts'
import { idsOf } from './stripe/stripe-objects.ts'

/**
 * The operator's own checkout, which charges through Stripe. Both notify of each payment, and the checkout names Stripe's payment. In some
 * histories only Stripe notifies of refunds and disputes.
 */
export function openOwnOverStripe(run: SimulatorRun): GatewayApi {
  const stripe = openStripe(run)
  const ids = idsOf(run.name)
  const own = openOwnCheckout(run, (payment) => {
    const { bill } = payment
    return { gateway: 'stripe', gateway_payment_id: bill.contract.kind === 'sale' ? ids.intent(payment) : ids.invoice(bill) }
  })
  const sendsAll = run.chance(2) === 0
  const ownOf = (historyEvent: HistoryEvent) => (sendsAll || historyEvent.is === 'paid' ? own.take(historyEvent) : [])
  return {
    ...stripe,
    take: (historyEvent) => [...stripe.take(historyEvent), ...ownOf(historyEvent).map((sent) => ({ ...sent, isOwn: true as const }))],
  }
}

/**
 * The operator's own checkout: purchases in variant A, subscriptions in variant B and what becomes of them later, by a clock of its own. It
 * states until when is paid.
 */
export function openOwnCheckout(
  { name, email, productId, chance }: SimulatorRun,
  atGateway: (payment: Payment) => object = () => ({}),
): GatewayApi {
  const skew = [0, -3 * MINUTE, 4 * MINUTE][chance(3)] ?? 0
  const statesBegin = chance(2) === 0
  const ids = new Map<Contract, string>()
  let count = 0

  const iso = (at: number) => new Date(at + skew).toISOString()
  const period = ({ from, to }: Bill) => ({ period_end: iso(to), ...(statesBegin && { period_start: iso(from) }) })
  const paymentId = ({ n }: Payment) => `${name}-${n}`
  const send = (event: string, at: number, rest: object): Sent => ({
    name: event,
    body: { event, ...rest, timestamp: iso(at), number: ++count },
  })
  const about = (contract: Contract, more: object = {}) => ({
    is_test: false,
    user_email: email,
    product_id: productId,
    plan_slug: contract.plan,
    product_name: contract.plan,
    ...(contract.kind === 'subscription' && { subscription_id: idOf(contract) }),
    ...more,
  })
  const idOf = (contract: Contract): string => {
    const id = ids.get(contract) ?? randomUUID()
    ids.set(contract, id)
    return id
  }
  const ofPayment = (payment: Payment, more: object = {}) => ({
    data: about(payment.bill.contract, { plan_slug: payment.bill.plan, payment_id: paymentId(payment), ...atGateway(payment), ...more }),
  })
  const paid = ({ at, contract, bill, payment }: HistoryEvent & { is: 'paid' }): Sent[] => {
    const named = { payment_id: paymentId(payment), ...atGateway(payment) }
    if (contract.kind === 'sale') {
      const product = { id: productId, plan_slug: bill.plan }
      return [send('purchase.completed', at, { customer: { email }, product, data: { is_test: false, ...named } })]
    }
    const isFirst = contract.bills[0] === bill
    const event = isFirst ? 'subscription.activated' : 'subscription.renewed'
    return [
      send(event, at, {
        data: about(contract, { plan_slug: bill.plan, product_name: bill.plan, amount: bill.amount, ...named, ...period(bill) }),
      }),
    ]
  }

  const take = (historyEvent: HistoryEvent): Sent[] => {
    if (historyEvent.is === 'check') return []
    const { at, contract } = historyEvent
    switch (historyEvent.is) {
      case 'paid':
        return historyEvent.bill.why === 'usage' ? [] : paid(historyEvent)
      case 'failed':
        return historyEvent.bill.why === 'first' ? [] : [send('payment.failed', at, { data: about(contract) })]
      case 'canceled':
        return [send('subscription.canceled', at, { data: about(contract) })]
      case 'ended':
        return [send('subscription.ended', at, { data: about(contract) })]
      case 'refunded':
        return [send('payment.refunded', at, ofPayment(historyEvent.payment, { is_partial: leftOf(historyEvent.payment) > 0 }))]
      case 'disputed':
        return [send('payment.disputed', at, ofPayment(historyEvent.payment))]
      case 'decided':
        return [send('payment.disputed', at, ofPayment(historyEvent.payment, { outcome: historyEvent.dispute.outcome }))]
      default:
        return []
    }
  }
  return { rules: { resumes: false, dropsBills: true, lateDays: 1_000, namesMethod: false }, take, answer: () => undefined }
}
