import { type Bill, type Contract, type HistoryEvent, HOUR, type Payment, PRICES } from './simulation/simulation.ts'
import type { GatewayApi, Sent, SimulatorRun } from './simulator.ts'

/** A payment as Mercado Pago keeps it: each attempt is one, and each card of those that an order is paid with. */
interface Attempt {
  id: number
  contract: Contract
  bill: Bill
  amount: number
  refunded: number
  madeAt: number
  updatedAt: number
  approvedAt: number | undefined
  status: string
  detail: string
  payment: Payment | undefined
  claim: { id: number; isOver: boolean; updatedAt: number } | undefined
}

interface Preapproval {
  id: string
  contract: Contract
  status: string
  modifiedAt: number
  /** The charge that was booked last, and when: until some time later the next date is still that charge's own. */
  booked: { bill: Bill; at: number } | undefined
}

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

  const toPreapproval = ({ id, contract, status, modifiedAt, booked }: Preapproval, at: number) => {
    const isBooked = booked !== undefined && at >= booked.at + bookingTakes
    const last = contract.bills.findLast(({ why }) => why !== 'usage')
    const next = isBooked ? booked.bill.to : booked ? booked.bill.from : last?.from
    return {
      id,
      payer_id: number,
      payer_email: email,
      status,
      reason: contract.plan,
      external_reference: contract.plan,
      date_created: iso(contract.startedAt),
      last_modified: iso(modifiedAt),
      next_payment_date: next === undefined ? null : iso(next),
      payment_method_id: 'visa',
      auto_recurring: {
        frequency: contract.cycle === 'year' ? 12 : 1,
        frequency_type: 'months',
        transaction_amount: PRICES[contract.plan] / 100,
        currency_id: 'BRL',
      },
    }
  }
  const toInvoice = (bill: Bill) => {
    const last = attempts.findLast((one) => one.bill === bill)
    const paid = attempts.find((one) => one.bill === bill && one.approvedAt !== undefined)
    const shown = paid ?? last
    return {
      id: invoiceId(bill),
      type: 'recurring',
      preapproval_id: `pre${name}${bill.contract.n}`,
      status: paid ? 'processed' : bill.state === 'void' ? 'cancelled' : last ? 'recycling' : 'scheduled',
      ...(namesBill !== 'nowhere' && { debit_date: iso(bill.from) }),
      date_created: iso(bill.madeAt),
      last_modified: iso(shown?.updatedAt ?? bill.madeAt),
      currency_id: 'BRL',
      transaction_amount: bill.amount / 100,
      external_reference: bill.plan,
      ...(shown && { payment: { id: shown.id, status: shown.status, status_detail: shown.detail } }),
    }
  }
  const toTransaction = ({ contract, why, from }: Bill) => ({
    subscription_id: `pre${name}${contract.n}`,
    first_time_use: why === 'first',
    ...(namesBill === 'payment' && { billing_date: iso(from).slice(0, 10) }),
  })
  const toPayment = (one: Attempt) => {
    const { id, contract, bill, amount, refunded, madeAt, updatedAt, approvedAt, status, detail } = one
    const isSale = contract.kind === 'sale'
    return {
      id,
      status,
      status_detail: detail,
      date_created: iso(madeAt),
      date_approved: approvedAt === undefined ? null : iso(approvedAt),
      date_last_updated: iso(updatedAt),
      currency_id: 'BRL',
      transaction_amount: amount / 100,
      transaction_amount_refunded: refunded / 100,
      payment_type_id: methodOf(contract).type,
      payment_method_id: methodOf(contract).id,
      operation_type: isSale ? 'regular_payment' : 'recurring_payment',
      external_reference: bill.plan,
      payer: { email },
      metadata: {},
      ...(!isSale && { point_of_interaction: { type: 'SUBSCRIPTIONS', transaction_data: toTransaction(bill) } }),
    }
  }
  const toOrder = (contract: Contract) => {
    const [bill] = contract.bills
    const own = attempts.filter((one) => one.contract === contract)
    const [first] = own
    if (!bill || !first) return undefined
    const method = methodOf(contract)
    const paid = own.map((one) => ({
      id: `PAY${one.id}`,
      reference: { id: String(one.id) },
      payment_method: method,
      amount: String(one.amount / 100),
    }))
    const refunds = own
      .filter(({ refunded }) => refunded > 0)
      .map(({ id, refunded }) => ({ id: `REF${id}`, amount: String(refunded / 100) }))
    return {
      id: orderId(contract),
      type: 'online',
      ...stateOf(own),
      external_reference: contract.plan,
      total_amount: (bill.amount / 100).toFixed(2),
      date_created: iso(first.madeAt),
      date_last_updated: iso(Math.max(...own.map(({ updatedAt }) => updatedAt)) + 2_000),
      payer: { email },
      transactions: { payments: paid, refunds },
    }
  }
  const answer = (url: URL, simulation: { now: number }): unknown => {
    const parts = url.pathname.split('/').filter((part) => part !== '' && part !== 'v1')
    const [things, id = ''] = parts
    const query = url.searchParams
    const bills = [...preapprovals.values()].flatMap(({ contract }) => contract.bills)
    const page = (found: readonly unknown[]) => {
      const [offset, limit] = [Number(query.get('offset') ?? 0), Number(query.get('limit') ?? 30)]
      return { paging: { total: found.length, offset, limit }, results: found.slice(offset, offset + limit) }
    }
    switch (things) {
      case 'payments': {
        if (id !== 'search') {
          const one = attempts.find((each) => String(each.id) === id)
          return one && toPayment(one)
        }
        const since = Date.parse(query.get('begin_date') ?? '1970-01-01T00:00:00Z')
        return page(
          attempts
            .filter(({ updatedAt }) => updatedAt >= since)
            .sort((a, b) => a.updatedAt - b.updatedAt)
            .map(toPayment),
        )
      }
      case 'preapproval': {
        if (id === 'search') return page([...preapprovals.values()].map((each) => toPreapproval(each, simulation.now)))
        const known = preapprovals.get(id)
        return known && toPreapproval(known, simulation.now)
      }
      case 'authorized_payments': {
        if (id !== 'search') {
          const bill = bills.find((each) => String(invoiceId(each)) === id)
          return bill && toInvoice(bill)
        }
        const [preapproval, payment] = [query.get('preapproval_id'), query.get('payment_id')]
        const shown = namesBill === 'nowhere' ? [] : bills.map(toInvoice)
        return page(shown.filter((each) => (preapproval ? each.preapproval_id === preapproval : String(each.payment?.id) === payment)))
      }
      case 'orders': {
        const one = attempts.find((each) => isOfOrder(each) && orderId(each.contract) === id)
        return one && toOrder(one.contract)
      }
      case 'chargebacks': {
        const one = attempts.find((each) => `CB${each.id}` === id)
        return one && { id, payments: [one.id] }
      }
      case 'post-purchase': {
        const claims = attempts.flatMap((one) =>
          one.claim
            ? {
                id: one.claim.id,
                resource: 'payment',
                resource_id: one.id,
                status: one.claim.isOver ? 'closed' : 'opened',
                last_updated: iso(one.claim.updatedAt),
              }
            : [],
        )
        if (parts.at(-1) === 'search') return { data: claims.filter((each) => String(each.resource_id) === query.get('resource_id')) }
        return claims.find((each) => String(each.id) === parts.at(-1))
      }
      default:
        return undefined
    }
  }
  // A charge that is refused is tried again for ten days, and can be paid by hand long after. How long after the bill that was is not known
  // where nobody says when it was made.
  const lateDays = namesBill === 'nowhere' ? 20 : 40
  return { rules: { resumes: !isFinal, dropsBills: true, lateDays, namesMethod: true }, take, answer }
}

function methodOf({ method }: Contract): { id: string; type: string } {
  return {
    card: { id: 'visa', type: 'credit_card' },
    boleto: { id: 'bolbradesco', type: 'ticket' },
    pix: { id: 'pix', type: 'bank_transfer' },
  }[method]
}

function stateOf(payments: readonly Attempt[]): { status: string; status_detail: string } {
  if (payments.some(({ status }) => status === 'pending')) return { status: 'action_required', status_detail: 'waiting_transfer' }
  if (payments.some(({ status }) => status === 'cancelled')) return { status: 'expired', status_detail: 'expired' }
  const back = payments.find(({ status }) => status === 'charged_back')
  if (back) return { status: back.status, status_detail: back.detail }
  if (payments.every(({ status }) => status === 'refunded')) return { status: 'refunded', status_detail: 'refunded' }
  return { status: 'processed', status_detail: payments.some(({ refunded }) => refunded > 0) ? 'partially_refunded' : 'accredited' }
}

function iso(at: number): string {
  return new Date(at - 4 * HOUR).toISOString().replace('Z', '-04:00')
}
