import assert from 'node:assert/strict'
import { copyFileSync, existsSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { it } from 'node:test'
import { commandLine, MASTER_KEY } from '../../test/command-line.ts'
import { eachDatabase } from '../../test/databases.ts'
import { PASSWORD, startService } from '../../test/service.ts'

eachDatabase('The migrate command', (database) => {
  it('makes the tables, and then has nothing left to do', async () => {
    const portaria = commandLine(await database.empty())
    assert.deepEqual((await portaria('migrate --json')).json, {
      applied: [
        '0001-front-door',
        '0002-accounts',
        '0003-purchases',
        '0004-gateways',
        '0005-outbox-lanes',
        '0006-one-payment-one-line',
        '0007-second-factor',
        '0008-passkeys',
        '0009-own-page',
        '0010-passkey-sessions',
        '0011-console',
        '0012-gone-subscriptions',
      ],
    })
    assert.deepEqual((await portaria('migrate --json')).json, { applied: [] })
    assert.match((await portaria('migrate')).out, /up to date/)
  })
})

eachDatabase('Backup and restore', (database) => {
  if (database.name === 'postgres') {
    it('leave PostgreSQL to its own tools, and say which', async () => {
      const portaria = commandLine(await database.fresh())
      for (const line of ['backup /nowhere/b.db', 'restore /nowhere/b.db']) {
        const said = await portaria(line)
        assert.equal(said.code, 1)
        assert.match(said.err, /pg_dump/)
      }
    })
    return
  }

  const fresh = async () => {
    const url = await database.empty()
    const folder = path.dirname(url.url.slice('sqlite:'.length))
    return {
      url,
      folder,
      file: path.join(folder, 'portaria.db'),
      backup: path.join(folder, 'copy.db'),
      key: path.join(folder, 'portaria.key'),
    }
  }

  it('bring back what was, and sign everybody out', async () => {
    const { url, file, backup } = await fresh()
    const portaria = commandLine(url)
    const service = await startService(url)
    await service.user('ana@example.com')
    await service.browser().signIn('/login', { email: 'ana@example.com', password: PASSWORD })
    const done = await portaria(`backup ${backup}`)
    assert.equal(done.code, 0, done.err)
    assert.match(done.out, /The master key is not in it/)
    assert.equal(statSync(backup).mode & 0o777, 0o600)
    assert.ok(!readFileSync(backup).includes(MASTER_KEY))
    await portaria('user create --email late@example.com --name Late')

    const refused = await portaria(`restore ${backup}`)
    assert.equal(refused.code, 1)
    assert.match(refused.err, /in use: stop the service/)
    assert.equal((await portaria('user list --json')).json.length, 2)

    await service.stop()
    const restored = await portaria(`restore ${backup} --json`)
    assert.deepEqual([restored.code, restored.json], [0, { database: file, sessions_revoked: true }], restored.err)
    assert.deepEqual(
      (await portaria('user list --json')).json.map(({ email }: { email: string }) => email),
      ['ana@example.com'],
    )
    assert.equal((await portaria('user show ana@example.com --json')).json.live_sessions, 0)
    assert.equal((await portaria('audit list --action database.restore --json')).json.length, 1)
    assert.ok(existsSync(`${file}.before-restore`))

    assert.equal((await portaria(`restore ${backup} --keep-sessions`)).code, 0)
    assert.equal((await portaria('user show ana@example.com --json')).json.live_sessions, 1)
    assert.deepEqual(leftovers(path.dirname(file)), [])
  })

  it('need the key that the backup was made with, and change nothing without it', async () => {
    const { url, backup, key } = await fresh()
    const portaria = commandLine(url, {})
    await portaria('user create --email ana@example.com --name Ana')
    await portaria(`backup ${backup}`)
    const elsewhere = await fresh()
    const moved = commandLine(elsewhere.url, {})
    assert.match((await moved(`restore ${backup}`)).err, /portaria\.key is gone/)
    assert.deepEqual(readdirSync(elsewhere.folder), [])
    copyFileSync(key, elsewhere.key)
    assert.equal((await moved(`restore ${backup}`)).code, 0)
    assert.equal((await moved('user list --json')).json.length, 1)
    const other = await commandLine(url, { PORTARIA_MASTER_KEY: MASTER_KEY })(`restore ${backup}`)
    assert.match(other.err, /made with another master key/)
    rmSync(key)
    const lost = await portaria(`restore ${backup}`)
    assert.equal(lost.code, 1)
    assert.match(lost.err, /portaria\.key is gone, and this database was made with the key in it/)
    assert.ok(!existsSync(key))
  })

  it('refuse what is no backup, is damaged or not there, and never write over a file', async () => {
    const { url, folder, backup } = await fresh()
    const portaria = commandLine(url)
    assert.match((await portaria(`backup ${backup}`)).err, /there is no database/)
    assert.match((await portaria(`backup ${folder}/none/copy.db`)).err, /there is no folder/)
    await portaria('user create --email ana@example.com --name Ana')
    await portaria(`backup ${backup}`)
    assert.match((await portaria(`backup ${backup}`)).err, /exists: name a new file/)
    const broken = path.join(folder, 'broken.db')
    const bytes = readFileSync(backup)
    bytes.fill(0xff, 8_192, 40_960)
    writeFileSync(broken, bytes)
    const text = path.join(folder, 'notes.txt')
    writeFileSync(text, 'not a database at all '.repeat(100))
    assert.match((await portaria(`restore ${broken}`)).err, /damaged or no backup/)
    assert.match((await portaria(`restore ${text}`)).err, /damaged or no backup/)
    assert.match((await portaria(`restore ${folder}/absent.db`)).err, /there is no file/)
    assert.equal((await portaria('user list --json')).json.length, 1)
    assert.deepEqual(leftovers(folder), [])
  })
})

function leftovers(folder: string): string[] {
  return readdirSync(folder).filter((name) => /part|restoring/.test(name))
}
