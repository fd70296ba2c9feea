import { type Attempt, iso, type Preapproval, showAccount } from './mercadopago-api.ts'
import { type Bill, type Contract, type HistoryEvent, HOUR, type Payment } from './simulation/simulation.ts'
import type { GatewayApi, Sent, SimulatorRun } from './simulator.ts'

/** Mercado Pago, as far as Portaria sees it: a delivery names a thing, and what it is like by now its API says. */
export function openMercadoPago({ number, name, email, chance }: SimulatorRun): GatewayApi {
  const attempts: Attempt[] = []
  const preapprovals = new Map<string, Preapproval>()
  const bookingTakes = [0, HOUR, 30 * HOUR][chance(3)] ?? 0
  const isFinal = chance(2) === 0
  const isMediated = chance(2) === 0
  const hasOrders = chance(2) === 1
  /** Where the day of a bill stands; not even its charge is found in some accounts. */
  const namesBill = (['payment', 'charge', 'nowhere'] as const)[chance(3)] ?? 'payment'
  const idOf = (n: number) => 1_000_000_000 + number * 1_000 + n
  let count = 0
  let now = 0

  const notice = (type: string, id: string | number): Sent => ({
    name: `${type} ${id}`,
    body: { id: `${name}${++count}`, live_mode: true, type, date_created: iso(now), action: `${type}.updated`, data: { id: String(id) } },
    query: `?data.id=${id}&type=${type}`,
  })
  const preapprovalOf = (contract: Contract) => preapprovals.get(`pre${name}${contract.n}`)
  const invoiceId = (bill: Bill) => idOf(500 + bill.n)
  const attempt = (bill: Bill, at: number, status: string, detail: string, amount = bill.amount): Attempt => {
    const { contract } = bill
    const about = { contract, bill, amount, refunded: 0 }
    const made = { id: idOf(attempts.length + 1), ...about, madeAt: at, updatedAt: at, approvedAt: undefined, status, detail }
    const kept: Attempt = { ...made, payment: undefined, claim: undefined }
    attempts.push(kept)
    return kept
  }
  const change = (one: Attempt, at: number, status: string, detail: string): Attempt =>
    Object.assign(one, { status, detail, updatedAt: at, ...(status === 'approved' && { approvedAt: one.approvedAt ?? at }) })
  const changeSubscription = (contract: Contract, at: number, status: string): Sent[] => {
    const preapproval = preapprovalOf(contract)
    if (!preapproval) return []
    Object.assign(preapproval, { status, modifiedAt: at })
    return [notice('subscription_preapproval', preapproval.id)]
  }
  const notify = (...ones: Attempt[]): Sent[] =>
    ones.flatMap((one) => [
      notice('payment', one.id),
      ...(one.contract.kind === 'subscription' && chance(2) === 0 ? [notice('subscription_authorized_payment', invoiceId(one.bill))] : []),
      ...(isOfOrder(one) && chance(4) < 3 ? [notice('order', orderId(one.contract))] : []),
    ])
  const attemptsOf = (payment: Payment): Attempt[] => attempts.filter((each) => each.payment === payment)
  const orderId = ({ n }: Contract) => `ORD${name.toUpperCase()}${n}`
  const isOfOrder = ({ bill }: Attempt) => bill.why === 'sale' && attempts.filter((one) => one.bill === bill).length > 1
  /** Some sales are paid in two ways, as one order. */
  const attemptAll = (bill: Bill, at: number, status: string, detail: string): Attempt[] => {
    const third = Math.ceil(bill.amount / 3)
    const amounts = hasOrders && bill.why === 'sale' ? [third, bill.amount - third] : [bill.amount]
    return amounts.map((amount) => attempt(bill, at, status, detail, amount))
  }
  const giveBack = (payment: Payment, at: number, sum: number): Attempt[] => {
    let rest = sum
    const touched: Attempt[] = []
    for (const one of attemptsOf(payment)) {
      const part = Math.min(rest, one.amount - one.refunded)
      if (part === 0) continue
      rest -= part
      one.refunded += part
      const isWhole = one.refunded === one.amount
      touched.push(change(one, at, isWhole ? 'refunded' : 'approved', isWhole ? 'refunded' : 'partially_refunded'))
    }
    return touched
  }

  const take = (historyEvent: HistoryEvent): Sent[] => {
    if (historyEvent.is === 'check') return []
    const { at, contract } = historyEvent
    now = at
    switch (historyEvent.is) {
      case 'begun': {
        if (contract.kind === 'sale')
          return contract.method === 'card' ? [] : notify(...attemptAll(historyEvent.bill, at, 'pending', 'pending_waiting_transfer'))
        const id = `pre${name}${contract.n}`
        preapprovals.set(id, { id, contract, status: 'pending', modifiedAt: at, booked: undefined })
        return [notice('subscription_preapproval', id)]
      }
      case 'failed': {
        const sent = notify(attempt(historyEvent.bill, at, 'rejected', 'cc_rejected_insufficient_amount'))
        const preapproval = preapprovalOf(contract)
        if (preapproval && historyEvent.bill.why === 'renewal') preapproval.booked = { bill: historyEvent.bill, at }
        return [...sent, notice('subscription_authorized_payment', invoiceId(historyEvent.bill))]
      }
      case 'paid': {
        const waiting = attempts.filter(({ bill, status }) => bill === historyEvent.bill && status === 'pending')
        const paid = waiting.length > 0 ? waiting : attemptAll(historyEvent.bill, at, 'approved', 'accredited')
        for (const one of paid) Object.assign(change(one, at, 'approved', 'accredited'), { payment: historyEvent.payment })
        const preapproval = preapprovalOf(contract)
        if (!preapproval) return notify(...paid)
        if (historyEvent.bill === contract.bills.at(-1)) preapproval.booked = { bill: historyEvent.bill, at }
        return preapproval.status === 'pending' ? [...changeSubscription(contract, at, 'authorized'), ...notify(...paid)] : notify(...paid)
      }
      case 'never_began': {
        const pending = attempts.filter((one) => one.contract === contract && one.status === 'pending')
        return [
          ...pending.flatMap((one) => notify(change(one, at, 'cancelled', 'expired'))),
          ...changeSubscription(contract, at, 'cancelled'),
        ]
      }
      case 'canceled':
        return changeSubscription(contract, at, isFinal ? 'cancelled' : 'paused')
      case 'resumed':
        return changeSubscription(contract, at, 'authorized')
      case 'refunded':
        return notify(...giveBack(historyEvent.payment, at, historyEvent.refund.amount))
      case 'disputed':
        return attemptsOf(historyEvent.payment).flatMap((one, place) => {
          if (!isMediated) return [...notify(change(one, at, 'charged_back', 'in_process')), notice('topic_chargebacks_wh', `CB${one.id}`)]
          change(one, at, 'in_mediation', 'pending')
          one.claim = { id: idOf(900 + 2 * historyEvent.dispute.n + place), isOver: false, updatedAt: at }
          return [...notify(one), notice('topic_claims_integration_wh', one.claim.id)]
        })
      case 'decided':
        return attemptsOf(historyEvent.payment).flatMap((one) => {
          const isWon = historyEvent.dispute.outcome === 'won'
          if (!one.claim)
            return [
              ...notify(change(one, at, 'charged_back', isWon ? 'reimbursed' : 'settled')),
              notice('topic_chargebacks_wh', `CB${one.id}`),
            ]
          Object.assign(one.claim, { isOver: true, updatedAt: at })
          if (!isWon) one.refunded = one.amount
          change(one, at, isWon ? 'approved' : 'refunded', isWon ? 'accredited' : 'refunded')
          return [...notify(one), notice('topic_claims_integration_wh', one.claim.id)]
        })
      default:
        return []
    }
  }

  const answer = showAccount({ number, name, email, attempts, preapprovals, bookingTakes, namesBill, invoiceId, orderId, isOfOrder })
  // A charge that is refused is tried again for ten days, and can be paid by hand long after. How long after the bill that was is not known
  // where nobody says when it was made.
  const lateDays = namesBill === 'nowhere' ? 20 : 40
  return { rules: { resumes: !isFinal, dropsBills: true, lateDays, namesMethod: true }, take, answer }
}
