import type { Change, Status } from '../activity.ts'
import type { ChangeName } from '../entry.ts'
import type { Movement } from '../money/paid.ts'

/** A subscription that a figure of a day counts. `number`: within its stream, from 0. `planId`: with which it is counted. */
export interface SubscriptionChange {
  name: ChangeName
  day: string
  number: number
  planId: string | undefined
}

/** In ms. `until`: after it. */
interface Time {
  from: number
  until: number
}

/** A time in which a subscription gives access by one plan. */
export type Span = Pick<Status, 'number' | 'planId'> & Time

/** A time in which a subscription counts in `mrr` with one amount, which is not 0. */
export type Price = Pick<Status, 'number' | 'planId' | 'currency'> & { monthly: number } & Time

/** How money moved. `payment_undone`: the payment had been noted by mistake. */
export const MONEY_KINDS = ['payment', 'payment_undone', 'refund', 'refund_failed', 'dispute_lost', 'dispute_won'] as const
type MoneyKind = (typeof MONEY_KINDS)[number]

/** The amounts that make up what is left. */
export const PARTS_OF_NET = ['received', 'refunded', 'lost_in_disputes'] as const
export type PartOfNet = (typeof PARTS_OF_NET)[number]

interface Part {
  /** The figure that counts how often it happened. Lost disputes have none. */
  count: 'payments' | 'refunds' | undefined
  sign: 1 | -1
  /** The kind of the movement, and the kind that takes it back. */
  kinds: readonly [MoneyKind, MoneyKind]
}

const parts: Readonly<Record<PartOfNet, Part>> = {
  received: { count: 'payments', sign: 1, kinds: ['payment', 'payment_undone'] },
  refunded: { count: 'refunds', sign: -1, kinds: ['refund', 'refund_failed'] },
  lost_in_disputes: { count: undefined, sign: -1, kinds: ['dispute_lost', 'dispute_won'] },
}

/** Money that was paid or given back. */
export interface MoneyMoved extends Pick<Movement, 'at' | 'planId' | 'currency' | 'paymentId'> {
  number: number
  figure: PartOfNet
  kind: MoneyKind
  /** As it changes what is left, in the smallest unit of the currency; `undefined`: it is not known. */
  amount: number | undefined
}

/** The rows of a stream in the lists behind the figures. */
export interface StreamLists {
  changes: SubscriptionChange[]
  spans: Span[]
  prices: Price[]
  money: MoneyMoved[]
}

/** The changes in the order of time, each figure of a day once for a subscription: with the plan of the last. */
export function lastOfDays(changes: readonly SubscriptionChange[]): SubscriptionChange[] {
  return [...new Map(changes.map((change) => [`${change.name} ${change.day} ${change.number}`, change])).values()]
}

/** The spans of changes in the order of time. */
export function spansOf(changes: readonly Change[]): Span[] {
  return timesOf(changes, ({ number, planId }) => ({ number, planId }))
}

/** The prices of changes in the order of time. A renewal at the same price goes on with it. */
export function pricesOf(changes: readonly Change[]): Price[] {
  return timesOf(changes, ({ number, ground, planId, currency, monthly }) =>
    ground === 'paid' && monthly ? { number, planId, currency, monthly } : undefined,
  )
}

/** The times in which a status has something. One in which that stays the same is one; one that is over at once is none. */
function timesOf<Had extends object>(changes: readonly Change[], hadBy: (status: Status) => Had | undefined): Array<Had & Time> {
  const times: Array<Had & Time> = []
  let open: { had: Had; from: number } | undefined
  const end = (until: number) => {
    if (open && until > open.from) times.push({ ...open.had, from: open.from, until })
    open = undefined
  }
  for (const { at, status } of changes) {
    const had = status && hadBy(status)
    if (open && had && isSame(open.had, had)) continue
    end(at)
    if (had) open = { had, from: at }
  }
  end(Number.POSITIVE_INFINITY)
  return times
}

function isSame<Had extends object>(one: Had, other: Had): boolean {
  return (Object.keys(one) as Array<keyof Had>).every((name) => one[name] === other[name])
}

/** The rows of a movement: of what it moves, what changes the figures of money that is left. */
export function moneyMoved({ moved, isKnown, ...movement }: Movement, number: number): MoneyMoved[] {
  const { at, planId, currency, paymentId } = movement
  return PARTS_OF_NET.flatMap((figure) => {
    const { count, sign, kinds } = parts[figure]
    const value = moved[figure] ?? 0
    const times = count === undefined ? value : (moved[count] ?? 0)
    // Another report of an amount that is in the list already.
    if (value === 0 && (times === 0 || (isKnown && times > 0))) return []
    const [done, takenBack] = kinds
    const kind = value < 0 || times < 0 ? takenBack : done
    return { at, planId, currency, paymentId, number, figure, kind, amount: value === 0 ? undefined : sign * value }
  })
}
