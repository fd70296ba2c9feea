import assert from 'node:assert/strict'
import process from 'node:process'
import { it } from 'node:test'
import { setTimeout as pause } from 'node:timers/promises'
import { isDeepStrictEqual } from 'node:util'
import { eachDurableDatabase } from '../../support/databases.ts'
import { isLive, sessionOf } from '../../support/faults/actions.ts'
import { askOnNewConnection } from '../../support/faults/new-connection.ts'
import { freePort } from '../../support/free-port.ts'
import { environmentBeside, type ServerProcess, spawnServer, startServer } from '../../support/server-process.ts'
import { PASSWORD, startService } from '../../support/service.ts'
import { until } from '../../support/until.ts'

const EMAIL = 'ana@exemplo.com.br'
const PROPAGATION_MS = 2_000
/** Between two connections of a visitor: processes that start need the cores, too. */
const PACE_MS = 5

eachDurableDatabase('Several processes of one port', (database) => {
  async function begin(processes: number) {
    const port = await freePort()
    const hand = await startService(await database.fresh(), { environment: { PORTARIA_URL: `http://localhost:${port}` } })
    await hand.user(EMAIL)
    const environment = { ...environmentBeside(hand, { port }), PORTARIA_PROCESSES: String(processes) }
    await hand.stop()
    const server = await startServer(environment)
    await until(() => servingPids(server).length === processes)
    return { server, environment, port }
  }

  it('are one service: what one does all know, and readiness and numbers are of all', async () => {
    const { server } = await begin(3)
    const browser = server.browser()
    assert.equal((await browser.signIn('/login', { email: EMAIL, password: PASSWORD })).status, 302)
    const token = sessionOf(browser)
    assert.equal(await countLive(server, token, 60), 60)
    await until(async () => (await readMetric(server, 'portaria_checks_total{result="valid"}')) === 60)
    // A process that sleeps accepts nothing while another one is awake, so visitors come together.
    // The log gets a line a moment after the answer, so it is looked at again.
    await until(async () => {
      await Promise.all(Array.from({ length: 40 }, () => askOnNewConnection(`${server.url}/healthz`)))
      return new Set(linesOf(server, 'request').map(({ pid }) => pid)).size === 3
    })
    await browser.get('/auth/signout')
    await until(async () => (await countLive(server, token, 30)) === 0, PROPAGATION_MS)
    const ready = { status: 'ready', pending_migrations: [], warnings: [] }
    await until(async () => isDeepStrictEqual(await readiness(server), ready))
  })

  it('count on from what processes had counted that are replaced or killed', async () => {
    const { server } = await begin(2)
    const browser = server.browser()
    await browser.signIn('/login', { email: EMAIL, password: PASSWORD })
    const token = sessionOf(browser)
    const checks = () => readMetric(server, 'portaria_checks_total{result="valid"}')
    await countLive(server, token, 40)
    await until(async () => (await checks()) === 40)
    // A process hands over its numbers as it ends. Nobody has asked for them before.
    await countLive(server, token, 10)
    server.child.kill('SIGHUP')
    await until(() => linesOf(server, 'all processes were replaced').length === 1)
    await until(async () => (await checks()) === 50)
    await countLive(server, token, 20)
    await until(async () => (await checks()) === 70)
    process.kill(servingPids(server).at(-1) ?? 0, 'SIGKILL')
    await until(() => servingPids(server).length === 5)
    await until(async () => (await checks()) === 70)
  })

  it('replace one that is killed: the others serve meanwhile, and readiness says so', async () => {
    const { server } = await begin(2)
    const [, victim = 0] = servingPids(server)
    process.kill(victim, 'SIGKILL')
    await until(async () => (await warnings(server)).includes('1 of 2 processes'))
    await until(async () => servingPids(server).length === 3 && (await warnings(server)) === '')
    assert.equal(linesOf(server, 'a process has ended').find(({ process: pid }) => pid === victim)?.signal, 'SIGKILL')
  })

  it('are replaced one after the other at SIGHUP, and no connection is refused or cut off', async () => {
    const { server } = await begin(2)
    const before = servingPids(server)
    let isOver = false
    const knock = async () => {
      let answered = 0
      for (; !isOver; answered++, await pause(PACE_MS)) assert.equal(await askOnNewConnection(`${server.url}/healthz`), 200)
      return answered
    }
    const visitors = [knock(), knock(), knock(), knock()]
    server.child.kill('SIGHUP')
    await until(() => linesOf(server, 'all processes were replaced').length === 1)
    isOver = true
    const answered = (await Promise.all(visitors)).reduce((sum, one) => sum + one, 0)
    assert.ok(answered > 200, `${answered} answers`)
    assert.equal(servingPids(server).length, 4)
    assert.deepEqual(
      linesOf(server, 'stopped').map(({ pid }) => pid),
      before,
    )
    assert.equal(await warnings(server), '')
  })

  it('are reloaded at SIGHUP also where the host has a core for one alone', async () => {
    const { server } = await begin(1)
    server.child.kill('SIGHUP')
    await until(() => linesOf(server, 'all processes were replaced').length === 1)
    assert.equal(await askOnNewConnection(`${server.url}/healthz`), 200)
    assert.equal(servingPids(server).length, 2)
    assert.equal(await warnings(server), '')
  })

  it('drain one after the other at SIGTERM: the port is served to the last, and is free then', async () => {
    const { server, environment } = await begin(3)
    server.child.kill('SIGTERM')
    await until(async () => {
      const status = await askOnNewConnection(`${server.url}/healthz`).catch(() => 0)
      // The last one serves on for a moment after it has begun to stop.
      if (linesOf(server, 'stopping').length < 3) assert.equal(status, 200)
      return linesOf(server, 'stopped').length >= 2
    })
    assert.deepEqual(await server.exited, { code: 0, signal: null })
    const [first, second, third] = linesOf(server, 'stopping').map(({ time }) => time)
    const [one, two] = linesOf(server, 'stopped').map(({ time }) => time)
    assert.ok(String(first) < String(one) && String(one) <= String(second) && String(two) <= String(third))
    await startServer(environment)
  })

  it('end by themselves when their parent was killed', async () => {
    const { server, environment } = await begin(2)
    server.child.kill('SIGKILL')
    await until(() => linesOf(server, 'stopped').length === 2)
    await startServer(environment)
  })

  it('refuse a port that others share already, and a fault of the environment once', async () => {
    const { environment } = await begin(2)
    const second = spawnServer(environment)
    assert.deepEqual(await second.exited, { code: 1, signal: null })
    assert.match(second.complaints(), /^PORT: expects a free port; .* is in use by process \d+ \(another Portaria; kill \d+ stops it\)\n$/)
    const wrong = spawnServer({ ...environment, PORTARIA_ACCESS_TOKEN_TTL: 'long' })
    assert.deepEqual(await wrong.exited, { code: 1, signal: null })
    assert.equal(wrong.complaints(), 'PORTARIA_ACCESS_TOKEN_TTL: expects seconds, 60 to 86400\n')
  })
})

interface Line {
  [field: string]: unknown
  msg: string
}

function linesOf(server: ServerProcess, msg: string): Line[] {
  const lines = server
    .log()
    .split('\n')
    .filter((line) => line.endsWith('}'))
  return lines.map((line): Line => JSON.parse(line)).filter((line) => line.msg.startsWith(msg))
}

function servingPids(server: ServerProcess): number[] {
  return linesOf(server, 'listening').map(({ pid }) => Number(pid))
}

/** Each check comes on a connection of its own, as each may go to another process. */
async function countLive(server: ServerProcess, token: string, times: number): Promise<number> {
  const answers = await Promise.all(Array.from({ length: times }, () => isLive(server, token)))
  return answers.filter(Boolean).length
}

async function readiness({ url }: ServerProcess): Promise<{ warnings: string[] }> {
  return (await fetch(`${url}/readyz`)).json() as Promise<{ warnings: string[] }>
}

async function warnings(server: ServerProcess): Promise<string> {
  return (await readiness(server)).warnings.join()
}

async function readMetric({ url }: ServerProcess, name: string): Promise<number> {
  const text = await (await fetch(`${url}/metrics`)).text()
  return Number(
    text
      .split('\n')
      .find((line) => line.startsWith(`${name} `))
      ?.split(' ')[1],
  )
}
