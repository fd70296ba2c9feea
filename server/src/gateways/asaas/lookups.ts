import { FatalJobFault } from '../../outbox/index.ts'
import { addCycles, type Cycle } from '../adapter-kit/calendar.ts'
import { fetchById } from '../adapter-kit/fetch-by-id.ts'
import { centavosOfReais } from '../adapter-kit/money.ts'
import { paginationGuard } from '../adapter-kit/pagination-guard.ts'
import type { GatewayApi } from '../gateway.ts'
import type { GatewayEvent } from '../gateway-event.ts'
import { endOfBrazilDay, startOfBrazilDay } from './brazil-time.ts'
import { methods } from './methods.ts'
import { type AsaasSubscription, type Charge, parseCharge, parseEmail, parsePage, parseSubscription } from './payload.ts'

/** Requests to Asaas's API. Each is made once for an id, because of the API's quota. */
export interface Lookups {
  /** A customer's address, which is optional in Asaas. */
  email(customerId: string | undefined): Promise<string | undefined>
  subscription(id: string | undefined): Promise<AsaasSubscription | undefined>
  /** The beginning and end (ms) of the period that a subscription's charge pays; `undefined` for other charges. */
  period(charge: Charge): Promise<Pick<GatewayEvent, 'periodStart' | 'periodEnd' | 'periodStatedAt'> | undefined>
  /** The last paid charge of the same subscription before this one. */
  paidBefore(charge: Charge): Promise<Charge | undefined>
  /** The amount of a purchase in parts, in centavos, and whether all of it is by card: then it is authorised at once. */
  purchase(installment: string): Promise<{ amount: number | undefined; isByCard: boolean }>
}

/** `statedAt`: the time of what is looked into, in ms. The owner may move a due date, so what is stated last counts. */
export function createLookups(api: GatewayApi, statedAt: number): Lookups {
  const emails = remember((id) => unlessUnknown(async () => parseEmail(await fetchById(api, `/customers/${id}`, id))))
  const subscriptions = remember((id) => unlessUnknown(async () => parseSubscription(await fetchById(api, `/subscriptions/${id}`, id))))
  const chargesOf = remember((id) => unlessUnknown(() => listOf(api, 'subscription', id)))
  const partsOf = remember((id) => unlessUnknown(() => listOf(api, 'installment', id)))
  const lookups: Lookups = {
    email: async (id) => id && emails(id),
    subscription: async (id) => (id === undefined ? undefined : subscriptions(id)),
    async period({ subscription: id, dueDate }) {
      const [periodStart, own] = [startOfBrazilDay(dueDate), endOfBrazilDay(dueDate)]
      if (id === undefined || periodStart === undefined || own === undefined) return undefined
      const subscription = await subscriptions(id)
      const cycle = cycles.get(subscription?.cycle ?? '')
      const regular = cycle && addCycles(own, cycle)
      const made = ((await chargesOf(id)) ?? []).flatMap(({ dueDate: day }) => endOfBrazilDay(day) ?? [])
      const toMake = [endOfBrazilDay(subscription?.nextDueDate) ?? 0].filter((day) => !isAfterNext(day, own, regular))
      const next = [...made, ...toMake].filter((day) => day > own)
      const periodEnd = next.length > 0 ? Math.min(...next) : regular
      return { periodStart, periodEnd, ...(periodEnd !== undefined && { periodStatedAt: statedAt }) }
    },
    async paidBefore({ subscription: id, dueDate }) {
      const before = ((id && (await chargesOf(id))) || []).filter((one) => isPaid(one) && (one.dueDate ?? '') < (dueDate ?? ''))
      return before.toSorted((a, b) => ((a.dueDate ?? '') < (b.dueDate ?? '') ? -1 : 1)).at(-1)
    },
    async purchase(installment) {
      const parts = (await partsOf(installment)) ?? []
      const values = parts.map(({ value }) => centavosOfReais(value))
      const sum = values.reduce((a, b) => (a === undefined || b === undefined ? undefined : a + b), 0)
      return { amount: values.length === 0 ? undefined : sum, isByCard: parts.every(isByCard) }
    },
  }
  return lookups
}

/**
 * The next charge can be deleted, alone or with its subscription. Then the list shows only the one after it, whose date would end a period
 * twice as long.
 */
function isAfterNext(day: number, own: number, regular: number | undefined): boolean {
  return regular !== undefined && day - own > 1.5 * (regular - own)
}

/** A subscription's cycle (docs.asaas.com, subscriptions). */
const cycles: ReadonlyMap<string, Cycle> = new Map<string, Cycle>([
  ['WEEKLY', { count: 7, unit: 'days' }],
  ['BIWEEKLY', { count: 14, unit: 'days' }],
  ['MONTHLY', { count: 1, unit: 'months' }],
  ['BIMONTHLY', { count: 2, unit: 'months' }],
  ['QUARTERLY', { count: 3, unit: 'months' }],
  ['SEMIANNUALLY', { count: 6, unit: 'months' }],
  ['YEARLY', { count: 12, unit: 'months' }],
])

/** The charges of a subscription, or the installments of a purchase. */
async function listOf(api: GatewayApi, kind: 'subscription' | 'installment', id: string): Promise<Charge[]> {
  return (await listCharges(api, { [kind]: id })).filter((charge) => charge[kind] === id && charge.deleted !== true)
}

const PAGE = 100
/** So many charges of a page are read again with the next one: as many may leave the list meanwhile. */
const OVERLAP = 10
const MAX_STEPS_BACK = 50

/**
 * All charges of a filter, each once, in the API's own, undocumented order. Pages are places in a list that gets shorter while it is read,
 * as where a charge gets another state. So a page must have a charge of the page before, or charges between the two may be missing: then
 * the reading goes back.
 */
export async function listCharges(api: GatewayApi, filter: Record<string, string>): Promise<Charge[]> {
  const watch = paginationGuard()
  const read = new Map<string, Charge>()
  let [offset, stepsBack] = [0, 0]
  let before: readonly Charge[] = []
  for (;;) {
    const query = new URLSearchParams({ ...filter, offset: String(offset), limit: String(PAGE) })
    const { charges, isLast } = parsePage(await api.get(`/payments?${query}`))
    if (offset > 0 && before.length > 0 && !charges.some(({ id }) => before.some((one) => one.id === id))) {
      if (++stepsBack > MAX_STEPS_BACK) throw new Error('the list of the gateway changes while it is read: try again later')
      offset -= PAGE - OVERLAP
      continue
    }
    for (const charge of charges) read.set(charge.id, charge)
    if (isLast) return [...read.values()]
    watch(charges.map(({ id }) => id).join())
    before = charges
    offset += PAGE - OVERLAP
  }
}

export async function fetchForCharge(api: GatewayApi, id: string): Promise<Charge | undefined> {
  return parseCharge(await fetchById(api, `/payments/${id}`, id))
}

/** A collected debt is paid as well. A charge to be refunded is paid until its money has gone back. */
const PAID: ReadonlySet<string | undefined> = new Set([
  'CONFIRMED',
  'RECEIVED',
  'RECEIVED_IN_CASH',
  'DUNNING_RECEIVED',
  'REFUND_REQUESTED',
  'REFUND_IN_PROGRESS',
])

export function isPaid({ status }: Charge): boolean {
  return PAID.has(status)
}

function isByCard({ billingType }: Charge): boolean {
  return methods.get(billingType ?? '') === 'card'
}

/** An object unknown to Asaas (404) is no reason to withhold a payment. Other faults are tried again. */
async function unlessUnknown<T>(ask: () => Promise<T>): Promise<T | undefined> {
  try {
    return await ask()
  } catch (fault) {
    if (fault instanceof FatalJobFault) return undefined
    throw fault
  }
}

function remember<T>(ask: (id: string) => Promise<T>): (id: string) => Promise<T> {
  const answers = new Map<string, Promise<T>>()
  return (id) => {
    const answer = answers.get(id) ?? ask(id)
    answers.set(id, answer)
    return answer
  }
}
