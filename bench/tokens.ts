import { expecting, request } from './harness/connection.ts'
import { atLeast, median, type Row, spread } from './harness/figures.ts'
import type { Fixture } from './harness/fixture.ts'
import { closedLoop, eachOnce } from './harness/load.ts'
import { openConnections, order, type Rounds } from './harness/pair.ts'
import type { Running } from './harness/processes.ts'

const LINES = 8
/** Tokens a round. The sample of sessions has room for 20 rounds of new ones and for the 1,500 that are asked to warm up. */
const EACH = 500
const WARM_UP = 1_500

export interface Sides {
  fixture: Fixture
  service: Running
  baseline: Running
  rounds: Rounds
}

export function checkOf(token: string | undefined): Buffer {
  return request('GET', '/auth/check', token === undefined ? {} : { cookie: `eg_session=${token}` })
}

export function redemptionOf(token: string, { product }: Fixture): Buffer {
  return request(
    'POST',
    '/auth/verify',
    { authorization: `Bearer ${product.apiKey}`, 'content-type': 'application/json' },
    JSON.stringify({ token }),
  )
}

/** A token that this node has not seen, of a session that it has not seen, against nothing but the verification of a signature. */
export async function measureFirstSight(sides: Sides): Promise<Row> {
  const mint = async (from: number, count: number) => (await sides.fixture.sessionTokens(from, count)).map(checkOf)
  const { shown, ratio } = await againstWork('verify', mint, '"authenticated":true', sides)
  return { figure: 'first sight of a token, against raw ES256 verification', ...shown, target: atLeast(0.4, ratio) }
}

/** A redemption, against one verification, one durable transaction of two rows and one signature in series, on the same disk. */
export async function measureRedemption(sides: Sides): Promise<Row> {
  const mint = async (from: number, count: number) =>
    (await sides.fixture.handoffTokens(from, count)).map((token) => redemptionOf(token, sides.fixture))
  const { shown, ratio } = await againstWork('redeem', mint, '"eg_session":"', sides)
  return { figure: '`POST /auth/verify`, against its cryptography and transaction', ...shown, target: atLeast(0.65, ratio) }
}

async function againstWork(
  work: 'verify' | 'redeem',
  mint: (from: number, count: number) => Promise<Buffer[]>,
  sign: string,
  { service, baseline, rounds }: Sides,
): Promise<{ shown: Omit<Row, 'figure' | 'target'>; ratio: number }> {
  const connections = await openConnections(service.port, LINES)
  const ask = async (requests: readonly Buffer[]) => (await closedLoop(connections, eachOnce(requests), expecting(sign))).ms
  await ask(await mint(0, WARM_UP))
  await order(baseline, { work, times: WARM_UP })
  const took: number[] = []
  const baselineTook: number[] = []
  const cpu: number[] = []
  for (let round = 0; round < Math.min(rounds.count, 20); round++) {
    const requests = await mint(WARM_UP + round * EACH, EACH)
    const doWork = () => order(baseline, { work, times: EACH })
    const before = service.cpuMs()
    if (round % 2 === 0) baselineTook.push(await doWork())
    took.push(await ask(requests))
    cpu.push(((service.cpuMs() - before) * 1000) / EACH)
    if (round % 2 === 1) baselineTook.push(await doWork())
  }
  for (const connection of connections) connection.close()
  const ratios = took.map((ms, i) => (baselineTook[i] ?? 0) / ms)
  const each = (ms: number[]) => `${((median(ms) * 1000) / EACH).toFixed(0)} µs`
  return {
    shown: { value: spread(ratios), beside: `${each(took)} (CPU ${median(cpu).toFixed(0)} µs) against ${each(baselineTook)}` },
    ratio: median(ratios),
  }
}
