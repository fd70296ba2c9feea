import assert from 'node:assert/strict'
import process from 'node:process'
import { after, it } from 'node:test'
import fc from 'fast-check'
import { checkInbox } from '../../../src/notifications/index.ts'
import { checkSubscriptions } from '../../../src/payment-history/index.ts'
import { countStreams, dayIn, plusDays, readZone, startOfDay } from '../../../src/reports/index.ts'
import type { Queryable, Storage } from '../../../src/storage/index.ts'
import { eachDatabase } from '../../support/databases.ts'
import { anyHistory } from '../../support/histories/any-history.ts'
import { replayHistory } from '../../support/histories/replay-history.ts'
import { openShop } from '../../support/histories/shop.ts'
import { simulators } from '../../support/histories/simulators.ts'

/**
 * How many histories each gateway gets. The suite always runs the same ones. `HISTORIES=5000` runs many others, and `HISTORIES_SEED` runs
 * those again.
 */
const { HISTORIES, HISTORIES_SEED } = process.env
// Seed 14 reaches late payments at Mercado Pago, the days of grace and partial refunds, each at every gateway that has it.
const RUNS = Number(HISTORIES ?? 40)
const seed = HISTORIES_SEED === undefined ? (HISTORIES === undefined ? { seed: 14 } : {}) : { seed: Number(HISTORIES_SEED) }

eachDatabase('A buyer whose payments cover now has access now, and a buyer none of whose payments does has none', (database) => {
  for (const [name, api] of Object.entries(simulators)) {
    it(`at ${name}, in any history`, async () => {
      const shop = await openShop((await database.fresh()).url, api)
      after(() => shop.context.close())
      shop.onMoment = async () => void (await countStreams(shop.context))
      const numRuns = database.name === 'sqlite' ? RUNS : Math.ceil(RUNS / 6)
      await fc.assert(
        fc.asyncProperty(anyHistory(api.features), async (history) => {
          await replayHistory(history, { shop, api })
        }),
        { numRuns, ...seed },
      )
      const { subscriptions, differences } = await checkSubscriptions(shop.context)
      assert.ok(subscriptions > 0)
      assert.deepEqual(differences, [])
      await assertCounted(shop.context)
      const inbox = await checkInbox(shop.context)
      assert.ok(inbox.notifications > 0)
      assert.deepEqual([inbox.skipped, inbox.differences], [0, []])
    })
  }
})

/** The sums of reports, that changed with each history, are those of all streams counted anew; and what is active is what gives access. */
async function assertCounted(context: { storage: Storage; now: () => number }): Promise<void> {
  const { db } = context.storage
  await countStreams(context)
  const sums = async () => {
    const rows = await db.selectFrom('report_totals').selectAll().where('value', '!=', 0).execute()
    const changes = await db.selectFrom('report_changes').selectAll().execute()
    const spans = await db.selectFrom('report_spans').selectAll().execute()
    const prices = await db.selectFrom('report_prices').selectAll().execute()
    const money = await db.selectFrom('report_movements').selectAll().execute()
    return [...rows, ...changes, ...spans, ...prices, ...money].map((row) => Object.values(row).join(' ')).sort()
  }
  const before = await sums()
  await db.deleteFrom('report_totals').execute()
  await db.deleteFrom('report_streams').execute()
  for (const table of ['report_changes', 'report_spans', 'report_prices', 'report_movements'] as const) await db.deleteFrom(table).execute()
  await db.updateTable('event_streams').set({ counted_at: null }).execute()
  await countStreams(context)
  assert.notEqual(before.length, 0)
  assert.deepEqual(before, await sums())

  const dayOf = dayIn(await readZone(db))
  const events = await db.selectFrom('subscription_events').select('at').execute()
  const last = dayOf(Math.max(...events.map(({ at }) => at)))
  const stocks = await db
    .selectFrom('report_totals')
    .select(['day', 'value'])
    .where('name', 'in', ['active_paid', 'active_trial', 'active_granted'])
    .execute()
  const active = stocks.reduce((sum, { day, value }) => sum + (day <= last ? value : 0), 0)
  const subscriptions = await db.selectFrom('subscriptions').select('access_until').execute()
  const giving = subscriptions.filter(({ access_until }) => access_until === null || dayOf(access_until) > last)
  assert.equal(active, giving.length)
  await assertListed(db, await readZone(db))
}

/** The lists behind the figures come to them: what is active at the end of every day with a change, and the money of all days. */
async function assertListed(db: Queryable, zone: string): Promise<void> {
  const totals = await db.selectFrom('report_totals').select(['name', 'day', 'currency', 'value']).where('value', '!=', 0).execute()
  const days = totals.filter(({ name, day }) => /^active_(?:paid|trial|granted)$/.test(name) && day.length === 10)
  const spans = await db.selectFrom('report_spans').selectAll().execute()
  const differences = [...new Set(days.map(({ day }) => day))].filter((day) => {
    const end = startOfDay(plusDays(day, 1), zone)
    const listed = spans.filter(({ from_at, until_at }) => from_at < end && until_at >= end).length
    return listed !== days.reduce((sum, one) => sum + (one.currency === '' && one.day <= day ? one.value : 0), 0)
  })
  assert.deepEqual(differences, [])
  const amounts = { received: 1, refunded: -1, lost_in_disputes: -1 } as const
  for (const [figure, sign] of Object.entries(amounts)) {
    const ofFigure = totals.filter(({ name, day, currency }) => name === figure && day.length === 10 && currency === 'BRL')
    const rows = await db
      .selectFrom('report_movements')
      .select('amount')
      .where('figure', '=', figure)
      .where('currency', '=', 'BRL')
      .execute()
    assert.equal(
      rows.reduce((sum, { amount }) => sum + Number(amount ?? 0), 0),
      ofFigure.reduce((sum, { value }) => sum + sign * value, 0),
      figure,
    )
  }
}
