import { type Bill, type Contract, HOUR, type Payment, PRICES } from './simulation/simulation.ts'

/** A payment as Mercado Pago keeps it: each attempt is one, and each card of those that an order is paid with. */
export interface Attempt {
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

export interface Preapproval {
  id: string
  contract: Contract
  status: string
  modifiedAt: number
  /** The charge that was booked last, and when. Until some time later the next date is still that charge's own. */
  booked: { bill: Bill; at: number } | undefined
}

/** An account: its contents, and the habits in which accounts differ. */
interface Account {
  number: number
  name: string
  email: string
  attempts: readonly Attempt[]
  preapprovals: ReadonlyMap<string, Preapproval>
  /** Ms until a charge moves the date of the next one. */
  bookingTakes: number
  /** The object that names the day of a bill. In some accounts not even the bill's charge is found. */
  namesBill: 'payment' | 'charge' | 'nowhere'
  invoiceId(bill: Bill): number
  orderId(contract: Contract): string
  isOfOrder(attempt: Attempt): boolean
}

/** The API of Mercado Pago: the answer to an address; `undefined` for what is not there. */
export function showAccount(account: Account): (url: URL, simulation: { now: number }) => unknown {
  const { number, name, email, attempts, preapprovals, bookingTakes, namesBill, invoiceId, orderId, isOfOrder } = account
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
  return answer
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

/** A time as its API writes it, in its own zone. */
export function iso(at: number): string {
  return new Date(at - 4 * HOUR).toISOString().replace('Z', '-04:00')
}
