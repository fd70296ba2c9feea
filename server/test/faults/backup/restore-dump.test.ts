import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import process from 'node:process'
import { after, describe, it } from 'node:test'
import { sql } from 'kysely'
import { migrate, openStorage, parseDatabaseUrl, type Storage, schemaState, type Timeline, timeline } from '../../../src/storage/index.ts'
import { findSystemPostgres, type SystemPostgres, startSystemPostgres } from '../../support/faults/system-postgres.ts'
import { adding, laterVersion } from '../../support/later-versions.ts'

const page = readFileSync(new URL('../../../../docs/operate/backup.md', import.meta.url), 'utf8')
/** The blocks of commands below PostgreSQL's heading: the dump, the way back, and both in containers. */
const [dump = '', restore = '', inContainers = ''] = (page.split('\n## PostgreSQL\n')[1] ?? '')
  .split('```')
  .flatMap((block) => (block.startsWith('sh\n') ? block.slice('sh\n'.length) : []))

const bin = findSystemPostgres()
const later = laterVersion('9990-initials', adding)

describe('A dump of PostgreSQL, by the commands of docs/operate/backup.md', () => {
  // The packages that bring PostgreSQL for the tests have no pg_dump: it runs where the system has one.
  if (bin !== undefined)
    it('from before an upgrade is put back whole, twice, and both versions work on it', async () => {
      const postgres = await startSystemPostgres(bin)
      const run = shell(postgres)
      await on(postgres, timeline, async (storage) => {
        await migrate(storage)
        await sql`insert into users (id, email, created_at, updated_at) values ('u1', 'ana@exemplo.com.br', 1, 1)`.execute(storage.db)
      })
      run(dump)
      for (const round of ['first', 'second']) {
        await on(postgres, later, async (storage) => {
          assert.deepEqual(await migrate(storage), { applied: ['9990-initials'] }, round)
          await sql`insert into wishes (id, user_id) values ('w1', 'u1')`.execute(storage.db)
        })
        run(restore)
        await on(postgres, timeline, async (storage) => {
          assert.deepEqual(await schemaState(storage), { pending: [], newer: [], needs: undefined })
          const { rows } = await sql`select id, email from users`.execute(storage.db)
          assert.deepEqual(rows, [{ id: 'u1', email: 'ana@exemplo.com.br' }])
          assert.deepEqual((await sql`select to_regclass('wishes') as wishes`.execute(storage.db)).rows, [{ wishes: null }])
        })
        // A restored database can be dumped again.
        run(dump)
      }
    })

  it('is taken and put back in containers by the same programs, under the names of compose.yaml', () => {
    const compose = readFileSync(new URL('../../../../compose.yaml', import.meta.url), 'utf8')
    const services = [...compose.matchAll(/^ {2}(\w+):\n {4}\w/gm)].map(([, name = '']) => name)
    const asked = [...inContainers.matchAll(/docker compose (?:exec -T|run --rm|stop|up --detach) (\w+)/g)].map(([, name = '']) => name)
    assert.deepEqual(new Set(asked), new Set(services))
    assert.match(compose, /POSTGRES_USER: portaria\n {6}POSTGRES_DB: portaria\n/)
    const options = (block: string) => block.match(/(?<=\s)--[a-z-]+/g)?.filter((one) => !['--rm', '--detach', '--reason'].includes(one))
    assert.deepEqual(options(inContainers)?.sort(), [...(options(restore) ?? [])].sort())
    assert.equal(inContainers.match(/drop schema.+?(?=['"])/)?.[0], restore.match(/drop schema.+?(?=['"])/)?.[0] ?? assert.fail())
  })
})

/** Runs commands as an operator does, in a folder of their own; a fault of one of them is the test's. */
function shell({ url, bin }: SystemPostgres): (commands: string) => void {
  const folder = mkdtempSync(path.join(tmpdir(), 'portaria-dump-'))
  after(() => rmSync(folder, { recursive: true, force: true }))
  const env = { PATH: `${bin}${path.delimiter}${process.env.PATH}`, DATABASE_URL: url }
  return (commands) => {
    assert.notEqual(commands, '', 'the page has no such block')
    execFileSync('sh', ['-ec', commands], { cwd: folder, env, stdio: 'pipe' })
  }
}

async function on({ url }: SystemPostgres, of: Timeline, work: (storage: Storage) => Promise<void>): Promise<void> {
  const storage = await openStorage(parseDatabaseUrl(url) ?? assert.fail(), of)
  try {
    await work(storage)
  } finally {
    await storage.close()
  }
}
