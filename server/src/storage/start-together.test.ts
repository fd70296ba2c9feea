import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import process from 'node:process'
import { it } from 'node:test'
import { promisify } from 'node:util'
import { eachDatabase } from '../../test/databases.ts'

const run = promisify(execFile)

/** What each process does: wait for the common moment, open, bring up to date, use. */
const program = `
  import { migrate, openStorage, parseDatabaseUrl, writeSetting } from '${new URL('./index.ts', import.meta.url)}'
  await new Promise((resolve) => setTimeout(resolve, Number(process.env.AT) - Date.now()))
  const storage = await openStorage(parseDatabaseUrl(process.env.URL))
  const applied = await migrate(storage)
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
  it('all come up, and one of them makes the tables', async () => {
    for (let round = 0; round < 2; round++) {
      const { url } = await database.empty()
      const at = Date.now() + 1_200
      const results = await Promise.all(Array.from({ length: 4 }, () => start(url, at)))
      assert.equal(results.filter(({ applied }) => applied.length > 0).length, 1)
      assert.equal(Math.max(...results.map(({ sees }) => sees)), 4)
    }
  })
})
