import assert from 'node:assert/strict'
import process from 'node:process'
import { after, it } from 'node:test'
import fc from 'fast-check'
import { checkInbox } from '../../../src/notifications/index.ts'
import { checkSubscriptions } from '../../../src/payment-history/index.ts'
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
      const numRuns = database.name === 'sqlite' ? RUNS : Math.ceil(RUNS / 6)
      await fc.assert(
        fc.asyncProperty(anyHistory(api.features), (history) => replayHistory(history, { shop, api })),
        { numRuns, ...seed },
      )
      const { subscriptions, differences } = await checkSubscriptions(shop.context)
      assert.ok(subscriptions > 0)
      assert.deepEqual(differences, [])
      const inbox = await checkInbox(shop.context)
      assert.ok(inbox.notifications > 0)
      assert.deepEqual([inbox.skipped, inbox.differences], [0, []])
    })
  }
})
