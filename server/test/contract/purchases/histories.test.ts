import assert from 'node:assert/strict'
import process from 'node:process'
import { after, it } from 'node:test'
import fc from 'fast-check'
import { checkInbox } from '../../../src/notifications/index.ts'
import { checkSubscriptions } from '../../../src/payment-history/index.ts'
import { countStreams, dayIn, readZone } from '../../../src/reports/index.ts'
import type { Storage } from '../../../src/storage/index.ts'
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
    return [...rows, ...changes].map((row) => Object.values(row).join(' ')).sort()
  }
  const before = await sums()
  await db.deleteFrom('report_totals').execute()
  await db.deleteFrom('report_streams').execute()
  await db.deleteFrom('report_changes').execute()
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
}
