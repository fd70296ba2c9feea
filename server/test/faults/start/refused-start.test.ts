import assert from 'node:assert/strict'
import { once } from 'node:events'
import { mkdirSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { after, describe, it } from 'node:test'
import { freePort } from '../../support/free-port.ts'
import { type ServerProcess, spawnServer, startServer } from '../../support/server-process.ts'

const KEY = Buffer.alloc(32, 3).toString('base64')
const OTHER_KEY = Buffer.alloc(32, 4).toString('base64')

describe('A start', () => {
  const folder = mkdtempSync(path.join(tmpdir(), 'portaria-start-'))
  after(() => rmSync(folder, { recursive: true, force: true }))
  let folders = 0
  const fresh = () => path.join(folder, String(++folders), 'portaria.db')

  /** Fails at once: exit code 1, one line for each thing that is wrong, and no stack trace. */
  async function refuses(environment: Record<string, string>, ...lines: RegExp[]): Promise<void> {
    const server = spawnServer(environment)
    assert.equal((await server.exited).code, 1, server.complaints() + server.log())
    // A slow machine is told how far its tables are.
    const complaints = server
      .complaints()
      .trimEnd()
      .split('\n')
      .filter((line) => !line.startsWith('bringing the tables up to date'))
    assert.equal(complaints.length, lines.length, server.complaints())
    lines.forEach((line, i) => void assert.match(complaints[i] ?? '', line))
  }
  async function stop(server: ServerProcess): Promise<void> {
    server.child.kill('SIGTERM')
    assert.deepEqual(await server.exited, { code: 0, signal: null })
  }

  it('with several faults in its configuration names each in one line', async () => {
    const wrong = {
      PORT: 'http',
      PORTARIA_URL: 'sso',
      PORTARIA_LOG_LEVEL: 'loud',
      PORTARIA_SPEED: 'high',
      PORTARIA_MASTER_KEY: 'secret-text',
    }
    const server = spawnServer(wrong)
    assert.equal((await server.exited).code, 1)
    const lines = server.complaints().trimEnd().split('\n')
    assert.deepEqual(lines.map((line) => line.split(':')[0]).sort(), Object.keys(wrong).sort())
    for (const line of lines) assert.match(line, /^[A-Z_]+: expects .+/)
    assert.doesNotMatch(server.complaints() + server.log(), /secret-text/)
  })

  it('with another master key than the one its database was made with is refused, and the database left alone', async () => {
    const environment = { PORT: String(await freePort()), DATABASE_URL: `sqlite:${fresh()}`, PORTARIA_MASTER_KEY: KEY }
    await stop(await startServer(environment))
    await refuses({ ...environment, PORTARIA_MASTER_KEY: OTHER_KEY }, /^PORTARIA_MASTER_KEY: .*database/)
    await stop(await startServer(environment))
  })

  it('makes its own master key with SQLite, for nobody else to read, and finds it again', async () => {
    const file = fresh()
    const environment = { PORT: String(await freePort()), DATABASE_URL: `sqlite:${file}` }
    await stop(await startServer(environment))
    const keyFile = path.join(path.dirname(file), 'portaria.key')
    assert.equal(statSync(keyFile).mode & 0o777, 0o600)
    const key = readFileSync(keyFile, 'utf8')
    assert.equal(Buffer.from(key, 'base64').length, 32)
    await stop(await startServer(environment))
    assert.equal(readFileSync(keyFile, 'utf8'), key)
    rmSync(keyFile)
    await refuses(environment, /portaria\.key/)
  })

  it('on a port that another program has says so in one line', async () => {
    const other = createServer().listen(0, 'localhost')
    after(() => other.close())
    await once(other, 'listening')
    const address = other.address()
    assert.ok(address && typeof address === 'object')
    const environment = { PORT: String(address.port), DATABASE_URL: `sqlite:${fresh()}`, PORTARIA_MASTER_KEY: KEY }
    await refuses(environment, new RegExp(`^PORT: .*${address.port}.*in use`))
    const free = { ...environment, PORT: String(await freePort()), PORTARIA_METRICS_PORT: String(address.port) }
    await refuses(free, new RegExp(`^PORTARIA_METRICS_PORT: .*${address.port}.*in use`))
  })

  it('with a database that can not be used says so in one line', async () => {
    const PORT = String(await freePort())
    const directory = fresh()
    mkdirSync(directory, { recursive: true })
    await refuses({ PORT, DATABASE_URL: `sqlite:${directory}`, PORTARIA_MASTER_KEY: KEY }, /^DATABASE_URL: .*(unable to open|EISDIR)/)
    const garbage = fresh()
    mkdirSync(path.dirname(garbage), { recursive: true })
    writeFileSync(garbage, 'no database at all '.repeat(500))
    await refuses({ PORT, DATABASE_URL: `sqlite:${garbage}`, PORTARIA_MASTER_KEY: KEY }, /^DATABASE_URL: .*not a database/)
    const nobody = `postgres://portaria:pw-secret@127.0.0.1:${await freePort()}/portaria`
    const server = spawnServer({ PORT, DATABASE_URL: nobody, PORTARIA_MASTER_KEY: KEY })
    assert.equal((await server.exited).code, 1)
    assert.match(server.complaints(), /^DATABASE_URL: .*ECONNREFUSED.*\n$/)
    assert.doesNotMatch(server.complaints() + server.log(), /pw-secret/)
  })
})
