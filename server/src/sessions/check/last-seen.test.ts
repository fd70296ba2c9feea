import assert from 'node:assert/strict'
import { after, it } from 'node:test'
import { eachDatabase } from '../../../test/support/databases.ts'
import { newId } from '../../kit/index.ts'
import { openStorage, parseDatabaseUrl } from '../../storage/index.ts'
import { flushLastSeen } from './last-seen.ts'

eachDatabase('Writing down when many sessions were used', (database) => {
  it('lets others have the event loop in between', async () => {
    const storage = await openStorage(parseDatabaseUrl((await database.fresh()).url) ?? assert.fail())
    after(() => storage.close())
    let [turns, isOver] = [0, false]
    const count = () => {
      turns++
      if (!isOver) setImmediate(count)
    }
    const seen = new Map(Array.from({ length: 5_000 }, () => [newId(), 1_800_000_000_000]))
    setImmediate(count)
    await flushLastSeen({ takeLastSeen: async () => seen }, storage)
    isOver = true
    assert.ok(turns >= 20, `${turns} turns`)
  })
})
