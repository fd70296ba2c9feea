import type { Change } from '../activity.ts'
import type { ChangeName } from '../entry.ts'
import type { Movement } from '../money/paid.ts'

/** A subscription that a figure of a day counts. `number`: within its stream, from 0. */
export interface SubscriptionChange {
  name: ChangeName
  day: string
  number: number
}

/** A time in which a subscription gives access by one plan, in ms. `until`: after it. */
export interface Span {
  number: number
  planId: string | undefined
  from: number
  until: number
}

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
  money: MoneyMoved[]
}

/** The spans of changes in the order of time. One that goes on by the same plan is one; one that is over at once is none. */
export function spansOf(changes: readonly Change[]): Span[] {
  const spans: Span[] = []
  let open: Omit<Span, 'until'> | undefined
  const end = (until: number) => {
    if (open && until > open.from) spans.push({ ...open, until })
    open = undefined
  }
  for (const { at, status } of changes) {
    if (open && status && open.number === status.number && open.planId === status.planId) continue
    end(at)
    if (status) open = { number: status.number, planId: status.planId, from: at }
  }
  end(Number.POSITIVE_INFINITY)
  return spans
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
