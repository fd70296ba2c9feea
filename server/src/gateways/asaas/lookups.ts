import { FatalJobFault } from '../../outbox/index.ts'
import type { Vendor } from '../gateway.ts'
import { getThing } from '../get-thing.ts'
import { watchPages } from '../watch-pages.ts'
import { endOfBrazilDay } from './brazil-time.ts'
import { type AsaasSubscription, type Charge, parseCharge, parseEmail, parsePage, parseSubscription } from './payload.ts'

/** The questions to Asaas's API. Each is asked once about one id, as it has a quota. */
export interface Lookups {
  /** A customer's address, which is optional in Asaas. */
  email(customerId: string | undefined): Promise<string | undefined>
  subscription(id: string | undefined): Promise<AsaasSubscription | undefined>
  /** Until when the subscription of a charge that was paid is paid, in ms. */
  paidUntil(charge: Charge): Promise<number | undefined>
}

export function createLookups(vendor: Vendor): Lookups {
  const emails = remember((id) => unlessUnknown(async () => parseEmail(await getThing(vendor, `/customers/${id}`, id))))
  const subscriptions = remember((id) => unlessUnknown(async () => parseSubscription(await getThing(vendor, `/subscriptions/${id}`, id))))
  const dueDays = remember((id) => unlessUnknown(() => listDueDays(vendor, id)))
  const lookups: Lookups = {
    email: async (id) => id && emails(id),
    subscription: async (id) => (id === undefined ? undefined : subscriptions(id)),
    async paidUntil({ subscription: id, dueDate }) {
      const own = endOfBrazilDay(dueDate)
      if (id === undefined || own === undefined) return undefined
      const { paid = [], all = [] } = (await dueDays(id)) ?? {}
      const toBeGenerated = endOfBrazilDay((await lookups.subscription(id))?.nextDueDate)
      return nextAfter(
        paid.reduce((a, b) => Math.max(a, b), own),
        toBeGenerated === undefined ? all : [...all, toBeGenerated],
      )
    },
  }
  return lookups
}

/**
 * The day on which the next charge is due, after the last one paid. A subscription's `nextDueDate` alone would give away a month: it is that of the next charge
 * *to be generated*, and charges are generated 40 days ahead (docs.asaas.com/docs/subscriptions).
 */
function nextAfter(lastPaid: number, dueDays: readonly number[]): number | undefined {
  return dueDays.filter((day) => day > lastPaid).reduce<number | undefined>((a, b) => Math.min(a ?? b, b), undefined)
}

/** When the charges of a subscription are due at the latest, in ms. */
async function listDueDays(vendor: Vendor, subscription: string): Promise<{ paid: number[]; all: number[] }> {
  const days: { paid: number[]; all: number[] } = { paid: [], all: [] }
  for await (const charge of listCharges(vendor, { subscription })) {
    const day = endOfBrazilDay(charge.dueDate)
    if (day === undefined || charge.subscription !== subscription || charge.deleted === true) continue
    days.all.push(day)
    if (isPaid(charge)) days.paid.push(day)
  }
  return days
}

const PAGE = 100

/** All charges that a filter finds, in the API's own order, which is documented nowhere. */
export async function* listCharges(vendor: Vendor, filter: Record<string, string>): AsyncIterable<Charge> {
  const watch = watchPages()
  for (let offset = 0; ; offset += PAGE) {
    const query = new URLSearchParams({ ...filter, offset: String(offset), limit: String(PAGE) })
    const { charges, isLast } = parsePage(await vendor.get(`/payments?${query}`))
    yield* charges
    if (isLast) return
    watch(charges.map(({ id }) => id).join())
  }
}

export async function askForCharge(vendor: Vendor, id: string): Promise<Charge | undefined> {
  return parseCharge(await getThing(vendor, `/payments/${id}`, id))
}

const PAID: ReadonlySet<string | undefined> = new Set(['CONFIRMED', 'RECEIVED', 'RECEIVED_IN_CASH'])

export function isPaid({ status }: Charge): boolean {
  return PAID.has(status)
}

/** What Asaas does not know (any more) is no reason to withhold what was paid for. Other faults are tried again. */
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
