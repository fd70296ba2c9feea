import assert from 'node:assert/strict'
import { after, it } from 'node:test'
import { sql } from 'kysely'
import { Client } from 'pg'
import { onPostgres } from '../../../test/support/databases.ts'
import { startPooler } from '../../../test/support/faults/pooler.ts'
import { openStorage, parseDatabaseUrl, prepare, type Queryable, type Storage, type Transaction } from '../index.ts'
import { createKeptStatements } from './kept-statements.ts'

/** More runs than a statement needs to be kept. */
const OFTEN = 40
/** Few of these fill a page of a table. */
const TEXT = 'x'.repeat(800)

onPostgres('A statement of PostgreSQL', (database) => {
  const open = async (url?: string) => {
    const address = parseDatabaseUrl(url ?? (await database.empty()).url) ?? assert.fail()
    const storage = await openStorage({ ...address, connections: 1 } as typeof address)
    after(() => storage.close())
    await sql`create table things (id bigint primary key, text text)`.execute(storage.db)
    return storage
  }
  const texts = async ({ db }: Storage) => {
    const { rows } = await sql<{ statement: string }>`select statement from pg_prepared_statements`.execute(db)
    return rows.map(({ statement }) => statement)
  }
  const find = (tx: Transaction, id: number) => sql<object>`select * from things where id = ${id}`.execute(tx)
  const add = (tx: Transaction, id: number) => sql`insert into things (id, text) values (${id}, ${TEXT})`.execute(tx)
  const often = async (storage: Storage, work: (tx: Transaction, n: number) => Promise<unknown>, times = OFTEN) => {
    for (let n = 0; n < times; n++) await storage.transaction((tx) => work(tx, n))
  }

  it('is kept by the server when it comes often in transactions, and not when it comes otherwise', async () => {
    const storage = await open()
    await often(storage, add)
    await storage.transaction((tx) => find(tx, 1))
    for (let n = 0; n < OFTEN; n++) await sql`select text from things where id = ${n}`.execute(storage.db)
    assert.deepEqual(await texts(storage), ['insert into things (id, text) values ($1, $2)'])
  })

  /** A prepared statement of its own: each is kept by its text. */
  const findPrepared = (column: string) =>
    prepare((db: Queryable, { id }: { id: number }) => ({
      compile: () => sql<object>`select *, id as ${sql.ref(column)} from things where id = ${id}`.compile(db),
    }))
  const oftenOutside = async (storage: Storage, work: (db: Queryable, values: { id: number }) => Promise<unknown>) => {
    for (let n = 0; n < OFTEN; n++) await work(storage.db, { id: n })
  }

  it('is kept outside of transactions, too, where it is prepared', async () => {
    const storage = await open()
    await oftenOutside(storage, findPrepared('first'))
    assert.deepEqual(await texts(storage), ['select *, id as "first" from things where id = $1'])
  })

  it('goes on there when a migration has changed its columns, or the server has lost it', async () => {
    const storage = await open()
    const find = findPrepared('second')
    await oftenOutside(storage, find)
    await sql`insert into things (id, text) values (1, 'text')`.execute(storage.db)
    await sql`alter table things add column since bigint default 7`.execute(storage.db)
    assert.deepEqual((await find(storage.db, { id: 1 })).rows, [{ id: 1, text: 'text', since: 7, second: 1 }])
    await oftenOutside(storage, find)
    assert.equal((await texts(storage)).length, 2, 'kept anew')
    await sql`deallocate all`.execute(storage.db)
    assert.deepEqual((await find(storage.db, { id: 1 })).rows, [{ id: 1, text: 'text', since: 7, second: 1 }])
    await oftenOutside(storage, find)
    assert.deepEqual(await texts(storage), [])
  })

  it('writes once there, though the first try met a statement that was stale or lost', async () => {
    const storage = await open()
    const write = prepare((db: Queryable, { id }: { id: number }) => ({
      compile: () => sql`insert into things (id, text) values (${id}, 'text') returning *`.compile(db),
    }))
    await oftenOutside(storage, write)
    await sql`alter table things add column since bigint default 7`.execute(storage.db)
    await write(storage.db, { id: OFTEN })
    await oftenOutside(storage, (db, { id }) => write(db, { id: OFTEN + 1 + id }))
    await sql`deallocate all`.execute(storage.db)
    await write(storage.db, { id: 2 * OFTEN + 1 })
    const { rows } = await sql<{ count: number }>`select count(*) as count from things`.execute(storage.db)
    assert.equal(Number(rows[0]?.count), 2 * OFTEN + 2)
  })

  it('is not kept where it is prepared to be planned each time', async () => {
    const storage = await open()
    const find = prepare(
      (db: Queryable, { id }: { id: number }) => ({ compile: () => sql`select id from things where id <= ${id}`.compile(db) }),
      'each_time',
    )
    await oftenOutside(storage, find)
    await often(storage, (tx, id) => find(tx, { id }))
    assert.deepEqual(await texts(storage), [])
  })

  it('answers a column that a migration has added since it was kept', async () => {
    const storage = await open()
    await often(storage, add)
    await often(storage, find)
    await sql`alter table things add column since bigint default 7`.execute(storage.db)
    const answers: unknown[] = []
    await often(storage, async (tx, id) => answers.push(...(await find(tx, id)).rows))
    assert.deepEqual(
      answers,
      Array.from({ length: OFTEN }, (_, id) => ({ id, text: TEXT, since: 7 })),
    )
    assert.equal((await texts(storage)).filter((text) => text.startsWith('select')).length, 2, 'kept anew')
  })

  it('goes on when the server has lost it, and is not kept again', async () => {
    const storage = await open()
    await often(storage, find)
    await sql`deallocate all`.execute(storage.db)
    await often(storage, find)
    assert.deepEqual(await texts(storage), [])
  })

  it('never runs as that of another node, where both come to one process of the server without knowing', async () => {
    const client = new Client({ connectionString: (await database.empty()).url })
    await client.connect()
    after(() => client.end())
    const nodes = [createKeptStatements(), createKeptStatements()] as const
    for (const node of nodes) await node.admit(client)
    await client.query('begin')
    const texts = ['select $1::int + 1 as n', 'select $1::int - 1 as n'] as const
    for (let n = 0; n < OFTEN; n++)
      for (const place of [0, 1] as const) {
        const { rows } = await nodes[place].run(client, texts[place], [n])
        assert.equal(rows[0].n, place === 0 ? n + 1 : n - 1)
      }
    const { rows: kept } = await client.query('select distinct statement from pg_prepared_statements')
    assert.equal(kept.length, 2)
  })

  it('is not kept where it has thousands of characters', async () => {
    const storage = await open()
    const list = sql.join(Array.from({ length: 2_000 }, (_, n) => sql`${n}`))
    await often(storage, (tx) => sql`select 1 from things where id in (${list})`.execute(tx))
    assert.deepEqual(await texts(storage), [])
  })

  it('is not kept behind a pooler, where the next transaction may come to another process of the server', async () => {
    const { url } = await database.empty()
    const storage = await open((await startPooler(url)).url)
    await often(storage, find)
    await oftenOutside(storage, findPrepared('third'))
    assert.deepEqual(await texts(storage), [])
  })

  it('reads no table from end to end because the table was small for its first thousands of runs', async () => {
    const storage = await open()
    const address = parseDatabaseUrl(storage.address.dialect === 'postgres' ? storage.address.url : '') ?? assert.fail()
    const other = await openStorage(address)
    after(() => other.close())
    await sql`vacuum analyze things`.execute(storage.db)
    const find = prepare((db: Queryable, { id }: { id: number }) => ({
      compile: () => sql`select text as fourth from things where id = ${id}`.compile(db),
    }))
    const early = 6_000
    for (let n = 0; n < early; n++) await find(storage.db, { id: 0 })
    await sql`insert into things (id, text) select n, ${TEXT} from generate_series(1, 3000) as numbers(n)`.execute(other.db)
    const scanned = async () => {
      await sql`select pg_stat_force_next_flush()`.execute(storage.db)
      const { rows } = await sql<{ read: number }>`select seq_tup_read as read from pg_stat_user_tables where relname = 'things'`.execute(
        other.db,
      )
      return Number(rows[0]?.read)
    }
    // The old plan reads the table from end to end until the plans are made anew.
    for (let n = 0; n < 5_000; n++) await find(storage.db, { id: n % 3_000 })
    const before = await scanned()
    for (let n = 0; n < 100; n++) await find(storage.db, { id: n })
    assert.equal(await scanned(), before)
  })

  it('reads no table from end to end because the table was small at first', async () => {
    const storage = await open()
    const rows = 3_000
    await storage.transaction((tx) => add(tx, rows))
    await sql`vacuum analyze things`.execute(storage.db) // or the server takes a table to be larger than it is
    await often(
      storage,
      async (tx, id) => {
        await find(tx, id)
        await add(tx, id)
      },
      rows,
    )
    await sql`select pg_stat_force_next_flush()`.execute(storage.db)
    const { rows: counts } = await sql<{ read: number }>`
      select seq_tup_read as read from pg_stat_user_tables where relname = 'things'`.execute(storage.db)
    const read = counts[0]?.read ?? assert.fail()
    assert.ok(read < rows * 5, `${read} rows read one after the other`)
  })
})
