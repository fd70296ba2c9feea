import { setTimeout as sleep } from 'node:timers/promises'
import { askOnce, type Connection, expecting, request } from './harness/connection.ts'
import { atMost, median, quantile, type Row } from './harness/figures.ts'
import { type Fixture, URL_OF_SERVICE } from './harness/fixture.ts'
import { closedLoop, openLoop } from './harness/load.ts'
import { openConnections } from './harness/pair.ts'
import type { Running } from './harness/processes.ts'
import { checkOf } from './tokens.ts'

const CHECKS_PER_SECOND = 1_000
const CHECK_LINES = 64
const BURST_CONNECTIONS = 32

/**
 * Sign-ins of one browser. Each comes from a network and for an address of its own, as in an attack, so that no limit spares the service
 * the work.
 */
export async function signIns(port: number, fixture: Fixture): Promise<() => Buffer> {
  const page = await askOnce(port, request('GET', '/login'))
  const cookie = /portaria_flow=[^;]+/.exec(page)?.[0]
  const flow = /name="flow" value="([^"]+)"/.exec(page)?.[1]
  if (!cookie || !flow) throw new Error(`no sign-in form: ${page}`)
  let n = 0
  return () => {
    const at = n++
    const headers = {
      cookie: `__Host-${cookie}`,
      origin: URL_OF_SERVICE,
      'x-forwarded-for': `10.${(at >> 16) & 255}.${(at >> 8) & 255}.${at & 255}`,
      'content-type': 'application/x-www-form-urlencoded',
    }
    return request(
      'POST',
      '/login',
      headers,
      new URLSearchParams({ flow, email: fixture.email(at % fixture.users), password: `wrong ${at}` }).toString(),
    )
  }
}

/** The effect of a burst of sign-ins on checks at a steady rate, calm and burst in turns. */
export async function measureBurst({
  fixture,
  service,
  seconds,
  turns,
}: {
  fixture: Fixture
  service: Running
  seconds: number
  turns: number
}): Promise<Row[]> {
  const requests = (await fixture.sessionTokens(0, 1_000)).map(checkOf)
  const checks = await openConnections(service.port, CHECK_LINES)
  const bursting = await openConnections(service.port, BURST_CONNECTIONS)
  const next = await signIns(service.port, fixture)
  const ask = () => openLoop(checks, { requests, perSecond: CHECKS_PER_SECOND, seconds, accept: expecting('"authenticated":true') })
  await ask()
  const quiet: number[] = []
  const inBurst: number[] = []
  let signedIn = 0
  for (let turn = 0; turn < turns; turn++) {
    quiet.push(quantile(await ask(), 0.99))
    const burst = startBurst(bursting, next)
    await sleep(500)
    inBurst.push(quantile(await ask(), 0.99))
    signedIn += await burst.stop()
  }
  for (const connection of [...checks, ...bursting]) connection.close()
  const added = median(inBurst.map((ms, i) => ms - (quiet[i] ?? 0)))
  const beside = `p99 ${median(quiet).toFixed(1)} ms calm, ${median(inBurst).toFixed(1)} ms with ${(signedIn / turns / (seconds + 0.5)).toFixed(0)} sign-ins/s on the same core`
  return [
    {
      figure: '1,000 checks/s: what a burst of sign-ins adds to p99',
      value: `**${added.toFixed(1)} ms**`,
      target: atMost(15, added, ' ms'),
      beside,
    },
  ]
}

/** As many sign-ins as the connections carry, until `isOver`; answers how many were answered. */
function startBurst(connections: readonly Connection[], next: () => Buffer): { stop(): Promise<number> } {
  let isOver = false
  const running = closedLoop(connections, () => (isOver ? undefined : next()), expecting('{"error":'))
  return {
    async stop() {
      isOver = true
      return (await running).count
    },
  }
}
