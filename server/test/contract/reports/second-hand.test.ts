import assert from 'node:assert/strict'
import process from 'node:process'
import { it } from 'node:test'
import { eachDatabase, type TestDatabase } from '../../support/databases.ts'
import { replayPurchases } from '../../support/second-hand/replay-purchases.ts'

/** The suite always runs the same seeds. `SEEDS=7,8` runs others, or again one that has failed. */
const { SEEDS } = process.env
const USUAL = { sqlite: [4, 12], postgres: [22] }
const MAX_SHOWN = 12

eachDatabase('A report has the figures that its documents define', (database) => {
  it('for forty purchases of each seed, whatever comes late or twice', async () => {
    const seeds = SEEDS?.split(',').map(Number) ?? USUAL[database.name]
    for (const seed of seeds) assert.equal(await findDifferences(database, seed), '')
  })
})

/** The differences of a seed as text, and the first purchase that differs when it is sent alone. Empty where nothing differs. */
async function findDifferences(database: TestDatabase, seed: number): Promise<string> {
  const { differences, purchases } = await replayPurchases(database, seed)
  const lines = [`seed ${seed}`, ...differences.slice(0, MAX_SHOWN)]
  for (let only = 0; differences.length > 0 && only < purchases.length; only++) {
    const alone = await replayPurchases(database, seed, only)
    if (alone.differences.length === 0) continue
    const sent = (alone.purchases[0]?.deliveries ?? []).sort((one, other) => one.due - other.due)
    lines.push('by itself:', ...alone.differences.slice(0, MAX_SHOWN))
    lines.push(...sent.map(({ due, ...rest }) => JSON.stringify({ due: new Date(due), ...rest })))
    break
  }
  return differences.length === 0 ? '' : lines.join('\n  ')
}
