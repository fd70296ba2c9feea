import { createHmac } from 'node:crypto'
import type { GrownPlace } from './growth.ts'
import { type Connection, expecting, request } from './harness/connection.ts'
import { atLeast, atMost, median, type Row, spread } from './harness/figures.ts'
import { type Fixture, makeFixture } from './harness/fixture.ts'
import { closedLoop, eachOnce } from './harness/load.ts'
import { againstBare, copyAnswer, openConnections, order, type Rounds } from './harness/pair.ts'
import { type Running, startBaseline, startService, WEBHOOK_SECRET } from './harness/processes.ts'

const SENDERS = [1, 16, 64] as const
/** Notifications a round for each number of senders: about a quarter of a second of work. */
const EACH: Readonly<Record<number, number>> = { 1: 200, 16: 800, 64: 1_600 }
/** Of the durable commits. */
const LEAST: Readonly<Record<number, number>> = { 16: 0.8, 64: 1 }
const ASKED = 10_000
const PAID = '"reason":"paid"'
const WORST_GROWTH = 1.2

/** Notifications kept and applied a second, and access checks a second, with few and with many subscriptions. */
export async function measurePurchases({
  fresh,
  rounds,
  large,
}: {
  fresh: (name: string) => string
  rounds: Rounds
  large: number
}): Promise<Row[]> {
  const small = await open(fresh('few'), 1_000)
  const big = await open(fresh('many'), large)
  const baseline = await startBaseline(fresh('purchases-baseline'))
  const rows: Row[] = []
  for (const senders of SENDERS) rows.push(...(await measureSenders(senders, { small, baseline, rounds })))
  rows.push(await compareSenders({ small, big, rounds }))
  rows.push(...(await measureAccess({ small, big, baseline, rounds })))
  for (const { fixture, service } of [small, big]) {
    await service.stop()
    await fixture.context.close()
  }
  await baseline.stop()
  return rows
}

async function open(folder: string, subscriptions: number): Promise<GrownPlace> {
  const fixture = await makeFixture(folder, 1_000, subscriptions)
  return { fixture, service: await startService(folder) }
}

/** Against as many durable commits of one row on the same disk, and against a bare server that keeps nothing. */
async function measureSenders(
  senders: number,
  { small, baseline, rounds }: { small: GrownPlace; baseline: Running; rounds: Rounds },
): Promise<Row[]> {
  const count = EACH[senders] ?? 0
  await copyAnswer(small.service, baseline, notifications(1))
  const [connections, bareLines] = [await openConnections(small.service.port, senders), await openConnections(baseline.port, senders)]
  const took: Record<'service' | 'commits' | 'bare', number[]> = { service: [], commits: [], bare: [] }
  const turns = ['service', 'commits', 'bare'] as const
  const take = {
    service: () => send(connections, notifications(count)),
    commits: () => order(baseline, { work: 'commit', times: count }),
    bare: () => send(bareLines, notifications(count)),
  }
  for (let round = 0; round < rounds.count + 2; round++) {
    for (const turn of round % 2 === 0 ? turns : turns.toReversed()) {
      const ms = await take[turn]()
      if (round >= 2) took[turn].push(ms) // the first two warm up
    }
  }
  for (const connection of [...connections, ...bareLines]) connection.close()
  const perSecond = (ms: number[]) => ((count * 1000) / median(ms)).toFixed(0)
  const against = (floor: 'commits' | 'bare') => took.service.map((ms, i) => (took[floor][i] ?? 0) / ms)
  const name = `purchase notifications, ${senders} ${senders === 1 ? 'sender' : 'senders'}`
  const commits = {
    figure: `${name}, against durable commits of one row`,
    value: spread(against('commits')),
    beside: `${perSecond(took.service)}/s kept against ${perSecond(took.commits)}/s committed`,
  }
  const least = LEAST[senders]
  return [
    least === undefined ? commits : { ...commits, target: atLeast(least, median(against('commits'))) },
    { figure: `${name}, against bare HTTP`, value: spread(against('bare')), beside: `against ${perSecond(took.bare)}/s` },
  ]
}

/** 64 senders with few and with many subscriptions. */
export async function compareSenders({ small, big, rounds }: { small: GrownPlace; big: GrownPlace; rounds: Rounds }): Promise<Row> {
  const took: { small: number[]; big: number[] } = { small: [], big: [] }
  const connections = { small: await openConnections(small.service.port, 64), big: await openConnections(big.service.port, 64) }
  for (let round = 0; round < rounds.count + 2; round++) {
    for (const side of round % 2 === 0 ? (['small', 'big'] as const) : (['big', 'small'] as const)) {
      const ms = await send(connections[side], notifications(1_600))
      if (round >= 2) took[side].push(ms)
    }
  }
  for (const connection of [...connections.small, ...connections.big]) connection.close()
  return growth('purchase notifications, 64 senders', took, 1_600, big)
}

async function measureAccess({
  small,
  big,
  baseline,
  rounds,
}: {
  small: GrownPlace
  big: GrownPlace
  baseline: Running
  rounds: Rounds
}): Promise<Row[]> {
  const bare = await againstBare('check-access by user id, 1,000 subscriptions', {
    service: small.service,
    baseline,
    requests: checksOf(small.fixture),
    sign: PAID,
    rounds,
  })
  return [{ ...bare, target: atLeast(0.6, bare.ratio) }, await compareAccess({ small, big, rounds })]
}

/** Access checks with few and with many subscriptions. */
export async function compareAccess({ small, big, rounds }: { small: GrownPlace; big: GrownPlace; rounds: Rounds }): Promise<Row> {
  const took: { small: number[]; big: number[] } = { small: [], big: [] }
  const asked = { small: checksOf(small.fixture), big: checksOf(big.fixture) }
  const connections = { small: await openConnections(small.service.port, 8), big: await openConnections(big.service.port, 8) }
  for (let round = 0; round < rounds.count + 2; round++) {
    for (const side of round % 2 === 0 ? (['small', 'big'] as const) : (['big', 'small'] as const)) {
      const { ms } = await closedLoop(connections[side], eachOnce(asked[side]), expecting(PAID))
      if (round >= 2) took[side].push(ms)
    }
  }
  for (const connection of [...connections.small, ...connections.big]) connection.close()
  return growth('check-access by user id', took, ASKED, big)
}

function growth(name: string, took: { small: number[]; big: number[] }, each: number, { fixture }: GrownPlace): Row {
  const ratio = median(took.big) / median(took.small)
  const perOne = (ms: number[]) => `${((median(ms) * 1000) / each).toFixed(0)} µs`
  return {
    figure: `${name}, 1,000 to ${fixture.subscriptions.toLocaleString('en')} subscriptions`,
    value: `**${ratio.toFixed(2)}** times`,
    target: atMost(WORST_GROWTH, ratio),
    beside: `${perOne(took.big)} against ${perOne(took.small)}`,
  }
}

/** Answers the ms until all were answered. */
export async function send(connections: readonly Connection[], bodies: readonly Buffer[]): Promise<number> {
  return (await closedLoop(connections, eachOnce(bodies), expecting('{"received":true}'))).ms
}

let sent = 0

/** Purchases of new buyers, never one twice, signed before the clock runs. */
export function notifications(count: number): Buffer[] {
  return Array.from({ length: count }, () => {
    const n = sent++
    const body = {
      event: 'purchase.completed',
      customer: { email: `new.buyer.${n}@bench.test`, name: 'Ana Flávia Conceição', phone: '+5511987654321' },
      product: { id: '0199c0de-0000-7000-8000-000000000001', plan_slug: 'easy-pro' },
      company: { name: 'Açaí & Cia', cnpj: '12.ABC.345/01DE-35' },
      timestamp: new Date().toISOString(),
    }
    const signature = createHmac('sha256', WEBHOOK_SECRET).update(JSON.stringify(body)).digest('hex')
    return request('POST', '/api/webhook/payment', { 'content-type': 'application/json' }, JSON.stringify({ ...body, signature }))
  })
}

/** Each of another user, by the id that the product knows them by. */
export function checksOf({ product, subscriptions }: Fixture): Buffer[] {
  return Array.from({ length: ASKED }, (_, n) => {
    const user = `u${String((n * 7919) % subscriptions).padStart(7, '0')}`
    return request('GET', `/api/saas/check-access?user_id=${user}`, { authorization: `Bearer ${product.apiKey}` })
  })
}
