import assert from 'node:assert/strict'
import { copyFileSync, existsSync, mkdirSync, mkdtempSync, renameSync, rmSync, truncateSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { after, describe, it } from 'node:test'
import { commandLine } from '../support/command-line.ts'
import { freePort } from '../support/free-port.ts'
import { completed, notify, WEBHOOKS } from '../support/gateways/purchases.ts'
import { spawnServer, startServer } from '../support/server-process.ts'
import { until } from '../support/until.ts'

describe('The files of a SQLite database', () => {
  const home = mkdtempSync(path.join(tmpdir(), 'portaria-lost-'))
  after(() => rmSync(home, { recursive: true, force: true }))
  const fresh = async (name: string) => {
    const folder = path.join(home, name)
    mkdirSync(folder)
    const file = path.join(folder, 'portaria.db')
    const environment = { PORT: String(await freePort()), DATABASE_URL: `sqlite:${file}` }
    return { file, environment, portaria: commandLine({ url: environment.DATABASE_URL }, { PORT: environment.PORT }) }
  }
  const ready = async (url: string) => {
    const answer = await fetch(`${url}/readyz`)
    const { warnings } = (await answer.json()) as { warnings: string[] }
    return { code: answer.status, warnings: warnings.join() }
  }

  const startsAnew = async (loss: 'emptied' | 'deleted') => {
    const { file, environment, portaria } = await fresh(loss)
    const server = await startServer(environment)
    server.child.kill('SIGTERM')
    await server.exited
    assert.equal((await portaria('user create --email ana@exemplo.com.br --name Ana')).code, 0)
    assert.equal((await portaria(`backup ${file}.copy`)).code, 0)
    const endings = ['-wal', '-shm']
    for (const ending of endings) rmSync(file + ending, { force: true })
    if (loss === 'emptied') truncateSync(file)
    else rmSync(file)
    const pattern = /is empty or gone, and has been in use with .+portaria\.key/
    const refused = spawnServer(environment)
    assert.equal((await refused.exited).code, 1)
    assert.match(refused.complaints(), pattern)
    assert.match((await portaria('user list')).err, pattern)
    const doctor = await portaria('doctor')
    assert.equal(doctor.code, 1)
    assert.match(doctor.out, pattern)
    assert.equal((await portaria(`restore ${file}.copy`)).code, 0)
    assert.equal((await portaria('user list --json')).json.length, 1)
    for (const name of [file, `${file}.before-restore`, `${file}-wal`, `${file}-shm`, path.join(path.dirname(file), 'portaria.key.used')])
      rmSync(name, { force: true })
    assert.match((await portaria('user list')).err, /there is no database of Portaria at/)
    assert.equal((await portaria('migrate')).code, 0)
    assert.equal((await portaria('user list --json')).json.length, 0, 'begun anew')
  }

  const goesUnderway = async (loss: 'the database' | 'its log' | 'the database in favour of a copy') => {
    const { file, environment, portaria } = await fresh(`running-${loss.replaceAll(' ', '-')}`)
    const server = await startServer({ ...environment, ...WEBHOOKS })
    const buy = async () => (await notify(server.url, completed({ email: 'ana@exemplo.com.br' }))).status
    assert.equal(await buy(), 200)
    assert.equal((await ready(server.url)).code, 200)
    const lost = loss === 'its log' ? `${file}-wal` : file
    renameSync(lost, `${lost}.away`)
    if (loss.endsWith('copy')) copyFileSync(`${lost}.away`, lost)
    assert.equal(await buy(), 503)
    await until(async () => (await ready(server.url)).code === 503, 2_000)
    const { warnings } = await ready(server.url)
    assert.match(warnings, /was deleted or replaced while this process has it open/)
    assert.equal((await portaria('doctor')).code, 1)
    if (existsSync(lost)) rmSync(lost)
    renameSync(`${lost}.away`, lost)
    assert.equal(await buy(), 200, 'the very file is back')
  }

  it('F8: that are emptied beside a key which was in use are no first start', () => startsAnew('emptied'))
  it('F8: that are deleted beside a key which was in use are no first start', () => startsAnew('deleted'))
  it('F8: are missed when the database goes under a running service', () => goesUnderway('the database'))
  it('F8: are missed when the log goes under a running service', () => goesUnderway('its log'))
  it('F8: are missed when a copy takes their place under a running service', () => goesUnderway('the database in favour of a copy'))
})
