import type { Bill, Party } from './bill.ts'
import { DAY } from './facts.ts'
import { BEGIN, END, type Making } from './making.ts'
import { reverse } from './reversals.ts'

const MINUTE = 60_000

/** The bills of one subscription until it ends or the time is over; or of one sale, which goes on `once`. Prices by plan, in centavos. */
export function live(making: Making, party: Party, prices: Readonly<Record<string, number>>, kind?: 'with_a_trial' | 'once'): void {
  const { chance, moment } = making
  const cycle = anyCycle(making)
  const isEndless = kind === 'once' || (kind === undefined && party.mayBeSilent && chance.likely(0.25))
  let plan = chance.pick(Object.keys(prices))
  let count = 0
  const newBill = (at: number, from: number, more: Partial<Bill> = {}): Bill => {
    const isSilent = party.mayBeSilent && chance.likely(0.15)
    const { amount } = { amount: isSilent ? undefined : anyPrice(making, prices[plan] ?? 0), ...more }
    const number = ++count
    const half = Math.floor((amount ?? 0) / 2)
    const parts = party.maxCharges === 2 && half > 1 && chance.likely(0.3) ? [half, (amount ?? 0) - half] : [amount ?? 9_900]
    const charges = parts.map((part, index) => ({ id: `${making.name}_${number}_${index}`, amount: part, left: part }))
    return { number, at, from, until: isEndless ? undefined : cycle(from), plan, isChange: false, charges, ...more, amount }
  }
  const pay = (bill: Bill): Bill | undefined => {
    if (bill.at > END - DAY) return undefined
    party.paid(bill)
    return bill
  }
  const again = (from: number, to: number, more: Partial<Bill> = {}): Bill | undefined => {
    const at = moment(from, to)
    return pay(newBill(at, at, more))
  }
  /** The bill of a period that goes by is paid after the next one, if at all. */
  const skip = (from: number, next: number): Bill | undefined => {
    const missing = newBill(from, from)
    party.changed('failed', moment(from, from + DAY), missing.number)
    const following = pay(newBill(moment(next, next + DAY), next))
    if (following && chance.likely(0.8)) pay({ ...missing, at: moment(following.at + MINUTE, following.at + 5 * DAY) })
    return following
  }
  const renew = ({ at }: Bill, from: number): Bill | undefined => {
    if (chance.likely(0.15)) party.changed('failed', moment(from, from + DAY), count + 1)
    const isEarly = chance.likely(0.2) && from - 3 * DAY > at
    return pay(newBill(isEarly ? moment(from - 2 * DAY, from - MINUTE) : moment(from, from + 2 * DAY), from))
  }
  /** What comes after a bill. Undefined: nothing. */
  const next = (bill: Bill): Bill | undefined => {
    const isReversed = bill.amount !== 0 && chance.likely(kind === 'once' ? 0.9 : 0.35)
    const goneAt = (isReversed && reverse(making, party, bill)) || END
    if (kind === 'once') return undefined
    const { until = END } = bill
    if (goneAt < until) return chance.likely(0.65) ? undefined : again(Math.max(until, goneAt + DAY), Math.max(until, goneAt) + 20 * DAY)
    const end = Math.min(until, END) - 2 * MINUTE
    const inside = moment(bill.at + MINUTE, end)
    if (isEndless) return void party.changed(chance.pick(['failed', 'canceled', 'ended']), inside, 2)
    switch (chance.pick(WAYS)) {
      case 'renews':
        return renew(bill, until)
      case 'is_canceled':
        party.changed('canceled', inside, count)
        if (chance.likely(0.4)) return again(until + DAY, until + 40 * DAY)
        if (chance.likely(0.4)) return undefined
        party.changed('resumed', moment(inside + 1_000, end), count)
        return renew(bill, until)
      case 'ends':
        if (!making.isPrompt || isReversed) return void party.changed('ended', inside, count)
        making.send('operator', inside, { action: 'end' }, { kind: 'ended' })
        return chance.likely(0.4) ? again(inside + DAY, inside + 20 * DAY) : undefined
      case 'changes':
        plan = chance.pick(Object.keys(prices))
        return again(inside, inside, { isChange: true })
      case 'skips_a_bill':
        return cycle(until) < END - 12 * DAY && cycle(until) - until > 6 * DAY ? skip(until, cycle(until)) : renew(bill, until)
      case 'lapses':
        return chance.likely(0.4) ? undefined : again(until + MINUTE, until + 40 * DAY)
    }
  }
  const begin = moment(BEGIN - 20 * DAY, END - 12 * DAY)
  const trial = { amount: 0, until: begin + chance.pick([7, 14, 30]) * DAY }
  let bill = pay(newBill(begin, begin, kind === 'with_a_trial' ? trial : {}))
  while (bill) bill = next(bill)
}

const OTHER_WAYS = ['is_canceled', 'is_canceled', 'ends', 'changes', 'changes', 'skips_a_bill', 'lapses'] as const
const WAYS = [...Array.from({ length: 11 }, () => 'renews' as const), ...OTHER_WAYS]

/** Mostly months. */
function anyCycle({ chance }: Making): (from: number) => number {
  const [months = 0, days = 0] = chance.pick([[1], [1], [1], [3], [12], [0, 30], [0, 34], [0, 26], [0, 21], [0, 7]])
  return (from) => new Date(from).setUTCMonth(new Date(from).getUTCMonth() + months) + days * DAY
}

/** Mostly that of the plan; or with a discount, or with a discount of all. */
function anyPrice({ chance }: Making, price: number): number {
  return chance.likely(0.7) ? price : chance.pick([Math.floor(price * 0.8), Math.floor(price / 3), price + 1, price * 2 - 1, 0])
}
