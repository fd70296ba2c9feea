import assert from 'node:assert/strict'
import { after, it } from 'node:test'
import { sql } from 'kysely'
import { eachDatabase, onPostgres } from '../../../test/support/databases.ts'
import { migrate, openStorage, parseDatabaseUrl } from '../../storage/index.ts'
import { replayEvent } from '../log/replay-store.ts'
import { claimDeliveries } from './claim-store.ts'
import { type Outcome, writeOutcomes } from './outcome-store.ts'

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

eachDatabase('The end of an attempt', (database) => {
  async function begin() {
    const storage = await openStorage(parseDatabaseUrl((await database.fresh()).url) ?? assert.fail())
    after(() => storage.close())
    const { db } = storage
    const endpoint = { id: 'e', url: 'https://a.example', types: '*', description: '', secret_sealed: '', created_at: 0 }
    await db.insertInto('event_endpoints').values(endpoint).execute()
    const event = { id: 'event', type: 'user.updated', subject: 'u', sequence: 1, occurred_at: 0, data: '{}' }
    await db.insertInto('app_events').values(event).execute()
    await db
      .insertInto('event_deliveries')
      .values({ endpoint_id: 'e', event_id: 'event', state: 'pending', attempts: 7, next_at: 1 })
      .execute()
    const until = 1_000
    assert.equal((await claimDeliveries(storage, { endpointId: 'e', limit: 1, now: 10, until })).length, 1)
    const attempt = { at: 10, ms: 1, status: undefined, fault: 'no answer', answer: undefined, retryAfterMs: undefined }
    const end = (state: Outcome['state']) =>
      storage.transaction((tx) => writeOutcomes(tx, [{ endpointId: 'e', eventId: 'event', until, attempt, state, nextAt: undefined }]))
    const find = () => db.selectFrom('event_deliveries').select(['state', 'attempts', 'next_at']).executeTakeFirstOrThrow()
    return { db, end, find }
  }

  it('leaves a delivery as a replay has left it meanwhile, and is written down', async () => {
    const { db, end, find } = await begin()
    assert.equal(await replayEvent(db, { eventId: 'event', endpointId: undefined }, 20), 1)
    await end('failed')
    assert.deepEqual(await find(), { state: 'pending', attempts: 0, next_at: 20 })
    assert.equal((await db.selectFrom('event_attempts').select('fault').executeTakeFirst())?.fault, 'no answer')
  })

  it('ends a delivery that is its own, and one that has arrived in any case', async () => {
    const own = await begin()
    await own.end('failed')
    assert.deepEqual(await own.find(), { state: 'failed', attempts: 8, next_at: null })
    const replayed = await begin()
    await replayEvent(replayed.db, { eventId: 'event', endpointId: undefined }, 20)
    await replayed.end('delivered')
    assert.deepEqual(await replayed.find(), { state: 'delivered', attempts: 0, next_at: null })
  })
})
