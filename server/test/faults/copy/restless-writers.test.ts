import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { DatabaseSync } from 'node:sqlite'
import { describe, it } from 'node:test'
import { copyDatabase, giveUpCopy, type Waiting } from '../../../src/admin/index.ts'
import { openStorage, parseDatabaseUrl } from '../../../src/storage/index.ts'
import { commandLine } from '../../support/command-line.ts'
import { eachDurableDirection } from '../../support/databases.ts'
import { cheapPasswords, startService } from '../../support/service.ts'
import { until } from '../../support/until.ts'

type Where = { url: string }

const open = ({ url }: Where) => openStorage(parseDatabaseUrl(url) ?? assert.fail())
const copyLine = (from: Where, to: Where) => ['copy', '--from', from.url, '--to', to.url]

/** A process of its own with writers that never pause, until the fence refuses them: then it says how many writes were acknowledged. */
const RESTLESS = `
  const { isReadOnly, openStorage, parseDatabaseUrl } = await import('${new URL('../../../src/storage/index.ts', import.meta.url)}')
  const storage = await openStorage(parseDatabaseUrl(process.env.DATABASE_URL))
  let acknowledged = 0
  const write = async (writer) => {
    for (let i = 0; ; i++) {
      try {
        const row = { day: '2026-01-01', name: writer + ' ' + i, count: i }
        await storage.transaction((tx) => tx.insertInto('daily_counts').values(row).execute())
        if (++acknowledged === 100) process.stdout.write('writing ')
      } catch (error) {
        if (isReadOnly(error)) return
        throw error
      }
    }
  }
  await Promise.all([1, 2, 3, 4].map(write))
  process.stdout.write(String(acknowledged))`

describe('A copy of SQLite', () => {
  eachDurableDirection('beside writers', (from, to) => {
    if (from.name === 'postgres') return // its fence waits in a queue with the writers
    it('gets its turn though they never pause, and has all that was acknowledged', async () => {
      const [here, there] = [await from.fresh(), await to.empty()]
      const portaria = commandLine(here)
      assert.equal((await portaria('user create --email ana@example.com --name Ana')).code, 0)
      const environment = { ...process.env, DATABASE_URL: here.url }
      const writers = spawn(process.execPath, ['--input-type=module', '-e', RESTLESS], {
        env: environment,
        stdio: ['ignore', 'pipe', 'inherit'],
      })
      let said = ''
      writers.stdout.setEncoding('utf8').on('data', (text: string) => (said += text))
      const ended = once(writers, 'close')
      await until(() => said === 'writing ' || writers.exitCode !== null)
      const done = await portaria([...copyLine(here, there), '--json'])
      assert.equal(done.code, 0, done.err)
      assert.deepEqual(await ended, [0, null])
      const { rows } = done.json.tables.find(({ table }: { table: string }) => table === 'daily_counts')
      assert.equal(`writing ${rows}`, said)
    })

    it('waits for a moment that others leave, and is refused where they leave none: then nothing was changed', async () => {
      const [here, there] = [await from.fresh(), await to.empty()]
      const portaria = commandLine(here)
      assert.equal((await portaria('user create --email ana@example.com --name Ana')).code, 0)
      const service = await startService(here, { passwords: cheapPasswords })
      const target = await open(there)
      const other = new DatabaseSync(here.url.slice('sqlite:'.length))
      other.exec('begin immediate')
      const copy = (waiting: Waiting) =>
        copyDatabase({ ...service.context, target, actor: 'operator:test', onFenced: () => {}, step: () => {}, ...waiting })
      const refused = await copy({ timeoutMs: 0, onWait: () => assert.fail('it did not wait') })
      assert.deepEqual(refused, { refusal: 'never_free', seconds: 0 })
      other.exec('rollback')
      assert.equal((await portaria('user create --email late@example.com --name Late')).code, 0, 'the source is written as before')
      other.exec('begin immediate')
      const done = await copy({ onWait: () => other.exec('rollback') })
      assert.ok('tables' in done, JSON.stringify(done))
      const giveUp = (waiting: Waiting) => giveUpCopy({ ...service.context, actor: 'operator:test', ...waiting })
      assert.ok('doneAt' in (await giveUp({ onWait: () => assert.fail('nobody writes') })))
      other.close()
      await target.close()
      await service.stop()
    })
  })
})
