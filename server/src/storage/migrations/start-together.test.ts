import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import process from 'node:process'
import { it } from 'node:test'
import { promisify } from 'node:util'
import { sql } from 'kysely'
import { eachDatabase } from '../../../test/support/databases.ts'
import { migrate, openStorage, parseDatabaseUrl, timeline } from '../index.ts'
import { holdMigrations } from '../locks.ts'
import { openPostgres } from '../postgres/postgres.ts'
import { change } from './migration.ts'

const run = promisify(execFile)

/** Each process waits for the common moment, opens the database, migrates it and uses it. */
const program = `
  import { migrate, openStorage, parseDatabaseUrl, writeSetting } from '${new URL('../index.ts', import.meta.url)}'
  await new Promise((resolve) => setTimeout(resolve, Number(process.env.AT) - Date.now()))
  const storage = await openStorage(parseDatabaseUrl(process.env.URL))
  const { applied } = await migrate(storage)
  await storage.transaction((tx) => writeSetting(tx, 'started_' + process.pid, 'yes'))
  const { rows } = { rows: await storage.db.selectFrom('settings').selectAll().execute() }
  await storage.close()
  console.log(JSON.stringify({ applied, sees: rows.length }))
`

async function start(url: string, at: number): Promise<{ applied: string[]; sees: number }> {
  const env = { PATH: process.env.PATH, URL: url, AT: String(at) }
  const { stdout } = await run(process.execPath, ['--disable-warning=ExperimentalWarning', '--input-type=module', '-e', program], { env })
  return JSON.parse(stdout)
}

eachDatabase('Processes that start at once on a new database', (database) => {
  it('all come up, and each table is made by one of them', async () => {
    for (let round = 0; round < 2; round++) {
      const { url } = await database.empty()
      const at = Date.now() + 1_200
      const results = await Promise.all(Array.from({ length: 4 }, () => start(url, at)))
      assert.deepEqual(results.flatMap(({ applied }) => applied).sort(), Object.keys(timeline.migrations))
      assert.equal(Math.max(...results.map(({ sees }) => sees)), 4)
    }
  })

  // On SQLite nothing ends a statement that takes long.
  if (database.name === 'postgres')
    it('wait for one that makes an index over millions of rows, longer than any question of the service may take', async () => {
      const { url } = await database.empty()
      let outcome: Promise<unknown> | undefined
      const storage = await openStorage(parseDatabaseUrl(url) ?? assert.fail())
      const other = await openPostgres([url], { statementMs: 60_000 })
      await migrate(storage)
      await other.db.connection().execute(async (one) => {
        await holdMigrations(one)
        const planted = {
          version: '2',
          migrations: { ...timeline.migrations, '9999-none': { adds: true, steps: [change(async () => {})] } },
        }
        // While it is held: whether it succeeds is seen once it is not.
        outcome = migrate({ ...storage, timeline: planted }).catch((fault: unknown) => ({ fault }))
        await sql`select pg_sleep(11.5)`.execute(one)
      })
      await other.close()
      assert.deepEqual(await outcome, { applied: ['9999-none'] })
      await storage.close()
    })
})
