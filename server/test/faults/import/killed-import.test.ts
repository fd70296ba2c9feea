import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { after, it } from 'node:test'
import { setTimeout } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { openStorage, parseDatabaseUrl } from '../../../src/storage/index.ts'
import { commandLine, MASTER_KEY } from '../../support/command-line.ts'
import { eachDatabase } from '../../support/databases.ts'

const COUNT = 3_000
const LAUNCHER = fileURLToPath(new URL('../../../bin/portaria.mjs', import.meta.url))

eachDatabase('An import that is killed', (database) => {
  const folder = mkdtempSync(path.join(tmpdir(), 'portaria-killed-import-'))
  after(() => rmSync(folder, { recursive: true }))

  it('goes on when it is run again: nothing is doubled, and nothing is lost', async () => {
    const file = path.join(folder, 'users.jsonl')
    const hash = '$P$Babcdefgh.xFw/fkCt8DTYfNHlBveV/'
    const lines = Array.from({ length: COUNT }, (_, i) => JSON.stringify({ email: `user${i}@example.com`, password_hash: hash }))
    writeFileSync(file, lines.join('\n'))
    const where = await database.fresh()
    const portaria = commandLine(where)
    assert.equal((await portaria('migrate')).code, 0)
    const storage = await openStorage(parseDatabaseUrl(where.url) ?? assert.fail())
    const usersNow = async () => (await storage.db.selectFrom('users').select('id').execute()).length
    const environment = { ...process.env, DATABASE_URL: where.url, PORTARIA_MASTER_KEY: MASTER_KEY }
    const child = spawn(process.execPath, [LAUNCHER, 'import', 'users', file], { env: environment, stdio: 'ignore' })
    const ended = once(child, 'exit')
    while ((await usersNow()) < 50 && child.exitCode === null) await setTimeout(2)
    child.kill('SIGKILL')
    await ended
    assert.equal(child.signalCode, 'SIGKILL', 'it was killed before its end')
    const before = await usersNow()
    assert.ok(before >= 50 && before < COUNT, `${before} users`)
    assert.equal((await storage.db.selectFrom('users_company').select('user_id').execute()).length, before, 'each with its profile')

    const again = await portaria(`import users ${file} --json`)
    assert.equal(again.code, 0, again.err)
    assert.deepEqual(again.json, { dry_run: false, added: COUNT - before, known: before, refused: 0, lines: [] })
    assert.equal(await usersNow(), COUNT)
    const audit = (await portaria('audit list --action user.import --json')).json as Array<{ after: { state: string } }>
    assert.deepEqual(
      audit.map(({ after }) => after.state),
      ['done', 'begun', 'begun'],
    )
    await storage.close()
  })

  it('of purchases goes on too, and comes to what one run comes to', async () => {
    const file = path.join(folder, 'purchases.jsonl')
    const line = (i: number) => {
      const paid = {
        at: '2026-01-01',
        email: `user${i % 300}@example.com`,
        product: 'wiki',
        plan: 'pro',
        payment_id: `p${i}`,
        amount: 9900,
      }
      return JSON.stringify({ ...paid, subscription_id: `s${i % 300}` })
    }
    writeFileSync(file, `${Array.from({ length: 900 }, (_, i) => line(i)).join('\n')}\n`)
    const where = await database.fresh()
    const portaria = commandLine(where)
    await portaria('product create --slug wiki --name Wiki --audience internal --checkout integrated')
    await portaria('plan set --slug pro --name Pro --price 9900')
    const storage = await openStorage(parseDatabaseUrl(where.url) ?? assert.fail())
    const keptNow = async () => (await storage.db.selectFrom('notifications').select('id').execute()).length
    const environment = { ...process.env, DATABASE_URL: where.url, PORTARIA_MASTER_KEY: MASTER_KEY }
    const child = spawn(process.execPath, [LAUNCHER, 'import', 'purchases', file], { env: environment, stdio: 'ignore' })
    const ended = once(child, 'exit')
    while ((await keptNow()) < 50 && child.exitCode === null) await setTimeout(2)
    child.kill('SIGKILL')
    await ended
    assert.equal(child.signalCode, 'SIGKILL', 'it was killed before its end')
    const before = await keptNow()
    assert.ok(before >= 50 && before < 900, `${before} purchases`)
    const again = await portaria(`import purchases ${file} --json`)
    assert.deepEqual([again.code, again.json.applied, again.json.known], [0, 900 - before, before], again.err)
    const subscriptions = await storage.db.selectFrom('subscriptions').select('state').execute()
    assert.deepEqual([subscriptions.length, subscriptions.every(({ state }) => state === 'active')], [300, true])
    const events = await storage.db.selectFrom('subscription_events').select('key').execute()
    assert.equal(events.length, 900)
    assert.equal((await portaria('subscriptions rebuild --check --json')).code, 0)
    await storage.close()
  })
})
