import assert from 'node:assert/strict'
import { it } from 'node:test'
import { sql } from 'kysely'
import { countIfDue } from '../../../src/housekeeping/count-if-due.ts'
import { countStreams } from '../../../src/reports/index.ts'
import { eachDatabase } from '../../support/databases.ts'
import { startService } from '../../support/service.ts'

eachDatabase('Many purchases that no report has yet', (database) => {
  const begin = async () => {
    const service = await startService(await database.fresh())
    const { db } = service.context.storage
    let sold = 0
    return {
      service,
      async sell(many: number) {
        const numbers = sql`with recursive n(i) as (select ${sql.lit(sold + 1)} union all select i + 1 from n where i < ${sql.lit(sold + many)})`
        sold += many
        await sql`insert into event_streams (id, source, ref, created_at) ${numbers}
          select 'stream-' || cast(i as text), 'purchase', 'ref-' || cast(i as text), 1 from n`.execute(db)
      },
      async uncounted() {
        const { rows } = await sql<{ n: number }>`select count(*) as n from event_streams where counted_at is null`.execute(db)
        return Number(rows[0]?.n)
      },
    }
  }

  it('are counted by one node at a time, and the next begins when its minute is over', async () => {
    const { service, sell, uncounted } = await begin()
    await sell(1_100)
    await countIfDue(service.context)
    assert.equal(await uncounted(), 0)
    await sell(1_200)
    await countIfDue(service.context)
    assert.equal(await uncounted(), 1_200)
    service.clock.now += 56_000
    await countIfDue(service.context)
    assert.equal(await uncounted(), 0)
  })

  it('are counted for as long as somebody has for it', async () => {
    const { service, sell, uncounted } = await begin()
    await sell(1_100)
    const counted = await countStreams(service.context, { forMs: 0 })
    assert.ok(counted > 0 && counted < 1_100, `${counted}`)
    assert.equal(await uncounted(), 1_100 - counted)
  })
})
