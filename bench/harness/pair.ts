import { once } from 'node:events'
import type { Order } from './baseline.ts'
import { askOnce, type Connection, expecting, openConnection } from './connection.ts'
import { median, type Row, spread } from './figures.ts'
import { closedLoop, eachOnce, forAWhile } from './load.ts'
import type { Running } from './processes.ts'

const LINES = 24
const WARM_UP = 10_000

export interface Rounds {
  count: number
  ms: number
}

/** Gives an order to the baseline process; answers the ms its work took. */
export async function order({ child }: Running, given: Order): Promise<number> {
  child.send(given)
  const [ms] = await once(child, 'message')
  return Number(ms)
}

/**
 * Requests a second of the service against a bare server that gives the same answer, in rounds that take turns. A ratio is made within each
 * round, so that what the machine does meanwhile touches both of its sides.
 */
export async function againstBare(
  figure: string,
  {
    service,
    baseline,
    requests,
    sign,
    rounds,
  }: { service: Running; baseline: Running; requests: readonly Buffer[]; sign: string; rounds: Rounds },
): Promise<Omit<Row, 'target'> & { ratio: number; cpuRatio: number }> {
  await copyAnswer(service, baseline, requests)
  const accept = expecting(sign)
  const sides = [await sideOf(service), await sideOf(baseline)] as const
  for (const { connections } of sides) {
    await closedLoop(connections, eachOnce(requests), accept)
    await closedLoop(connections, eachOnce(Array.from({ length: WARM_UP }, () => requests[0] ?? Buffer.alloc(0))), accept)
  }
  const ratios: number[] = []
  const cpuRatios: number[] = []
  for (let round = 0; round < rounds.count; round++) {
    for (const side of round % 2 === 0 ? sides : [sides[1], sides[0]]) {
      const cpuBefore = side.server.cpuMs()
      const { count, ms } = await closedLoop(side.connections, forAWhile(requests, rounds.ms), accept)
      const cpuMs = side.server.cpuMs() - cpuBefore
      side.rates.push((count * 1000) / ms)
      side.cpu.push((cpuMs * 1000) / count)
      side.busy.push(cpuMs / ms)
    }
    ratios.push((sides[0].rates.at(-1) ?? 0) / (sides[1].rates.at(-1) ?? 0))
    cpuRatios.push((sides[1].cpu.at(-1) ?? 0) / (sides[0].cpu.at(-1) ?? 0))
  }
  for (const { connections } of sides) for (const connection of connections) connection.close()
  return {
    figure,
    value: spread(ratios),
    beside: `by CPU time ${spread(cpuRatios)}; ${sides.map(describe).join(' against ')}`,
    ratio: median(ratios),
    cpuRatio: median(cpuRatios),
  }
}

interface Side {
  server: Running
  connections: Connection[]
  rates: number[]
  cpu: number[]
  busy: number[]
}

async function sideOf(server: Running): Promise<Side> {
  return { server, connections: await openConnections(server.port, LINES), rates: [], cpu: [], busy: [] }
}

export function openConnections(port: number, count: number): Promise<Connection[]> {
  return Promise.all(Array.from({ length: count }, () => openConnection(port)))
}

function describe({ rates, cpu, busy }: Side): string {
  return `${median(rates).toFixed(0)}/s, ${median(cpu).toFixed(1)} µs of CPU each, core ${(median(busy) * 100).toFixed(0)} % used`
}

/** Lets the baseline answer what the service answers, header for header, and makes sure of it. */
export async function copyAnswer(service: Running, baseline: Running, [request]: readonly Buffer[]): Promise<void> {
  if (!request) throw new Error('no request')
  const answer = await askOnce(service.port, request)
  const [head = '', body = ''] = answer.split('\r\n\r\n', 2)
  const headers = head
    .split('\r\n')
    .slice(1)
    .map((connection): [string, string] => [connection.slice(0, connection.indexOf(':')), connection.slice(connection.indexOf(':') + 2)])
    .filter(([name]) => !['date', 'connection', 'keep-alive'].includes(name.toLowerCase()))
  await order(baseline, { answer: { headers: Object.fromEntries(headers), body } })
  const copy = await askOnce(baseline.port, request)
  if (withoutTime(copy) !== withoutTime(answer)) throw new Error(`the bare server answers otherwise:\n${copy}\n${answer}`)
}

function withoutTime(answer: string): string {
  return answer.replace(/\r\nDate: [^\r]*/, '')
}
