import { inOrder, type PaymentEvent } from '../payment-history/index.ts'
import type { GraceDays } from '../products/index.ts'
import { activityOf, type Change, type Status } from './activity.ts'
import { REAIS } from './currency.ts'
import { AMOUNTS, type ChangeName, createEntries, type Entry, type FigureName } from './entry.ts'
import { lastOfDays, moneyMoved, pricesOf, type StreamLists, type SubscriptionChange, spansOf } from './lists/lists.ts'
import { movementsOf } from './money.ts'

/** After this year a day has another form, and nobody reads it. */
const LAST = Date.UTC(9999, 0)

/**
 * The entries that a stream adds to the figures of each day, and what the lists behind them have of it. Pure. `dayOf`: the day of a moment
 * (ms) in the operator's zone.
 */
export function countStream(
  { events, productId, grace }: { events: readonly PaymentEvent[]; productId: string | undefined; grace: GraceDays },
  dayOf: (at: number) => string,
): { entries: Entry[]; lists: StreamLists } {
  const entries = createEntries()
  const listed: SubscriptionChange[] = []
  const money: StreamLists['money'] = []
  const sorted = inOrder(events)
  const add: Add = (at, name, { planId, currency }, value) => {
    if (at >= LAST) return
    const about = { name, day: dayOf(at), productId: productId ?? '', planId: planId ?? '', value }
    // Numbers of things count in all, and once more beside the amounts of another currency.
    if (!AMOUNTS.has(name)) entries.add({ ...about, currency: '' })
    if (AMOUNTS.has(name) || currency !== REAIS) entries.add({ ...about, currency })
  }
  const { changes, numberOf } = activityOf(sorted, grace)
  for (const movement of movementsOf(sorted)) {
    for (const [name, value] of Object.entries(movement.moved)) add(movement.at, name as FigureName, movement, value)
    if (movement.at < LAST) money.push(...moneyMoved(movement, numberOf(movement.payment)))
  }
  const change: NoteChange = (at, name, status) => {
    add(at, name, status, 1)
    if (at < LAST) listed.push({ name, day: dayOf(at), number: status.number, planId: status.planId })
  }
  countActivity(changes, add, change)
  const isListed = ({ from }: { from: number }) => from < LAST
  const [spans, prices] = [spansOf(changes).filter(isListed), pricesOf(changes).filter(isListed)]
  return { entries: entries.list(), lists: { changes: lastOfDays(listed), spans, prices, money } }
}

type Add = (at: number, name: FigureName, of: { planId: string | undefined; currency: string }, value: number) => void

type NoteChange = (at: number, name: ChangeName, status: Status) => void

function countActivity(changes: readonly Change[], add: Add, change: NoteChange): void {
  let before: Status | undefined
  let hasPaid = false
  for (const { at, status } of changes) {
    if (before) countActive(before, at, -1, add)
    if (status) countActive(status, at, 1, add)
    const wasPaid = before?.ground === 'paid' ? before : undefined
    const isPaid = status?.ground === 'paid' ? status : undefined
    if (isPaid && !wasPaid) change(at, hasPaid ? 'returned' : 'new', isPaid)
    if (wasPaid && !isPaid) change(at, 'lost', wasPaid)
    if (wasPaid && isPaid && wasPaid.planId !== isPaid.planId) change(at, 'plan_changed', isPaid)
    hasPaid ||= isPaid !== undefined
    before = status
  }
}

function countActive(status: Status, at: number, value: 1 | -1, add: Add): void {
  add(at, `active_${status.ground}`, status, value)
  if (status.ground !== 'paid') return
  if (status.monthly === undefined) add(at, 'active_unpriced', status, value)
  else add(at, 'mrr', status, value * status.monthly)
}
