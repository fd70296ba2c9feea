import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import process from 'node:process'
import { after, describe, it } from 'node:test'
import { sql } from 'kysely'
import { migrate, openStorage, parseDatabaseUrl, type Storage, schemaState, type Timeline, timeline } from '../../../src/storage/index.ts'
import { findSystemPostgres, type SystemPostgres, startSystemPostgres } from '../../support/faults/system-postgres.ts'
import { adding, laterVersion } from '../../support/later-versions.ts'
import { until } from '../../support/until.ts'

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
      const { run } = shellOf(postgres)
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

  if (bin !== undefined)
    it('is not put back where what is there could not be kept: its tables stay, as they do where there is nothing to put back', async () => {
      const postgres = await startSystemPostgres(bin)
      await on(postgres, timeline, async (storage) => {
        await migrate(storage)
      })
      const { run, folder } = shellOf(postgres)
      run(dump)
      await on(postgres, timeline, async ({ db }) => {
        await sql`insert into users (id, email, created_at, updated_at) values ('u2', 'since-the-dump@example.com', 1, 1)`.execute(db)
      })
      const isThere = async () =>
        on(postgres, timeline, async ({ db }) => assert.deepEqual((await sql`select id from users`.execute(db)).rows, [{ id: 'u2' }]))
      for (const script of ['exit 1', 'printf PGDMP']) {
        const faulty = shellOf({ ...postgres, bin: `${fakeProgram('pg_dump', script)}${path.delimiter}${bin}` })
        writeFileSync(path.join(faulty.folder, 'portaria.dump'), readFileSync(path.join(folder, 'portaria.dump')))
        assert.throws(() => faulty.run(restore), script)
        await isThere()
      }
      const without = shellOf(postgres)
      assert.throws(() => without.run(restore))
      await isThere()
      const kept = () => readdirSync(folder).filter((name) => name.startsWith('before'))
      run(restore)
      await until(() => {
        run(restore) // in another second
        return kept().length > 1
      })
    })

  it('is not put back in containers either, where what is there could not be kept', () => {
    const log = path.join(mkdtempSync(path.join(tmpdir(), 'portaria-log-')), 'log')
    after(() => rmSync(path.dirname(log), { recursive: true, force: true }))
    const docker = fakeProgram('docker', `echo "$@" >> '${log}'\ncase "$*" in *pg_dump*) exit 1 ;; esac`)
    assert.throws(() => shellOf({ url: '', bin: docker }).run(inContainers))
    assert.match(readFileSync(log, 'utf8'), /stop portaria\n.+pg_dump.+\n$/)
    assert.doesNotMatch(readFileSync(log, 'utf8'), /drop schema|up --detach/)
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

/** Runs commands as somebody does who pastes them, in a folder of their own. A fault of the last one is the test's. */
function shellOf({ url, bin }: SystemPostgres): { folder: string; run: (commands: string) => void } {
  const folder = mkdtempSync(path.join(tmpdir(), 'portaria-dump-'))
  after(() => rmSync(folder, { recursive: true, force: true }))
  const env = { PATH: `${bin}${path.delimiter}${process.env.PATH}`, DATABASE_URL: url }
  const run = (commands: string) => {
    assert.notEqual(commands, '', 'the page has no such block')
    execFileSync('sh', ['-c', commands], { cwd: folder, env, stdio: 'pipe' })
  }
  return { folder, run }
}

/** The folder of a program that does what the script says. */
function fakeProgram(name: string, script: string): string {
  const folder = mkdtempSync(path.join(tmpdir(), 'portaria-fake-'))
  after(() => rmSync(folder, { recursive: true, force: true }))
  writeFileSync(path.join(folder, name), `#!/bin/sh\n${script}\n`, { mode: 0o755 })
  return folder
}

async function on({ url }: SystemPostgres, of: Timeline, work: (storage: Storage) => Promise<void>): Promise<void> {
  const storage = await openStorage(parseDatabaseUrl(url) ?? assert.fail(), of)
  try {
    await work(storage)
  } finally {
    await storage.close()
  }
}
