import assert from 'node:assert/strict'
import { readFileSync, writeFileSync } from 'node:fs'
import process from 'node:process'
import { it } from 'node:test'
import { DummyDriver, Kysely, PostgresAdapter, PostgresQueryCompiler, SqliteAdapter, SqliteQueryCompiler, sql } from 'kysely'
import { eachDatabase } from '../../../test/support/databases.ts'
import { adding, laterVersion } from '../../../test/support/later-versions.ts'
import { shapeOf } from '../../../test/support/table-shape.ts'
import { manageFills, migrate, openStorage, parseDatabaseUrl, type Storage, schemaState, type Timeline, timeline } from '../index.ts'
import { up } from './0001-initial.ts'
import { createAppliedTable } from './applied.ts'
import { fill, type Tables } from './migration.ts'

// The schema of the first release, as the statements that make it. `FREEZE_SCHEMA=1` writes them anew: only until 0.1.0 is released.

type Dialect = 'sqlite' | 'postgres'
const frozen = (dialect: Dialect) => new URL(`../../../test/support/schemas/0.1.0-${dialect}.sql`, import.meta.url)
const FREEZES = process.env.FREEZE_SCHEMA === '1'

for (const dialect of ['sqlite', 'postgres'] as const)
  it(`The initial migration still makes the schema of 0.1.0 on ${dialect}: what is released is frozen`, async () => {
    const statements = await statementsOf(dialect)
    if (FREEZES) writeFileSync(frozen(dialect), statements)
    assert.equal(statements, readFileSync(frozen(dialect), 'utf8'), 'change it by a new migration')
  })

eachDatabase('A database that 0.1.0 has made', (database) => {
  async function open(url: string, of: Timeline = timeline): Promise<Storage> {
    return openStorage(parseDatabaseUrl(url) ?? assert.fail(), of)
  }

  /** An empty database with the frozen tables, the record that 0.1.0 made them, and a user. */
  async function madeBy010(url: string): Promise<void> {
    const storage = await open(url)
    const db = storage.db as unknown as Tables
    for (const statement of readFileSync(frozen(database.name), 'utf8').split(';\n'))
      if (statement !== '') await sql.raw(statement).execute(db)
    await createAppliedTable(db)
    await sql`insert into applied_migrations (name, version, adds, steps_done, place, began_at, applied_at, refilled)
      values ('0001-initial', '0.1.0', 1, 1, null, 1, 1, 0)`.execute(db)
    await sql`insert into users (id, email, created_at, updated_at) values ('u1', 'ana@exemplo.com.br', 1, 1)`.execute(db)
    await storage.close()
  }

  it('has after an upgrade the tables that a new one has, and its rows', async () => {
    const { url } = await database.empty()
    await madeBy010(url)
    const upgraded = await open(url)
    const later = Object.keys(timeline.migrations).filter((name) => name !== '0001-initial')
    assert.deepEqual(await migrate(upgraded), { applied: later })
    const made = await open((await database.fresh()).url)
    assert.deepEqual(await shapeOf(upgraded), await shapeOf(made))
    const { rows } = await sql<{ email: string }>`select email from users`.execute(upgraded.db)
    assert.equal(rows[0]?.email, 'ana@exemplo.com.br')
    for (const storage of [upgraded, made]) await storage.close()
  })

  it('is upgraded by a version that is still to come', async () => {
    const { url } = await database.empty()
    await madeBy010(url)
    const storage = await open(url, laterVersion('9990-initials', adding))
    const later = Object.keys(timeline.migrations).filter((name) => name !== '0001-initial')
    assert.deepEqual(await migrate(storage), { applied: [...later, '9990-initials'] })
    assert.deepEqual(await schemaState(storage), { pending: [], newer: [], needs: undefined })
    const { rows } = await sql<{ initial: string }>`select initial from users`.execute(storage.db)
    assert.equal(rows[0]?.initial, 'A')
    await storage.close()
  })

  it('is filled once more where the repeated fill was cut off, until it has come to its end', async () => {
    const { url } = await database.fresh()
    let [fills, isCut] = [0, false]
    const counted = fill(async () => {
      if (isCut) throw new Error('cut off')
      fills++
      return undefined
    })
    const storage = await open(url, laterVersion('9990-counted', { adds: true, steps: [counted] }))
    await migrate(storage)
    assert.equal(fills, 1)
    const later = Date.now() + 2 * 60 * 60_000
    isCut = true
    await assert.rejects(manageFills(storage, later), /cut off/)
    isCut = false
    for (const _ of ['it was not done', 'it was done']) await manageFills(storage, later)
    assert.equal(fills, 2)
    await storage.close()
  })
})

/** The statements of a migration, recorded without a database. */
async function statementsOf(dialect: Dialect): Promise<string> {
  const statements: string[] = []
  const db = new Kysely<unknown>({
    dialect: {
      createAdapter: () => (dialect === 'sqlite' ? new SqliteAdapter() : new PostgresAdapter()),
      createDriver: () => new DummyDriver(),
      createIntrospector: () => assert.fail('the initial migration asks nothing'),
      createQueryCompiler: () => (dialect === 'sqlite' ? new SqliteQueryCompiler() : new PostgresQueryCompiler()),
    },
    log: ({ query }) => void statements.push(`${query.sql};\n`),
  })
  await up(db, dialect)
  return statements.join('')
}
