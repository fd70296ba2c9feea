import assert from 'node:assert/strict'
import { it } from 'node:test'
import fc from 'fast-check'
import { forgetOldLimits, limitStore } from '../src/rate-limits/index.ts'
import { migrate, openStorage, parseDatabaseUrl, type Storage } from '../src/storage/index.ts'
import { eachDatabase } from './support/databases.ts'

const MINUTE_MS = 60_000
const START = 1_800_000_000_000

async function open(url: string): Promise<Storage> {
  const address = parseDatabaseUrl(url)
  assert.ok(address)
  const storage = await openStorage(address)
  await migrate(storage)
  return storage
}

eachDatabase('A rate limit', (database) => {
  it('lets through exactly as many as it says, however many ask at once and on however many nodes', async () => {
    const { url } = await database.fresh()
    const nodes = [await open(url), await open(url)]
    const ask = (i: number) => limitStore((nodes[i % 2] ?? assert.fail()).db).count({ key: 'race', most: 7, windowMs: MINUTE_MS }, START)
    const verdicts = await Promise.all(Array.from({ length: 60 }, (_, i) => ask(i)))
    assert.equal(verdicts.filter(({ within }) => within).length, 7)
    for (const node of nodes) await node.close()
  })

  it('counts each key and each window by itself, and says how long is left', async () => {
    const storage = await open((await database.fresh()).url)
    const limits = limitStore(storage.db)
    const limit = { key: 'a', most: 1, windowMs: MINUTE_MS }
    assert.deepEqual(await limits.count(limit, START), { within: true, retryAfterSeconds: 60 })
    assert.deepEqual(await limits.count(limit, START + 20_500), { within: false, retryAfterSeconds: 40 })
    assert.deepEqual(await limits.count(limit, START + MINUTE_MS - 1), { within: false, retryAfterSeconds: 1 })
    assert.equal((await limits.count({ ...limit, key: 'b' }, START)).within, true)
    assert.deepEqual(await limits.count(limit, START + MINUTE_MS), { within: true, retryAfterSeconds: 60 })
    await storage.close()
  })

  it('holds nobody until the time of a clock that was ahead: a window that ends too late is over, but for what clocks differ', async () => {
    const storage = await open((await database.fresh()).url)
    const limits = limitStore(storage.db)
    const limit = { key: 'a', most: 1, windowMs: MINUTE_MS }
    for (const ask of [(now: number) => limits.count(limit, now), (now: number) => limits.countAll([limit], now)])
      for (const [minutesAhead, expected] of [
        [60, [true, true, false]],
        [4, [true, false, false]],
      ] as const) {
        await limits.clear('a')
        const verdicts = [await ask(START + minutesAhead * MINUTE_MS), await ask(START), await ask(START)]
        assert.deepEqual(
          verdicts.map(({ within }) => within),
          expected,
        )
      }
    await storage.close()
  })

  it('gives back what turned out not to count, and never more than was taken', async () => {
    const storage = await open((await database.fresh()).url)
    const limits = limitStore(storage.db)
    const limit = { key: 'a', most: 2, windowMs: MINUTE_MS }
    await limits.uncount('a')
    assert.equal((await limits.count(limit, START)).within, true)
    for (let i = 0; i < 5; i++) await limits.uncount('a')
    const verdicts = [await limits.count(limit, START), await limits.count(limit, START), await limits.count(limit, START)]
    assert.deepEqual(
      verdicts.map(({ within }) => within),
      [true, true, false],
    )
    await limits.clear('a')
    assert.equal((await limits.count(limit, START)).within, true)
    await storage.close()
  })

  it('agrees with a plain count over any sequence of attempts', async () => {
    const storage = await open((await database.fresh()).url)
    const limits = limitStore(storage.db)
    let run = 0
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.integer({ min: 0, max: 40_000 }), { maxLength: 25 }),
        fc.integer({ min: 1, max: 5 }),
        async (pauses, most) => {
          const key = `sequence-${run++}`
          let now = START
          let opened = Number.NEGATIVE_INFINITY
          let count = 0
          for (const pause of pauses) {
            now += pause
            if (now >= opened + MINUTE_MS) [opened, count] = [now, 0]
            count++
            assert.equal((await limits.count({ key, most, windowMs: MINUTE_MS }, now)).within, count <= most)
          }
        },
      ),
      { numRuns: 20 },
    )
    await storage.close()
  })

  it('is forgotten when its window is over, and no sooner', async () => {
    const storage = await open((await database.fresh()).url)
    const limits = limitStore(storage.db)
    const limit = { key: 'a', most: 1, windowMs: MINUTE_MS }
    await limits.count(limit, START)
    await forgetOldLimits(storage.db, START + MINUTE_MS - 1)
    assert.equal((await limits.count(limit, START + 1)).within, false)
    await forgetOldLimits(storage.db, START + MINUTE_MS)
    assert.deepEqual(await storage.db.selectFrom('rate_limits').selectAll().execute(), [])
    await storage.close()
  })
})
