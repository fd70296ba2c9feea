import assert from 'node:assert/strict'
import { after, it } from 'node:test'
import { sql } from 'kysely'
import { onPostgres } from '../../../test/support/databases.ts'
import { migrate, openStorage, parseDatabaseUrl } from '../../storage/index.ts'
import { claimDeliveries } from './claim-store.ts'

const DUE = 40
const LIMIT = 5

onPostgres('A claim of deliveries', (database) => {
  it('takes as many as it asks for, however the server joins', async () => {
    const address = parseDatabaseUrl((await database.fresh()).url) ?? assert.fail()
    const storage = await openStorage({ ...address, connections: 1 } as typeof address)
    after(() => storage.close())
    await migrate(storage)
    const { db } = storage
    await sql`insert into event_endpoints (id, url, types, description, secret_sealed, created_at) values ('e', 'https://a.example', '*', '', '', 0)`.execute(
      db,
    )
    await sql`insert into app_events (id, type, subject, sequence, occurred_at, data)
      select 'event ' || n, 'user.updated', 'u', n, 0, '{}' from generate_series(1, ${sql.lit(DUE)}) as numbers(n)`.execute(db)
    await sql`insert into event_deliveries (endpoint_id, event_id, state, attempts, next_at)
      select 'e', id, 'waiting', 0, 1 from app_events`.execute(db)
    // As the server may join where it takes the table for empty: the rows that are due are looked up anew for each row of the table.
    for (const way of ['hashjoin', 'mergejoin', 'hashagg', 'sort', 'material', 'memoize', 'bitmapscan'])
      await sql`set ${sql.raw(`enable_${way}`)} = off`.execute(db)
    const claimed = await claimDeliveries(storage, { endpointId: 'e', limit: LIMIT, now: 10, until: 1_000 })
    assert.equal(claimed.length, LIMIT)
    const { rows } = await sql<{ count: number }>`select count(*) as count from event_deliveries where next_at = 1000`.execute(db)
    assert.equal(Number(rows[0]?.count), LIMIT)
  })
})
