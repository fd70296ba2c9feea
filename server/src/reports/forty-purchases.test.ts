import assert from 'node:assert/strict'
import { before, describe, it } from 'node:test'
import { sql } from 'kysely'
import { eachDatabase } from '../../test/support/databases.ts'
import { startForSuite, startService, type TestService } from '../../test/support/service.ts'
import { applyEvent, type PaymentEvent } from '../payment-history/index.ts'
import { fillAgain, migrate } from '../storage/index.ts'
import { OPERATOR_SCOPE, planStore, setGrace } from '../subscriptions/index.ts'
import { countStreams } from './count-streams.ts'
import type { ChangeName } from './entry.ts'
import type { Figures } from './figures.ts'
import { activeSubscriptions } from './lists/active-store.ts'
import { changedSubscriptions } from './lists/changed-store.ts'
import { listMoney, type MoneyFilter } from './lists/money-store.ts'
import { monthlySubscriptions } from './lists/prices-store.ts'
import { type MonthReport, readMonth } from './month.ts'
import { setZone } from './zone.ts'

/**
 * Forty purchases, and the figures of September and October 2026 that were computed by hand from this table, not by the code. Days are
 * those of São Paulo (UTC-3, no daylight saving in 2026), at noon where no time stands. Basic is R$ 49,00 a month, pro R$ 99,00, club R$
 * 399,00 a year, which is R$ 33,25 a month. Days of grace: card 3, boleto 5, pix 7.
 *
 * |  no.  | what happened                                             | September                | October                              |
 * | ----- | --------------------------------------------------------- | ------------------------ | ------------------------------------ |
 * |  1-10 | basic since 5 Aug, paid each month on the 5th             | 10 × 49 received         | 10 × 49 received                     |
 * | 11-15 | club, 10 Feb 2026 to 10 Feb 2027                          | active                   | active                               |
 * |    16 | the same, the amount is not known                         | active                   | active                               |
 * |    17 | club on 12 Oct                                            |                          | new, 399                             |
 * |    18 | club 12 Oct 2025 to 12 Oct 2026, card, not renewed        | active                   | lost on 15 Oct (3 days of grace)     |
 * |    19 | club 20 Oct 2025, renewed on 20 Oct at 429                | active                   | 429; a month 42900 / 12 = 35,75      |
 * |    20 | pro on 1 Oct, 00:30                                       |                          | new, 99                              |
 * |    21 | pro on 30 Sep, 23:30 (1 Oct, 02:30 UTC), for 31 days      | new, 99                  | active (paid until 31 Oct, 23:30)    |
 * |    22 | basic 15 Sep to 15 Oct, boleto, not renewed               | new, 49                  | lost on 20 Oct (5 days of grace)     |
 * |    23 | basic 15 Sep to 15 Oct, 1,500 yen, canceled on 1 Oct      | new, ¥ 1500              | lost on 15 Oct (no grace)            |
 * |    24 | basic 25 Sep to 25 Oct, pix, next paid on 30 Oct          | new, 49                  | 49; never lost (7 days of grace)     |
 * |    25 | basic 10 Aug to 10 Sep, card; again on 8 Oct              | lost on 13 Sep           | returned, 49                         |
 * |    26 | basic on 3 Sep, pro on 3 Oct                              | new, 49                  | changed to pro, 99                   |
 * |    27 | pro on 18 Sep, basic on 18 Oct                            | new, 99                  | changed to basic, 49                 |
 * |    28 | basic on 2 Oct; 33 on 12 Oct for pro until 2 Nov, 21 days |                          | new, 49; changed to pro, 33          |
 * |    29 | pro on 20 Sep, all refunded on 2 Oct                      | new, 99                  | refunded 99, lost                    |
 * |    30 | pro on 6 Oct, 20 refunded on 9 Oct                        |                          | new, 99; refunded 20, stays active   |
 * |    31 | basic on 7 Oct, refunded on 8 Oct                         |                          | new, 49; refunded 49, lost           |
 * |    32 | pro on 12 Sep, disputed on 4 Oct, lost on 9 Nov           | new, 99                  | dispute of 99, access lost           |
 * |    33 | basic on 28 Sep, disputed on 10 Oct, won on 21 Oct        | new, 49                  | dispute of 49: lost on 10 Oct, back  |
 * |       | card, not renewed on 28 Oct                               |                          | on 21 Oct, lost again on 31 Oct      |
 * |    34 | pro on 15 Aug, disputed on 5 Sep, lost on 13 Oct          | dispute of 99, lost      | 99 lost in disputes                  |
 * |    35 | pro: trial on 5 Oct, paid on 19 Oct                       |                          | new on 19 Oct, 99                    |
 * |    36 | pro: trial on 20 Oct to 27 Oct, card, never paid          |                          | nothing; over on 30 Oct              |
 * |    37 | pro granted on 14 Oct until the end of the year           |                          | granted                              |
 * |    38 | pro on 9 Oct, US$ 19.90, 5.00 refunded on 20 Oct          |                          | new, US$ 19.90; refunded US$ 5.00    |
 * |    39 | club 1 Mar 2026, 100 refunded on 25 Oct                   | active                   | refunded 100, stays active           |
 * |    40 | basic on 22 Oct, known here on 20 Nov                     |                          | new, 49                              |
 *
 * End of September. Basic: 1-10, 22, 23, 24, 26, 33 = 15, a month 14 × 49 = 686,00, without number 23. Pro: 21, 27, 29, 32 = 4, 396,00.
 * Club: 11-16, 18, 19, 39 = 9, 8 × 33,25 = 266,00, without number 16. In all 28 and 1.348,00. Payments: 10 + 21, 22, 23, 24, 26, 27, 29,
 * 32, 33 = 19: 490 + 4 × 99 + 4 × 49 = 1.082,00. New: those nine. Lost: 25, 34.
 *
 * End of October. New: 17, 20, 28, 30, 31, 35, 38, 40 = 8. Returned: 25, 33 = 2. Lost: 18, 22, 23, 29, 31, 32, and 33 twice = 8. 28 + 8 +
 * 2 - 8 = 30 paid. Basic: 1-10, 24, 25, 27, 40 = 14, 686,00. Pro: 20, 21, 26, 28, 30, 35, 38 = 7: five at 99 = 495,00, number 28 at 33 /
 * 21 days × 30,436875 = 47,83, number 38 in dollars: 542,83. Club: 11-15, 17, 39 at 33,25 = 232,75, 19 at 35,75: 9 with 16, 268,50. In
 * all 1.497,33.
 * With 37: 31. Payments: 10, then 17, 19, 20, 24, 25, 26, 27, 28 twice, 30, 31, 35, 38, 40 = 24: 490 + 399 + 429 + 99 + 49 + 49 + 99 + 49
 * + 49 + 33 + 99 + 49 + 99 + 49 = 2.041,00. Refunded: 29, 30, 31, 38, 39 = 5: 99 + 20 + 49 + 100 = 268,00. Disputes: 32, 33 = 2: 148,00.
 * Left: 2.041 - 268 - 99 = 1.674,00.
 */
const NONE: Figures = {
  ...{ active: 0, active_paid: 0, active_trial: 0, active_granted: 0, active_unpriced: 0, mrr: 0 },
  ...{ new: 0, returned: 0, lost: 0, plan_changed: 0, payments: 0, payments_without_amount: 0, received: 0 },
  ...{ refunds: 0, refunded: 0, disputes: 0, disputed: 0, lost_in_disputes: 0, net: 0 },
}
const SEPTEMBER: Figures = {
  ...NONE,
  ...{ active: 28, active_paid: 28, active_unpriced: 1, mrr: 134_800, new: 9, lost: 2 },
  ...{ payments: 19, received: 108_200, disputes: 1, disputed: 9_900, net: 108_200 },
}
const OCTOBER: Figures = {
  ...NONE,
  ...{ active: 31, active_paid: 30, active_granted: 1, active_unpriced: 1, mrr: 149_733 },
  ...{ new: 8, returned: 2, lost: 8, plan_changed: 3, payments: 24, received: 204_100 },
  ...{ refunds: 5, refunded: 26_800, disputes: 2, disputed: 14_800, lost_in_disputes: 9_900, net: 167_400 },
}
/** The figures of other currencies: number 23 in yen, which have no cents, and number 38 in dollars. */
const OTHERS = [
  {
    currency: 'JPY',
    figures: { ...NONE, lost: 1 },
    before: { ...NONE, active: 1, active_paid: 1, mrr: 1_500, new: 1, payments: 1, received: 1_500, net: 1_500 },
  },
  {
    currency: 'USD',
    figures: {
      ...{ ...NONE, active: 1, active_paid: 1, mrr: 1_990, new: 1, payments: 1, received: 1_990 },
      ...{ refunds: 1, refunded: 500, net: 1_490 },
    },
    before: NONE,
  },
]
/** Without number 40, which came late. */
const OCTOBER_AT_FIRST: Figures = {
  ...OCTOBER,
  ...{ active: 30, active_paid: 29, mrr: 144_833, new: 7, payments: 23, received: 199_200, net: 162_500 },
}
/** By plan at the end of October: active (with the grant), a month, new, lost, received, left. Each from the table above. */
const OCTOBER_BY_PLAN = {
  // new: 28, 31, 40. Lost: 22, 23, 31, 33 twice. 490 + 24, 25, 27, 28, 31, 40 at 49 = 784; 49 refunded.
  basic: [14, 68_600, 3, 5, 78_400, 73_500],
  // new: 20, 30, 35, 38. Lost: 29, 32. 20, 26, 30, 35 at 99 and 33 = 429; 99 + 20 refunded, 99 lost in a dispute.
  pro: [8, 54_283, 4, 2, 42_900, 21_100],
  // new: 17. Lost: 18. 399 + 429 = 828; 100 refunded.
  club: [9, 26_850, 1, 1, 82_800, 72_800],
}

type Plan = 'basic' | 'pro' | 'club'
const PRICES = { basic: 4_900, pro: 9_900, club: 39_900 }
/** Noon of a day in São Paulo, or a time of it. */
const at = (text: string) => Date.parse(`${text.includes(' ') ? text.replace(' ', 'T') : `${text}T12:00`}:00-03:00`)

interface Fact extends Partial<PaymentEvent> {
  kind: PaymentEvent['kind']
  at: number
  plan?: Plan
}

function paid(plan: Plan, from: string, until: string, more: Partial<Fact> = {}): Fact {
  const id = `payment of ${from}`
  const price = { amount: PRICES[plan], method: 'card', periodStart: at(from), periodEnd: at(until) } as const
  return { kind: 'paid', at: at(from), plan, key: `paid ${from}`, paymentId: id, ...price, ...more }
}
/** A later event about a payment. */
const then = (kind: PaymentEvent['kind'], day: string, of: string, more: Partial<Fact> = {}): Fact => ({
  ...{ kind, at: at(day), key: `of_${of} ${kind} ${day}`, paymentId: `payment of ${of}` },
  ...more,
})
const repeat = (count: number, events: Fact[]) => Array.from({ length: count }, () => events)

const LATE = 40
const PURCHASES: Fact[][] = [
  ...repeat(10, [
    paid('basic', '2026-08-05', '2026-09-05'),
    paid('basic', '2026-09-05', '2026-10-05'),
    paid('basic', '2026-10-05', '2026-11-05'),
    paid('basic', '2026-11-05', '2026-12-05'),
  ]),
  ...repeat(5, [paid('club', '2026-02-10', '2027-02-10')]),
  /* 16 */ [paid('club', '2026-02-10', '2027-02-10', { amount: undefined })],
  /* 17 */ [paid('club', '2026-10-12', '2027-10-12')],
  /* 18 */ [paid('club', '2025-10-12', '2026-10-12')],
  /* 19 */ [paid('club', '2025-10-20', '2026-10-20'), paid('club', '2026-10-20', '2027-10-20', { amount: 42_900 })],
  /* 20 */ [paid('pro', '2026-10-01 00:30', '2026-11-01 00:30')],
  /* 21 */ [paid('pro', '2026-09-30 23:30', '2026-10-31 23:30')],
  /* 22 */ [paid('basic', '2026-09-15', '2026-10-15', { method: 'boleto' })],
  /* 23 */ [
    paid('basic', '2026-09-15', '2026-10-15', { amount: undefined, foreign: { currency: 'JPY', amount: 1_500 } }),
    { kind: 'canceled', at: at('2026-10-01'), key: 'canceled' },
  ],
  /* 24 */ [
    paid('basic', '2026-09-25', '2026-10-25', { method: 'pix' }),
    paid('basic', '2026-10-30', '2026-11-25', { method: 'pix', periodStart: at('2026-10-25') }),
  ],
  /* 25 */ [paid('basic', '2026-08-10', '2026-09-10'), paid('basic', '2026-10-08', '2026-11-08')],
  /* 26 */ [paid('basic', '2026-09-03', '2026-10-03'), paid('pro', '2026-10-03', '2026-11-03')],
  /* 27 */ [paid('pro', '2026-09-18', '2026-10-18'), paid('basic', '2026-10-18', '2026-11-18')],
  /* 28 */ [paid('basic', '2026-10-02', '2026-11-02'), paid('pro', '2026-10-12', '2026-11-02', { amount: 3_300 })],
  /* 29 */ [paid('pro', '2026-09-20', '2026-10-20'), then('refunded', '2026-10-02', '2026-09-20')],
  /* 30 */ [paid('pro', '2026-10-06', '2026-11-06'), then('refunded', '2026-10-09', '2026-10-06', { amount: 2_000 })],
  /* 31 */ [paid('basic', '2026-10-07', '2026-11-07'), then('refunded', '2026-10-08', '2026-10-07', { amount: 4_900 })],
  /* 32 */ [
    paid('pro', '2026-09-12', '2026-10-12'),
    then('disputed', '2026-10-04', '2026-09-12'),
    then('dispute_lost', '2026-11-09', '2026-09-12'),
  ],
  /* 33 */ [
    paid('basic', '2026-09-28', '2026-10-28'),
    then('disputed', '2026-10-10', '2026-09-28'),
    then('dispute_won', '2026-10-21', '2026-09-28'),
  ],
  /* 34 */ [
    paid('pro', '2026-08-15', '2026-09-15'),
    then('disputed', '2026-09-05', '2026-08-15'),
    then('dispute_lost', '2026-10-13', '2026-08-15'),
  ],
  /* 35 */ [paid('pro', '2026-10-05', '2026-10-19', { amount: 0 }), paid('pro', '2026-10-19', '2026-11-19')],
  /* 36 */ [paid('pro', '2026-10-20', '2026-10-27', { amount: 0 })],
  /* 37 */ [paid('pro', '2026-10-14', '2026-12-31', { kind: 'granted', amount: undefined })],
  /* 38 */ [
    paid('pro', '2026-10-09', '2026-11-09', { amount: undefined, foreign: { currency: 'USD', amount: 1_990 } }),
    then('partially_refunded', '2026-10-20', '2026-10-09', { foreign: { currency: 'USD', amount: 500 } }),
  ],
  /* 39 */ [paid('club', '2026-03-01', '2027-03-01'), then('refunded', '2026-10-25', '2026-03-01', { amount: 10_000 })],
  /* 40 */ [paid('basic', '2026-10-22', '2026-11-22')],
]

const NOW = at('2026-11-23')
/** The first page of a list, which holds it all. */
const ALL = { sort: '', direction: 'asc', after: undefined, limit: 100 } as const

eachDatabase('The figures of forty purchases', (database) => {
  const suite = startForSuite(database)
  let service: TestService
  let plans: Record<Plan, string>
  before(async () => {
    service = suite()
    plans = await makePlans(service)
    assert.equal(PURCHASES.length, 40)
  })
  const read = (month: string) => readMonth(service.context.storage.db, month, NOW)
  const count = () => countStreams(service.context)

  it('are those that were computed by hand', async () => {
    for (const [place, events] of PURCHASES.entries())
      for (const event of events) if (place + 1 !== LATE) await addTo(service, place + 1, toEvent(event, plans))
    assert.equal((await read('2026-10')).isCounting, true)
    assert.equal(await count(), 39)
    const october = await read('2026-10')
    assert.deepEqual(october.figures, OCTOBER_AT_FIRST)
    assert.deepEqual(october.before, { from: '2026-09-01', to: '2026-09-30', figures: SEPTEMBER })
    const { month, zone, from, to, isComplete } = october
    assert.deepEqual([month, zone, from, to, isComplete], ['2026-10', 'America/Sao_Paulo', '2026-10-01', '2026-10-31', true])
  })

  it('have what comes late in the month of its own time', async () => {
    for (const event of PURCHASES[LATE - 1] ?? []) await addTo(service, LATE, toEvent(event, plans))
    assert.equal(await count(), 1)
    assert.deepEqual((await read('2026-10')).figures, OCTOBER)
    assert.deepEqual((await read('2026-09')).figures, SEPTEMBER)
    assert.equal(await count(), 0)
  })

  it('are those of the plans together', async () => {
    const report = await read('2026-10')
    const short = ({ active, mrr, new: made, lost, received, net }: Figures) => [active, mrr, made, lost, received, net]
    const byPlan = report.plans.map(({ planId, figures }) => [nameOf(planId, plans), short(figures)])
    assert.deepEqual(Object.fromEntries(byPlan), OCTOBER_BY_PLAN)
  })

  it('are apart for each other currency, and in no amount of reais', async () => {
    assert.deepEqual((await read('2026-10')).currencies, OTHERS)
    assert.deepEqual(
      (await read('2026-09')).currencies.map(({ currency, figures }) => [currency, figures]),
      [['JPY', OTHERS[0]?.before]],
    )
    assert.deepEqual((await read('2026-08')).currencies, [])
  })

  it('have the subscriptions behind them as lists, each once, in the order of their days', async () => {
    const listed = async (name: ChangeName, from: string, to: string, plan?: Plan) => {
      const { db } = service.context.storage
      const changed = { name, zone: 'America/Sao_Paulo', from, to, planId: plan && plans[plan] }
      return numbersOf(await changedSubscriptions(db, changed, ALL).execute())
    }
    const october = async (name: ChangeName) => (await listed(name, '2026-10-01', '2026-10-31')).toSorted((a, b) => a - b)
    assert.deepEqual(await october('new'), [17, 20, 28, 30, 31, 35, 38, 40])
    assert.deepEqual(await october('returned'), [25, 33])
    // Number 33 was lost twice.
    assert.deepEqual(await october('lost'), [18, 22, 23, 29, 31, 32, 33])
    assert.deepEqual(await october('plan_changed'), [26, 27, 28])
    assert.deepEqual(await listed('lost', '2026-09-01', '2026-09-30'), [34, 25])
    // By their days: 20 on the 1st, 28 on the 2nd, 30 on the 6th, 31 on the 7th, 38 on the 9th.
    assert.deepEqual(await listed('new', '2026-10-01', '2026-10-11'), [20, 28, 30, 31, 38])
    assert.deepEqual(await listed('lost', '2026-10-10', '2026-10-10'), [33])
    const ofPlan = async (name: ChangeName, plan: Plan) => (await listed(name, '2026-10-01', '2026-10-31', plan)).toSorted((a, b) => a - b)
    // By the plan that they were new with: 28 is of pro by now. 26 to 28 changed to the plan that they are counted with.
    assert.deepEqual(
      [await ofPlan('new', 'basic'), await ofPlan('new', 'pro')],
      [
        [28, 31, 40],
        [20, 30, 35, 38],
      ],
    )
    assert.deepEqual(
      [await ofPlan('lost', 'basic'), await ofPlan('lost', 'pro')],
      [
        [22, 23, 31, 33],
        [29, 32],
      ],
    )
    assert.deepEqual([await ofPlan('plan_changed', 'basic'), await ofPlan('plan_changed', 'pro')], [[27], [26, 28]])
    assert.deepEqual([await ofPlan('new', 'club'), await ofPlan('lost', 'club'), await ofPlan('returned', 'club')], [[17], [18], []])
  })

  it('have behind what is active those that give access at the end of that day, by the beginning of it', async () => {
    const listed = async (dayEnd: string, planId?: string) => {
      const active = { dayEnd: at(`${dayEnd} 00:00`), planId }
      return numbersOf(await activeSubscriptions(service.context.storage.db, active, ALL).execute())
    }
    const sorted = async (dayEnd: string, plan?: Plan) => (await listed(dayEnd, plan && plans[plan])).toSorted((a, b) => a - b)
    const basic = [1, 2, 3, 4, 5, 6, 7, 8, 9, 10]
    const club = [11, 12, 13, 14, 15]
    assert.deepEqual(await sorted('2026-10-01'), [...basic, ...club, 16, 18, 19, 21, 22, 23, 24, 26, 27, 29, 32, 33, 39])
    assert.deepEqual(await sorted('2026-11-01'), [...basic, ...club, 16, 17, 19, 20, 21, 24, 25, 26, 27, 28, 30, 35, 37, 38, 39, 40])
    // By the plan of that day: 26 and 27 changed theirs in October, 28 within a period.
    assert.deepEqual(await sorted('2026-10-01', 'pro'), [21, 27, 29, 32])
    assert.deepEqual(await sorted('2026-11-01', 'pro'), [20, 21, 26, 28, 30, 35, 37, 38])
    assert.deepEqual(await sorted('2026-10-12', 'basic'), [...basic, 22, 23, 24, 25, 28])
    // Renewed in October 2025; of 10 February; of 1 March.
    assert.deepEqual((await listed('2026-11-01')).slice(0, 8), [19, ...club, 16, 39])
    // Number 20 ends on 4 November, 00:30, after three days of grace. It is active on a day that ends then.
    const { db } = service.context.storage
    const isActive = async (dayEnd: number) => (await numbersOf(await activeSubscriptions(db, { dayEnd }, ALL).execute())).includes(20)
    assert.deepEqual([await isActive(at('2026-11-04 00:30')), await isActive(at('2026-11-04 00:30') + 1)], [true, false])
  })

  it('have behind the money every payment and refund, on its own day, each currency by itself', async () => {
    const listed = async (filter: Partial<MoneyFilter>) => {
      const october = { currency: 'BRL', since: at('2026-10-01 00:00'), until: at('2026-11-01 00:00'), ...filter }
      const rows = await listMoney(service.context.storage.db, october, ALL)
      const numbers = await numbersOf(rows.map(({ subscription_id: id }) => ({ id })))
      return rows.map(({ kind, amount }, place) => ({ number: numbers[place], kind, amount: amount ?? 0 }))
    }
    const sum = (rows: ReadonlyArray<{ amount: number }>) => rows.reduce((all, { amount }) => all + amount, 0)
    assert.equal(sum(await listed({})), OCTOBER.net)
    const received = await listed({ figure: 'received' })
    assert.deepEqual([sum(received), new Set(received.map(({ kind }) => kind))], [OCTOBER.received, new Set(['payment'])])
    assert.deepEqual(await listed({ figure: 'refunded' }), [
      { number: 29, kind: 'refund', amount: -9_900 },
      { number: 31, kind: 'refund', amount: -4_900 },
      { number: 30, kind: 'refund', amount: -2_000 },
      { number: 39, kind: 'refund', amount: -10_000 },
    ])
    // The dispute of 33 was won, and nothing had been taken off.
    assert.deepEqual(await listed({ figure: 'lost_in_disputes' }), [{ number: 34, kind: 'dispute_lost', amount: -9_900 }])
    assert.deepEqual(await listed({ currency: 'USD' }), [
      { number: 38, kind: 'payment', amount: 1_990 },
      { number: 38, kind: 'refund', amount: -500 },
    ])
    assert.deepEqual(await listed({ currency: 'JPY' }), [])
  })

  it('have behind the recurring revenue what each subscription counts with, by plan and by currency', async () => {
    const { db } = service.context.storage
    const listed = async (currency: string, plan?: Plan) => {
      const monthly = { dayEnd: at('2026-11-01 00:00'), currency, planId: plan && plans[plan] }
      return await monthlySubscriptions(db, monthly, ALL).execute()
    }
    const sum = (rows: ReadonlyArray<{ monthly: number }>) => rows.reduce((all, { monthly }) => all + monthly, 0)
    assert.equal(sum(await listed('BRL')), OCTOBER.mrr)
    for (const plan of ['basic', 'pro', 'club'] as const) assert.equal(sum(await listed('BRL', plan)), OCTOBER_BY_PLAN[plan]?.[1], plan)
    const dollars = await listed('USD')
    assert.deepEqual([await numbersOf(dollars), sum(dollars)], [[38], 1_990])
  })

  describe('have their lists again', () => {
    const rows = async () => {
      const { db } = service.context.storage
      const changes = await db.selectFrom('report_changes').selectAll().execute()
      const prices = await db.selectFrom('report_prices').selectAll().execute()
      const spans = await db.selectFrom('report_spans').selectAll().execute()
      const money = await db.selectFrom('report_movements').selectAll().execute()
      return [...changes, ...spans, ...prices, ...money].map((row) => JSON.stringify(row)).sort()
    }
    const marks = { current: '"lists":1,"prices":1,"plans":1,', '0026': '"lists":1,"prices":1,', '0023': '"lists":1,', older: '' } as const
    const versions = { '0027-report-plans': marks['0026'], '0026-report-prices': marks['0023'], '0023-report-lists': marks.older }
    const wrote = (mark: string) =>
      service.context.storage.db
        .updateTable('report_streams')
        .set((e) => ({ entries: sql<string>`replace(${e.ref('entries')}, ${marks.current}, ${mark})` }))

    for (const [migration, mark] of Object.entries(versions))
      it(`after a version without ${migration}, beside this one, has counted`, async () => {
        const { storage } = service.context
        const before = await rows()
        const stream = storage.db.selectFrom('event_streams').select('id').where('ref', 'in', ['purchase 26', 'purchase 39'])
        const tables =
          mark === marks.older ? (['report_prices', 'report_spans', 'report_movements'] as const) : (['report_prices'] as const)
        for (const table of tables) await storage.db.deleteFrom(table).where('stream_id', 'in', stream).execute()
        await storage.db.updateTable('report_changes').set({ plan_id: null }).where('stream_id', 'in', stream).execute()
        await wrote(mark).where('stream_id', 'in', stream).execute()
        assert.notDeepEqual(await rows(), before)
        assert.ok((await fillAgain(storage)).includes(migration))
        assert.equal(await count(), 2)
        assert.deepEqual(await rows(), before)
        assert.deepEqual((await read('2026-10')).figures, OCTOBER)
      })

    it('after the upgrade of a database that was counted without prices', async () => {
      const { storage } = service.context
      const before = await rows()
      await storage.db.schema.dropTable('report_prices').execute()
      await storage.db.schema.dropIndex('report_changes_plan').execute()
      await storage.db.schema.alterTable('report_changes').dropColumn('plan_id').execute()
      await sql`delete from applied_migrations where name = '0026-report-prices'`.execute(storage.db)
      await wrote(marks['0023']).execute()
      assert.deepEqual(await migrate(storage), { applied: ['0026-report-prices'] })
      assert.equal((await read('2026-10')).isCounting, true)
      assert.equal(await count(), 40)
      assert.deepEqual(await rows(), before)
      // Streams that were counted with these rows are not counted again.
      await fillAgain(storage)
      assert.equal(await count(), 0)
      assert.deepEqual((await read('2026-10')).figures, OCTOBER)
    })
  })

  /** The purchases of subscriptions, in their order. */
  async function numbersOf(subscriptions: ReadonlyArray<{ id: string }>): Promise<number[]> {
    const rows = await service.context.storage.db
      .selectFrom('subscriptions')
      .innerJoin('event_streams', 'event_streams.id', 'subscriptions.stream_id')
      .select(['subscriptions.id as id', 'ref'])
      .execute()
    const refs = new Map(rows.map(({ id, ref }) => [id, Number(ref.replace('purchase ', ''))]))
    return subscriptions.map(({ id }) => refs.get(id) ?? 0)
  }

  it('are those of the days together, and each day ends where the next begins', async () => {
    const { days, figures } = await read('2026-10')
    assert.deepEqual([days.length, days[0]?.day, days.at(-1)?.day], [31, '2026-10-01', '2026-10-31'])
    for (const name of ['new', 'returned', 'lost', 'received', 'refunded', 'net', 'payments'] as const)
      assert.equal(
        days.reduce((sum, day) => sum + day.figures[name], 0),
        figures[name],
        name,
      )
    assert.equal(days.at(-1)?.figures.mrr, OCTOBER.mrr)
    // On 1 October number 20 begins, at half past midnight.
    assert.deepEqual([days[0]?.figures.active, days[0]?.figures.received, days[0]?.figures.new], [29, 9_900, 1])
    // On 5 October ten renew and one trial begins; 20, 26, 28 and 29, 32 of the days before.
    assert.deepEqual([days[4]?.figures.active_trial, days[4]?.figures.received], [1, 49_000])
  })

  it('are the same whatever the order in which the events come', async () => {
    const other = await startService(await database.fresh())
    const otherPlans = await makePlans(other)
    const all = PURCHASES.flatMap((events, place) => events.map((event) => ({ number: place + 1, event })))
    for (const [place, { number, event }] of all.reverse().entries()) {
      await addTo(other, number, toEvent(event, otherPlans))
      if (place % 7 === 0) await countStreams(other.context)
    }
    for (const { number, event } of all) await addTo(other, number, toEvent(event, otherPlans))
    await countStreams(other.context)
    const report = await readMonth(other.context.storage.db, '2026-10', NOW)
    assert.deepEqual([report.figures, report.before.figures, report.currencies], [OCTOBER, SEPTEMBER, OTHERS])
  })

  it('go by the days of another zone once it is set, and by those of the first again', async () => {
    const deps = { storage: service.context.storage, now: service.context.now, actor: 'operator:cli' }
    await setZone('Asia/Kolkata', deps)
    assert.equal((await read('2026-10')).isCounting, true)
    await count()
    // Number 21 was bought at 08:00 on 1 October there, half past eleven in the evening of the day before in São Paulo.
    const there = await read('2026-10')
    assert.deepEqual(there.figures, { ...OCTOBER, new: 9, payments: 25, received: 214_000, net: 177_300 })
    assert.deepEqual(there.before.figures, {
      ...SEPTEMBER,
      ...{ active: 27, active_paid: 27, mrr: 124_900, new: 8, payments: 18, received: 98_300, net: 98_300 },
    })
    await setZone('America/Sao_Paulo', deps)
    await count()
    const again = await read('2026-10')
    assert.deepEqual([again.isCounting, again.figures, again.before.figures], [false, OCTOBER, SEPTEMBER])
  })

  // SQLite has one writer: no stream is passed over.
  if (database.name === 'postgres')
    it('go by the days of the first zone again, though a purchase was being written while the other one was counted', async () => {
      const { storage, now } = service.context
      const deps = { storage, now, actor: 'operator:cli' }
      await setZone('Asia/Kolkata', deps)
      await countStreams(service.context, { forMs: 0 })
      const first = storage.db.selectFrom('event_streams').select('id').orderBy('id').limit(1)
      const { promise: isReleased, resolve: release } = Promise.withResolvers<void>()
      const { promise: isHeld, resolve: held } = Promise.withResolvers<void>()
      const writing = storage.db.transaction().execute(async (tx) => {
        // However slow the machine is, the server does not end what it takes for idle.
        await sql`set local idle_in_transaction_session_timeout = 0`.execute(tx)
        await tx.updateTable('event_streams').set({ counted_at: null }).where('id', 'in', first).execute()
        held()
        await isReleased
      })
      await isHeld
      try {
        await count()
        assert.equal((await read('2026-10')).isCounting, true)
      } finally {
        release()
        await writing
      }
      await count()
      assert.equal((await read('2026-10')).isCounting, false)
      await setZone('America/Sao_Paulo', deps)
      await count()
      const again = await read('2026-10')
      assert.deepEqual([again.isCounting, again.figures, again.before.figures], [false, OCTOBER, SEPTEMBER])
    })

  it('are counted anew when days of grace change', async () => {
    const place = await startService(await database.fresh())
    const { storage, changes, now } = place.context
    const { product } = await place.product({ slug: 'notes' })
    const ofPlace = await makePlans(place)
    // Paid until 15 October by pix, with seven days of grace.
    await addTo(place, 1, toEvent(paid('basic', '2026-09-15', '2026-10-15', { method: 'pix' }), ofPlace), product.id)
    await countStreams(place.context)
    const lostOn = async () => (await readMonth(storage.db, '2026-10', NOW)).days.find(({ figures }) => figures.lost === 1)?.day
    assert.equal(await lostOn(), '2026-10-22')
    await setGrace(product.slug, [{ method: 'pix', days: 10 }], { storage, changes, now, actor: 'operator:cli' })
    await countStreams(place.context)
    assert.equal(await lostOn(), '2026-10-25')
  })

  it('of a month that is not over go up to today, beside as many days of the month before', async () => {
    const { figures, before: then, isComplete, to, days } = await readMonth(service.context.storage.db, '2026-10', at('2026-10-12'))
    assert.deepEqual([to, then.from, then.to, isComplete, days.length], ['2026-10-12', '2026-09-01', '2026-09-12', false, 12])
    // New: 20 on the 1st, 28 on the 2nd, 30 on the 6th, 31 on the 7th, 38 on the 9th, 17 on the 12th. Lost: 29, 32, 31, 33.
    assert.deepEqual([figures.new, figures.returned, figures.lost], [6, 1, 4])
    // In September up to the 12th: 26 on the 3rd and 32 on the 12th are new, 34 is lost; 25 is not yet.
    assert.deepEqual([then.figures.new, then.figures.lost], [2, 1])
    const nothing: MonthReport = await readMonth(service.context.storage.db, '2026-12', NOW)
    assert.deepEqual([nothing.figures, nothing.days], [NONE, []])
  })
})

async function makePlans({ context }: TestService): Promise<Record<Plan, string>> {
  const make = (slug: Plan) => planStore(context.storage.db).put({ scope: OPERATOR_SCOPE, slug, name: slug, price: PRICES[slug] }, NOW)
  return { basic: await make('basic'), pro: await make('pro'), club: await make('club') }
}

function nameOf(planId: string | undefined, plans: Record<Plan, string>): string {
  return Object.entries(plans).find(([, id]) => id === planId)?.[0] ?? 'none'
}

function toEvent({ plan, ...event }: Fact, plans: Record<Plan, string>): PaymentEvent {
  const nothing = {
    email: undefined,
    paymentId: undefined,
    amount: undefined,
    method: undefined,
    periodStart: undefined,
    periodEnd: undefined,
  }
  return { ...nothing, key: 'none', planId: plan && plans[plan], ...event }
}

/** Applies an event of a purchase, as a notification would. */
async function addTo({ context }: TestService, number: number, event: PaymentEvent, productId?: string): Promise<void> {
  const { storage, changes, now } = context
  const stream = { source: 'purchase', ref: `purchase ${number}` }
  await changes.transaction((tx, announce) =>
    applyEvent(tx, { stream, productId, event, notificationId: undefined }, { storage, announce, at: now() }),
  )
}
