import { addCycle, type Bill, type Contract, DAY, type HistoryEvent, HOUR, leftOf, type Simulation } from './simulation/simulation.ts'
import type { GatewayApi, Sent, SimulatorRun } from './simulator.ts'

/**
 * A charge, as Asaas keeps it. Those of a subscription are made 40 days before they are due, and only then are they a bill of the history.
 */
interface Charge {
  id: string
  contract: Contract
  /** The number of the bill within its contract. */
  place: number
  bill: Bill | undefined
  due: number
  madeAt: number
  reference: string
  amount: number
  status: string
  isDeleted: boolean
  paidAt: number | undefined
  receivedAt: number | undefined
  reversalWonAt: number | undefined
}

const AHEAD = 40 * DAY
const CARD_MONEY_AFTER = 32 * DAY

/**
 * Asaas, as far as Portaria sees it: everything is a charge, times are days of Brasília's, and the next charge is there before it is due.
 */
export function openAsaas({ name, email, chance }: SimulatorRun): GatewayApi {
  const charges: Charge[] = []
  const contracts = new Map<string, { contract: Contract; isOver: boolean }>()
  const isDeletedAtCancel = chance(2) === 0
  let count = 0

  const event = (type: string, at: number, about: object): Sent => ({
    name: type,
    body: { id: `evt_${name}${++count}&${count}`, event: type, dateCreated: brazil(at), ...about },
  })
  const ofCharge = (type: string, at: number, charge: Charge) => event(type, at, { payment: toPayment(charge, name) })
  const ofSubscription = (type: string, at: number, contract: Contract) =>
    event(type, at, { subscription: toSubscription(contract, 'delivered') })
  const toSubscription = (contract: Contract, form: 'delivered' | 'asked') => {
    const write = form === 'delivered' ? (at: number) => day(at).split('-').reverse().join('/') : day
    const isOver = contracts.get(subscriptionId(contract, name))?.isOver === true
    return {
      object: 'subscription',
      id: subscriptionId(contract, name),
      dateCreated: write(contract.startedAt),
      customer: `cus_${name}`,
      paymentLink: null,
      billingType: billingType(contract),
      cycle: contract.cycle === 'year' ? 'YEARLY' : 'MONTHLY',
      nextDueDate: write(nextToMake(contract)),
      status: isOver && !isDeletedAtCancel ? 'INACTIVE' : 'ACTIVE',
      deleted: isOver && isDeletedAtCancel,
      externalReference: contract.plan,
    }
  }
  const ofContract = (contract: Contract) => charges.filter((charge) => charge.contract === contract)
  const dueOf = (contract: Contract, place: number) => addCycle(contract.startedAt, contract.cycle, place)
  const nextToMake = (contract: Contract) => dueOf(contract, ofContract(contract).length)
  const make = (contract: Contract, at: number, bill?: Bill): Sent => {
    const place = ofContract(contract).length
    const made = { id: `pay_${name}${contract.n}_${place + 1}`, contract, place, bill, due: dueOf(contract, place), madeAt: at }
    const unpaid = { status: 'PENDING', isDeleted: false, paidAt: undefined, receivedAt: undefined, reversalWonAt: undefined }
    const charge: Charge = { ...made, ...unpaid, reference: contract.plan, amount: bill?.amount ?? 0 }
    charges.push(charge)
    return ofCharge('PAYMENT_CREATED', at, charge)
  }
  const find = (bill: Bill): Charge => {
    const charge = charges.find((each) => each.bill === bill)
    if (!charge) throw new Error(`no charge for bill ${bill.n}`)
    return charge
  }
  const become = (charge: Charge, status: string, type: string, at: number): Sent => {
    charge.status = status
    return ofCharge(type, at, charge)
  }
  const drop = (contract: Contract, at: number): Sent[] =>
    ofContract(contract)
      .filter(({ status, isDeleted }) => (status === 'PENDING' || status === 'OVERDUE') && !isDeleted)
      .map((charge) => {
        charge.isDeleted = true
        return ofCharge('PAYMENT_DELETED', at, charge)
      })

  const pass = (at: number): Sent[] => {
    const sent: Sent[] = []
    for (const { contract, isOver } of contracts.values()) {
      while (!isOver && nextToMake(contract) - at <= AHEAD) sent.push(make(contract, at))
    }
    for (const charge of charges) {
      const { status, bill, contract, due, paidAt, isDeleted, reversalWonAt } = charge
      if (status === 'CONFIRMED' && paidAt !== undefined && at > paidAt + CARD_MONEY_AFTER) {
        charge.receivedAt = paidAt + CARD_MONEY_AFTER
        sent.push(become(charge, 'RECEIVED', 'PAYMENT_RECEIVED', charge.receivedAt))
      }
      if (status === 'PENDING' && !isDeleted && bill && contract.kind === 'subscription' && at > endOfDay(due) + 7 * HOUR) {
        sent.push(become(charge, 'OVERDUE', 'PAYMENT_OVERDUE', endOfDay(due) + 6 * HOUR))
      }
      if (status === 'AWAITING_CHARGEBACK_REVERSAL' && reversalWonAt !== undefined && at > reversalWonAt + 2 * DAY) {
        sent.push(become(charge, 'RECEIVED', 'PAYMENT_RECEIVED', reversalWonAt + 2 * DAY))
      }
    }
    return sent
  }
  const take = (historyEvent: HistoryEvent): Sent[] => {
    if (historyEvent.is === 'check') return []
    const { at, contract } = historyEvent
    switch (historyEvent.is) {
      case 'begun': {
        if (contract.kind === 'sale') return [make(contract, at, historyEvent.bill)]
        contracts.set(subscriptionId(contract, name), { contract, isOver: false })
        return [ofSubscription('SUBSCRIPTION_CREATED', at, contract), make(contract, at, historyEvent.bill), ...pass(at)]
      }
      case 'billed': {
        const charge = ofContract(contract).find(({ bill }) => bill === undefined)
        if (!charge) throw new Error('a bill that was not charged ahead')
        Object.assign(charge, { bill: historyEvent.bill, amount: historyEvent.bill.amount })
        return []
      }
      case 'failed':
        return [ofCharge('PAYMENT_CREDIT_CARD_CAPTURE_REFUSED', at, find(historyEvent.bill))].filter(() => contract.method === 'card')
      case 'paid': {
        const charge = find(historyEvent.bill)
        charge.paidAt = at
        if (contract.method === 'card') return [become(charge, 'CONFIRMED', 'PAYMENT_CONFIRMED', at)]
        charge.receivedAt = at
        return [become(charge, 'RECEIVED', 'PAYMENT_RECEIVED', at)]
      }
      case 'voided': {
        const charge = find(historyEvent.bill)
        charge.isDeleted = true
        return [ofCharge('PAYMENT_DELETED', at, charge)]
      }
      case 'changed': {
        const pending = ofContract(contract).filter(({ bill, isDeleted }) => bill === undefined && !isDeleted)
        for (const charge of pending) charge.reference = contract.plan
        return [ofSubscription('SUBSCRIPTION_UPDATED', at, contract), ...pending.map((charge) => ofCharge('PAYMENT_UPDATED', at, charge))]
      }
      case 'never_began':
      case 'canceled': {
        const known = contracts.get(subscriptionId(contract, name))
        if (!known) return [...drop(contract, at)]
        known.isOver = true
        const dropped = drop(contract, at)
        return [...dropped, ofSubscription(isDeletedAtCancel ? 'SUBSCRIPTION_DELETED' : 'SUBSCRIPTION_INACTIVATED', at, contract)]
      }
      case 'refunded': {
        const charge = find(historyEvent.payment.bill)
        if (leftOf(historyEvent.payment) <= 0) return [become(charge, 'REFUNDED', 'PAYMENT_REFUNDED', at)]
        return [ofCharge('PAYMENT_PARTIALLY_REFUNDED', at, charge)]
      }
      case 'disputed': {
        const charge = find(historyEvent.payment.bill)
        return [become(charge, 'CHARGEBACK_REQUESTED', 'PAYMENT_CHARGEBACK_REQUESTED', at)]
      }
      case 'decided': {
        const charge = find(historyEvent.payment.bill)
        if (historyEvent.dispute.outcome === 'lost') return [become(charge, 'REFUNDED', 'PAYMENT_REFUNDED', at)]
        charge.reversalWonAt = at
        return [become(charge, 'AWAITING_CHARGEBACK_REVERSAL', 'PAYMENT_AWAITING_CHARGEBACK_REVERSAL', at)]
      }
      default:
        return []
    }
  }
  const answer = (url: URL, _simulation: Simulation): unknown => {
    const [, , things, id] = url.pathname.split('/')
    if (things === 'customers') return { object: 'customer', id, email }
    if (things === 'subscriptions') {
      const known = contracts.get(id ?? '')
      return known && toSubscription(known.contract, 'asked')
    }
    if (things !== 'payments') return undefined
    if (id !== undefined) {
      const charge = charges.find((each) => each.id === id)
      return charge && toPayment(charge, name)
    }
    return listPayments(charges, url.searchParams, name)
  }
  return { rules: { resumes: false, dropsBills: true, lateDays: 1_000, namesMethod: true }, pass, take, answer }
}

function listPayments(charges: readonly Charge[], query: URLSearchParams, name: string): object {
  const shown = charges.filter(({ isDeleted }) => !isDeleted).map((charge) => toPayment(charge, name))
  const found = shown.filter((payment) =>
    [...query].every(([key, wanted]) => {
      if (key === 'offset' || key === 'limit') return true
      const [, field = '', isSince] = /^(\w+)(\[ge\])?$/.exec(key) ?? []
      const value: unknown = Reflect.get(payment, field)
      return isSince ? typeof value === 'string' && value >= wanted : value === wanted
    }),
  )
  const [offset, limit] = [Number(query.get('offset') ?? 0), Number(query.get('limit') ?? 10)]
  return { object: 'list', hasMore: found.length > offset + limit, totalCount: found.length, data: found.slice(offset, offset + limit) }
}

function toPayment(charge: Charge, name: string) {
  const { id, contract, due, madeAt, reference, amount, status, isDeleted, paidAt, receivedAt, bill } = charge
  const isCard = contract.method === 'card'
  const refunds = (bill?.payment?.refunds ?? []).map((each) => ({ dateCreated: brazil(each.at), status: 'DONE', value: each.amount / 100 }))
  return {
    object: 'payment',
    id,
    dateCreated: day(madeAt),
    customer: `cus_${name}`,
    subscription: contract.kind === 'sale' ? null : subscriptionId(contract, name),
    installment: null,
    paymentLink: null,
    value: amount / 100,
    billingType: billingType(contract),
    status,
    deleted: isDeleted,
    dueDate: day(due),
    originalDueDate: day(due),
    confirmedDate: paidAt === undefined ? null : day(paidAt),
    clientPaymentDate: paidAt === undefined ? null : day(paidAt),
    paymentDate: receivedAt === undefined ? null : day(isCard ? receivedAt : (paidAt ?? receivedAt)),
    externalReference: reference,
    refunds,
  }
}

function subscriptionId({ n }: Contract, name: string): string {
  return `sub_${name}${n}`
}

function billingType({ method }: Contract): string {
  return { card: 'CREDIT_CARD', boleto: 'BOLETO', pix: 'PIX' }[method]
}

function brazil(at: number): string {
  return new Date(at - 3 * HOUR).toISOString().slice(0, 19).replace('T', ' ')
}

function day(at: number): string {
  return brazil(at).slice(0, 10)
}

function endOfDay(at: number): number {
  return Date.parse(`${day(at)}T03:00:00Z`) + DAY
}
