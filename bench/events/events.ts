import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { sql } from 'kysely'
import { EVENT_TYPES, type EventType, endpointStore } from '../../server/src/app-events/index.ts'
import { createEndpoint } from '../../server/src/event-delivery/index.ts'
import type { Connection } from '../harness/connection.ts'
import { expecting } from '../harness/connection.ts'
import { atLeast, atMost, median, type Row, spread } from '../harness/figures.ts'
import { type Fixture, makeFixture } from '../harness/fixture.ts'
import { closedLoop, eachOnce } from '../harness/load.ts'
import { openConnections, type Rounds } from '../harness/pair.ts'
import { type Running, startService } from '../harness/processes.ts'
import { checksOf, notifications, send } from '../purchases.ts'

const SENDERS = 64
const EACH = 1_600
/** The endpoints of the deliveries, and how long their apps take. */
const ENDPOINTS = 64
const ANSWER_MS = 50
const WORST_OVERHEAD = 1.05
const LEAST_DELIVERIES = 500
const WORST_BESIDE = 1.1
const OF_ACCESS: readonly EventType[] = EVENT_TYPES.filter((type) => /^(access|subscription)\./.test(type))

interface Options {
  fresh: (name: string) => string
  rounds: Rounds
  /** Events that 64 endpoints get, each, in a round. */
  events: number
  /** Deliveries that wait. */
  waiting: number
}

/** The cost of events: for the purchases that make them, of their delivery, and of very many that wait. */
export async function measureEvents({ fresh, rounds, events, waiting }: Options): Promise<Row[]> {
  const overhead = await measureOverhead(fresh, rounds)
  const delivered = await measureDeliveries(fresh, { rounds: Math.min(rounds.count, 5), events })
  return [...overhead, delivered, ...(await measureWaiting(fresh, { rounds, waiting }))]
}

interface Place {
  fixture: Fixture
  service: Running
}

async function open(folder: string, urls: readonly string[], { isDisabled = false, types = OF_ACCESS } = {}): Promise<Place> {
  const fixture = await makeFixture(folder, 1_000, 1_000)
  const deps = { ...fixture.context, actor: 'operator:bench' as const, isDevelopment: true }
  for (const url of urls) {
    const made = await createEndpoint({ productSlug: undefined, url, types, description: '', isDisabled }, deps)
    if ('refusal' in made) throw new Error(made.refusal)
  }
  const service = await startService(folder, 'development')
  const areReady = async () => (await endpointStore(fixture.context.storage.db).list()).every(({ readyAt }) => readyAt !== undefined)
  while (!(await areReady())) await sleep(100)
  return { fixture, service }
}

async function close({ fixture, service }: Place): Promise<void> {
  await service.stop()
  await fixture.context.close()
}

/** An app, in this process. `received` says when each event came. */
async function startApp(answer: { afterMs: number } | 'never') {
  const received: number[] = []
  const server = createServer((request, response) => {
    request.resume()
    request.on('end', () => {
      received.push(performance.now())
      if (answer !== 'never') setTimeout(() => response.writeHead(204).end(), answer.afterMs)
    })
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/hooks`
  const stop = () => {
    server.closeAllConnections()
    server.close()
  }
  return { url, received, stop }
}

/** Nothing has to be looked at or delivered any more. */
async function drained({ fixture }: Place): Promise<void> {
  for (;;) {
    const { rows } = await sql<{ n: number }>`
      select (select count(*) from reported_subscriptions where due is not null) + (select count(*) from event_deliveries where next_at is not null) as n`.execute(
      fixture.context.storage.db,
    )
    if (rows[0]?.n === 0) return
    await sleep(20)
  }
}

/**
 * Purchases with and without an endpoint that hears of them, in turn. The time is that of the notifications, with what the service does
 * beside them; the CPU is counted until all of it is done.
 */
async function measureOverhead(fresh: (name: string) => string, rounds: Rounds): Promise<Row[]> {
  const app = await startApp({ afterMs: 0 })
  const sides = {
    off: await open(fresh('events-off'), []),
    written: await open(fresh('events-written'), [app.url], { isDisabled: true }),
    delivered: await open(fresh('events-delivered'), [app.url]),
  }
  const names = ['off', 'written', 'delivered'] as const
  const took: Record<(typeof names)[number], { ms: number[]; cpu: number[] }> = {
    off: { ms: [], cpu: [] },
    written: { ms: [], cpu: [] },
    delivered: { ms: [], cpu: [] },
  }
  for (let round = 0; round < rounds.count + 2; round++) {
    for (const name of round % 2 === 0 ? names : names.toReversed()) {
      const { service } = sides[name]
      const connections = await openConnections(service.port, SENDERS)
      const before = service.cpuMs()
      const ms = await send(connections, notifications(EACH))
      await drained(sides[name])
      const cpu = service.cpuMs() - before
      for (const connection of connections) connection.close()
      if (round < 2) continue // the first two warm up
      took[name].ms.push(ms)
      took[name].cpu.push(cpu)
    }
  }
  for (const name of names) await close(sides[name])
  app.stop()
  const against = (side: 'written' | 'delivered', what: 'ms' | 'cpu') => took[side][what].map((one, i) => one / (took.off[what][i] ?? 0))
  const rowOf = (side: 'written' | 'delivered', figure: string) => ({
    figure: `purchase notifications, ${SENDERS} senders: ${figure}, against no endpoint`,
    value: `${spread(against(side, 'ms'))} times`,
    beside: `by CPU time, with all that follows, ${spread(against(side, 'cpu'))}: ${perOne(took[side].cpu)} against ${perOne(took.off.cpu)}; ${rate(took[side].ms)} against ${rate(took.off.ms)}`,
  })
  return [
    { ...rowOf('written', 'events written'), target: atMost(WORST_OVERHEAD, median(against('written', 'ms'))) },
    rowOf('delivered', 'events written and delivered at once'),
  ]
}

const perOne = (ms: readonly number[]) => `${((median(ms) * 1000) / EACH).toFixed(0)} µs`
const rate = (ms: readonly number[]) => `${((EACH * 1000) / median(ms)).toFixed(0)}/s`

/** Each event goes to each endpoint. The rate is from the first that came to the last. */
async function measureDeliveries(fresh: (name: string) => string, { rounds, events }: { rounds: number; events: number }): Promise<Row> {
  const app = await startApp({ afterMs: ANSWER_MS })
  const urls = Array.from({ length: ENDPOINTS }, (_, n) => `${app.url}/${n}`)
  const place = await open(fresh('events-deliveries'), urls, { types: ['session.revoked'] })
  const [rates, cpu, busy]: [number[], number[], number[]] = [[], [], []]
  for (let round = 0; round < rounds; round++) {
    app.received.length = 0
    const [before, from] = [place.service.cpuMs(), performance.now()]
    await addWaiting(place, { from: round * events, events })
    await drained(place)
    const [cpuMs, ms] = [place.service.cpuMs() - before, performance.now() - from]
    const span = (app.received.at(-1) ?? 0) - (app.received[0] ?? 0)
    rates.push((app.received.length * 1000) / span)
    cpu.push((cpuMs * 1000) / app.received.length)
    busy.push(cpuMs / ms)
  }
  await close(place)
  app.stop()
  return {
    figure: `deliveries to ${ENDPOINTS} endpoints that answer in ${ANSWER_MS} ms`,
    value: `**${median(rates).toFixed(0)}** a second`,
    target: atLeast(LEAST_DELIVERIES, median(rates)),
    beside: `${median(cpu).toFixed(0)} µs of CPU each, core ${(median(busy) * 100).toFixed(0)} % used; ${app.received.length} deliveries a round`,
  }
}

/** Writes events that are due at every endpoint, as a service does that was stopped before it delivered them. */
async function addWaiting({ fixture }: Place, { from, events }: { from: number; events: number }): Promise<void> {
  const { db } = fixture.context.storage
  const now = fixture.context.now()
  const data = JSON.stringify({ product_id: null, user_id: '0199c0de-0000-7000-8000-000000000001', session_id: null })
  await sql`
    with recursive numbers(n) as (select ${from} union all select n + 1 from numbers where n < ${from + events - 1})
    insert into app_events (id, type, product_id, subject, sequence, occurred_at, data)
    select printf('0199c0de-0000-7000-8000-%012x', n), 'session.revoked', null, 'user', ${now}, ${now}, ${data} from numbers`.execute(db)
  const [first, last] = [from, from + events - 1].map((n) => `0199c0de-0000-7000-8000-${n.toString(16).padStart(12, '0')}`)
  await sql`
    insert into event_deliveries (endpoint_id, event_id, state, attempts, next_at)
    select e.id, v.id, 'pending', 0, ${now} from event_endpoints as e cross join app_events as v where v.id between ${first} and ${last}`.execute(
    db,
  )
}

/** Notifications and checks beside very many deliveries that wait for an endpoint that hangs, against the same with none. */
async function measureWaiting(fresh: (name: string) => string, { rounds, waiting }: { rounds: Rounds; waiting: number }): Promise<Row[]> {
  const app = await startApp('never')
  const types = ['session.revoked'] as const
  const sides = {
    none: await open(fresh('events-none'), [app.url], { types: [...types] }),
    many: await open(fresh('events-many'), [app.url], { types: [...types] }),
  }
  await addWaiting(sides.many, { from: 0, events: waiting })
  const rows = [
    await compare('purchase notifications, 64 senders', EACH, {
      rounds,
      sides,
      work: (_fixture, connections) => send(connections, notifications(EACH)),
    }),
    await compare('check-access by user id', 10_000, {
      ...{ rounds, sides },
      work: async (fixture, connections) => (await closedLoop(connections, eachOnce(checksOf(fixture)), expecting('"reason":"paid"'))).ms,
    }),
  ]
  app.stop()
  for (const side of [sides.none, sides.many]) await close(side)
  return rows.map(({ figure, ...row }) => ({
    figure: `${figure}, beside ${waiting.toLocaleString('en')} deliveries that wait, against none`,
    ...row,
  }))
}

async function compare(
  figure: string,
  each: number,
  given: { rounds: Rounds; sides: { none: Place; many: Place }; work: (fixture: Fixture, connections: Connection[]) => Promise<number> },
): Promise<Row> {
  const { rounds, sides, work } = given
  const took: { none: number[]; many: number[] } = { none: [], many: [] }
  const cpu: { none: number[]; many: number[] } = { none: [], many: [] }
  for (let round = 0; round < rounds.count + 2; round++) {
    for (const name of round % 2 === 0 ? (['none', 'many'] as const) : (['many', 'none'] as const)) {
      const { fixture, service } = sides[name]
      const connections = await openConnections(service.port, SENDERS)
      const before = service.cpuMs()
      const ms = await work(fixture, connections)
      const cpuMs = service.cpuMs() - before
      for (const connection of connections) connection.close()
      if (round < 2) continue
      took[name].push(ms)
      cpu[name].push(cpuMs)
    }
  }
  const ratios = took.many.map((ms, i) => ms / (took.none[i] ?? 0))
  const micros = (ms: readonly number[]) => `${((median(ms) * 1000) / each).toFixed(0)} µs`
  return {
    figure,
    value: `${spread(ratios)} times`,
    target: atMost(WORST_BESIDE, median(ratios)),
    beside: `by CPU time ${spread(cpu.many.map((ms, i) => ms / (cpu.none[i] ?? 0)))}; ${micros(took.many)} against ${micros(took.none)}`,
  }
}
