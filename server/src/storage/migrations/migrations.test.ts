import assert from 'node:assert/strict'
import { it } from 'node:test'
import { sql } from 'kysely'
import { eachDatabase } from '../../../test/support/databases.ts'
import { shapeOf, takenAway } from '../../../test/support/table-shape.ts'
import { migrate, openStorage, parseDatabaseUrl, type Storage, schemaState, timeline } from '../index.ts'
import { change, type Migration, type Tables } from './migration.ts'

const shapes = new Map<string, Awaited<ReturnType<typeof shapeOf>>>()

async function open(url: string, of = timeline): Promise<Storage> {
  return openStorage(parseDatabaseUrl(url) ?? assert.fail(), of)
}

async function applied(storage: Storage): Promise<string[]> {
  const migrated = await migrate(storage)
  return 'refusal' in migrated ? assert.fail(migrated.refusal) : migrated.applied
}

eachDatabase('The migrations', (database) => {
  it('bring an empty database up to date once, and then have nothing left to do', async () => {
    const storage = await open((await database.empty()).url)
    const all = Object.keys(timeline.migrations)
    assert.deepEqual(await schemaState(storage), { pending: all, newer: [], needs: undefined })
    assert.deepEqual(await applied(storage), all)
    assert.deepEqual(await schemaState(storage), { pending: [], newer: [], needs: undefined })
    const before = await shapeOf(storage)
    assert.deepEqual(await applied(storage), [])
    assert.deepEqual(await shapeOf(storage), before)
    shapes.set(database.name, before)
    await storage.close()
  })

  it('are numbered one after the other', () => {
    const names = Object.keys(timeline.migrations)
    const numbers = names.map((_, at) => String(at + 1).padStart(4, '0'))
    assert.deepEqual(
      names.map((name) => name.slice(0, 4)),
      numbers,
    )
  })

  it('leave nothing of a step behind that fails, and go on from there the next time', async () => {
    const { url } = await database.empty()
    const storage = await open(url)
    await sql`create table audit (something text)`.execute(storage.db)
    await assert.rejects(migrate(storage), /audit/)
    const tables = (await storage.db.introspection.getTables()).map(({ name }) => name)
    assert.deepEqual(tables, ['applied_migrations', 'audit'])
    await sql`drop table audit`.execute(storage.db)
    assert.deepEqual(await applied(storage), Object.keys(timeline.migrations))
    await storage.close()
  })

  it('F7: that say that they only add take nothing away and refuse nothing that an older version writes', async () => {
    const { url } = await database.empty()
    const known: Record<string, Migration> = {}
    let before: Awaited<ReturnType<typeof shapeOf>> | undefined
    for (const [name, migration] of Object.entries(timeline.migrations)) {
      known[name] = migration
      const storage = await open(url, { version: '1', migrations: known })
      assert.deepEqual(await applied(storage), [name])
      const after = await shapeOf(storage)
      if (before && migration.adds) assert.deepEqual(takenAway(before, after), [], `${name} says \`adds: true\``)
      before = after
      await storage.close()
    }
  })

  it('F7: that would harm an older version are found, whatever they say', async () => {
    const harms: [string, (db: Tables) => Promise<unknown>][] = [
      ['audit.reason text is gone', (db) => db.schema.alterTable('audit').dropColumn('reason').execute()],
      ['outbox_lanes.lane text not null is gone', (db) => db.schema.dropTable('outbox_lanes').execute()],
      ['audit_at', (db) => db.schema.createIndex('audit_at').unique().on('audit').column('at').execute()],
    ]
    for (const [expected, work] of harms) {
      const storage = await open((await database.fresh()).url)
      const before = await shapeOf(storage)
      await work(storage.db as unknown as Tables)
      const faults = takenAway(before, await shapeOf(storage))
      assert.ok(
        faults.some((fault) => fault.includes(expected)),
        `${expected}: ${faults}`,
      )
      await storage.close()
    }
    const storage = await open((await database.fresh()).url)
    const before = await shapeOf(storage)
    const harmless = storage.db as unknown as Tables
    await harmless.schema.alterTable('users').addColumn('nickname', 'text').execute()
    await harmless.schema.createIndex('users_nickname').unique().on('users').column('nickname').execute()
    assert.deepEqual(takenAway(before, await shapeOf(storage)), [], 'absent in what an older version writes')
    await storage.close()
  })

  // SQLite has one writer at a time, and no tables that are locked by themselves.
  if (database.name === 'postgres')
    it('F7: alter one table at a time, and make indexes on tables that were there without holding up their writes', async () => {
      const long: string[] = []
      const storage = await open((await database.empty()).url, { version: '1', migrations: watchLocks(timeline.migrations, long) })
      await applied(storage)
      await storage.close()
      assert.deepEqual(long, [])
      const heavy: Migration = {
        adds: true,
        steps: [
          change((db) => db.schema.createIndex('audit_at').on('audit').column('at').execute()),
          change(async (db) => {
            for (const table of ['users', 'sessions']) await db.schema.alterTable(table).addColumn('heavy', 'text').execute()
          }),
        ],
      }
      const planted = await open((await database.fresh()).url, {
        version: '1',
        migrations: watchLocks({ ...timeline.migrations, '9999-heavy': heavy }, long),
      })
      await applied(planted)
      await planted.close()
      assert.deepEqual(long, ['9999-heavy: an index on audit is a step `index`', '9999-heavy: sessions and users are altered in one step'])
    })
})

/** The same migrations, which note what they lock of the tables that were there before each step. */
function watchLocks(migrations: Record<string, Migration>, faults: string[]): Record<string, Migration> {
  const watched = ([name, migration]: [string, Migration]): [string, Migration] => {
    const steps = migration.steps.map((step) =>
      step.does === 'change' ? change((db) => watch(db, name, () => step.work(db, 'postgres'))) : step,
    )
    return [name, { ...migration, steps }]
  }
  const watch = async (db: Tables, name: string, work: () => Promise<void>) => {
    const was = await sql<{ oid: string }>`select oid::text from pg_class where relkind = 'r'`.execute(db)
    await work()
    const { rows } = await sql<{
      table: string
      mode: string
    }>`select relname as table, mode from pg_locks l join pg_class c on c.oid = l.relation
      where l.pid = pg_backend_pid() and c.relnamespace = 'public'::regnamespace and c.oid::text in (${sql.join(was.rows.map(({ oid }) => oid))})
      order by 1`.execute(db)
    for (const { table, mode } of rows) if (mode === 'ShareLock') faults.push(`${name}: an index on ${table} is a step \`index\``)
    const altered = rows.filter(({ mode }) => mode === 'AccessExclusiveLock').map(({ table }) => table)
    if (altered.length > 1) faults.push(`${name}: ${altered.join(' and ')} are altered in one step`)
  }
  return Object.fromEntries(Object.entries(migrations).map(watched))
}

it('The migrations make the same tables, columns, keys and indexes on both databases', () => {
  const { tables, indexes, references } = shapes.get('sqlite') ?? assert.fail()
  assert.ok(tables.length > 40 && indexes.length > 80 && references.length > 20)
  const postgres = shapes.get('postgres') ?? assert.fail()
  assert.deepEqual({ tables, indexes, references }, { tables: postgres.tables, indexes: postgres.indexes, references: postgres.references })
})
