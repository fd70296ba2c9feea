import { readdirSync, readFileSync } from 'node:fs'
import { Client } from 'pg'
import { startPostgres } from '../../server/test/support/postgres.ts'
import type { Connection } from '../harness/connection.ts'
import { median, quantile, type Row } from '../harness/figures.ts'
import { openConnections, type Rounds } from '../harness/pair.ts'
import { moveToServerCore, type Running, startService } from '../harness/processes.ts'
import { notifications, send } from '../purchases.ts'

const SENDERS = 64
const EACH = 1_600
const WRITERS = 16
const COMMITS = 1_600

/**
 * The load that one PostgreSQL bears, and the cost of a purchase: purchases of 64 senders at one service and at two over one database.
 * Beside them, durable commits of a row by 16 connections at once, and by as many in turn under one lock, as the change feed has them.
 */
export async function measurePostgres({ fresh, rounds }: { fresh: (name: string) => string; rounds: Rounds }): Promise<Row[]> {
  const postgres = await startPostgres('on_disk')
  const writers = await Promise.all(Array.from({ length: WRITERS }, () => connect(postgres.url)))
  try {
    const [first] = writers
    const { rows } = (await first?.query('show data_directory')) ?? { rows: [] }
    const server = Number.parseInt(readFileSync(`${rows[0].data_directory}/postmaster.pid`, 'utf8'), 10)
    moveToServerCore(server)
    await first?.query('create table bench (id bigserial primary key, text text)')
    const services = [await startOn(postgres.url, fresh('one')), await startOn(postgres.url, fresh('two'))]
    const ways: Record<string, Way> = {
      apart: { count: COMMITS, work: () => commit(writers, '') },
      inTurn: { count: COMMITS, work: () => commit(writers, 'select pg_advisory_xact_lock(7);') },
      one: await sending(services.slice(0, 1)),
      two: await sending(services),
    }
    const took = await inRounds(ways, { rounds, cpuMs: () => [services.reduce((sum, { cpuMs }) => sum + cpuMs(), 0), cpuMsOf(server)] })
    for (const service of services) await service.stop()
    return rowsOf(took)
  } finally {
    await Promise.all(writers.map((writer) => writer.end()))
    await postgres.stop()
  }
}

interface Way {
  /** Done in one round. */
  count: number
  work: () => Promise<number>
}

/** Of every round, a second: how many; of each: µs of the processor of the services and of PostgreSQL. */
type Took = Record<string, { perSecond: number[]; serviceUs: number[]; serverUs: number[] }>

async function startOn(url: string, folder: string): Promise<Running> {
  return startService(folder, 'production', { DATABASE_URL: url })
}

/** The senders are dealt out to the services. */
async function sending(services: readonly Running[]): Promise<Way> {
  const lines = await Promise.all(services.map(({ port }) => openConnections(port, SENDERS / services.length)))
  const work = async () => {
    const bodies = lines.map(() => notifications(EACH / lines.length))
    const startedAt = performance.now()
    await Promise.all(lines.map((connections: readonly Connection[], i) => send(connections, bodies[i] ?? [])))
    return performance.now() - startedAt
  }
  return { count: EACH, work }
}

async function commit(writers: readonly Client[], before: string): Promise<number> {
  const startedAt = performance.now()
  const statement = `begin; ${before} insert into bench (text) values ('${'x'.repeat(200)}'); commit`
  await Promise.all(
    writers.map(async (writer) => {
      for (let n = 0; n < COMMITS / WRITERS; n++) await writer.query(statement)
    }),
  )
  return performance.now() - startedAt
}

async function inRounds(ways: Record<string, Way>, { rounds, cpuMs }: { rounds: Rounds; cpuMs: () => [number, number] }): Promise<Took> {
  const took: Took = Object.fromEntries(Object.keys(ways).map((name) => [name, { perSecond: [], serviceUs: [], serverUs: [] }]))
  for (let round = 0; round < rounds.count + 2; round++)
    for (const [name, { count, work }] of round % 2 === 0 ? Object.entries(ways) : Object.entries(ways).toReversed()) {
      const before = cpuMs()
      const ms = await work()
      const after = cpuMs()
      if (round < 2) continue // the first two warm up
      took[name]?.perSecond.push((count * 1_000) / ms)
      took[name]?.serviceUs.push(((after[0] - before[0]) * 1_000) / count)
      took[name]?.serverUs.push(((after[1] - before[1]) * 1_000) / count)
    }
  return took
}

function rowsOf(took: Took): Row[] {
  const names = {
    apart: `durable commits of a row, ${WRITERS} connections of PostgreSQL`,
    inTurn: 'the same, in turn under one lock, as the change feed has them',
    one: `purchase notifications on PostgreSQL, ${SENDERS} senders, one service`,
    two: 'the same, two services over one database',
  }
  return Object.entries(names).map(([name, figure]) => {
    const { perSecond = [], serviceUs = [], serverUs = [] } = took[name] ?? {}
    const [least, most] = [quantile(perSecond, 0.25), quantile(perSecond, 0.75)].map((each) => each.toFixed(0))
    const cpu = `${median(serverUs).toFixed(0)} µs of CPU of PostgreSQL each`
    return {
      figure,
      value: `**${median(perSecond).toFixed(0)}**/s (${least} to ${most})`,
      beside: name === 'one' || name === 'two' ? `${median(serviceUs).toFixed(0)} µs of CPU of the service and ${cpu}` : cpu,
    }
  })
}

async function connect(url: string): Promise<Client> {
  const client = new Client({ connectionString: url })
  await client.connect()
  return client
}

/** Of a server and all that it has started, those that have ended included. */
function cpuMsOf(pid: number): number {
  const [, fields = ''] = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')
  const own = fields
    .split(' ')
    .slice(11, 15)
    .reduce((sum, ticks) => sum + Number(ticks) * 10, 0)
  const children = readdirSync(`/proc/${pid}/task`).flatMap((task) =>
    readFileSync(`/proc/${pid}/task/${task}/children`, 'utf8').split(' ').filter(Boolean).map(Number),
  )
  return own + children.reduce((sum, child) => sum + cpuMsOf(child), 0)
}
