import { userStore } from '../server/src/users/index.ts'
import { type Connection, expecting } from './harness/connection.ts'
import { atMost, median, quantile, type Row } from './harness/figures.ts'
import { type Fixture, makeFixture } from './harness/fixture.ts'
import { closedLoop, eachOnce } from './harness/load.ts'
import { openConnections } from './harness/pair.ts'
import { type Running, startService } from './harness/processes.ts'
import { checkOf, redemptionOf } from './tokens.ts'

const LINES = 8
const EACH = 200
const WORST = 1.2

/** A service with some users. */
export interface GrownPlace {
  fixture: Fixture
  service: Running
}

export interface GrowthOptions {
  fresh: (name: string) => string
  rounds: number
  /** Users of the large database. */
  large: number
}

/** The same work with a thousand and with a million users, in rounds that take turns. */
export async function measureGrowth({ fresh, rounds, large }: GrowthOptions): Promise<Row[]> {
  const small = await open(fresh('small'), 1_000)
  const big = await open(fresh('large'), large)
  const rows = await compareSizes({ small, big, rounds, name: `1,000 to ${large.toLocaleString('en')} users` })
  for (const { fixture, service } of [small, big]) {
    await service.stop()
    await fixture.context.close()
  }
  return rows
}

/** The requests and queries that look up users or sessions, measured with few users and with many. */
export async function compareSizes({
  small,
  big,
  rounds,
  from = 0,
  name,
}: {
  small: GrownPlace
  big: GrownPlace
  rounds: number
  /** The first round: each has rows of its own. */
  from?: number
  name: string
}): Promise<Row[]> {
  const places = { small: await connected(small), big: await connected(big), rounds: { count: rounds, from } }
  const rows = [
    await compare(`first sight of a token, ${name}`, firstSight, places),
    await compare(`\`POST /auth/verify\`, ${name}`, redemption, places),
    await compare(`a user by address, ${name}`, lookUp, places),
  ]
  for (const connection of [...places.small.connections, ...places.big.connections]) connection.close()
  return rows
}

type Place = GrownPlace & { connections: Connection[] }

async function connected(place: GrownPlace): Promise<Place> {
  return { ...place, connections: await openConnections(place.service.port, LINES) }
}

async function open(folder: string, users: number): Promise<GrownPlace> {
  return { fixture: await makeFixture(folder, users), service: await startService(folder) }
}

/** Something to be done `EACH` times, never twice on the same row; answers the ms it took. */
type Work = (place: Place, round: number) => Promise<number>

const firstSight: Work = async ({ fixture, connections }, round) => {
  const requests = (await fixture.sessionTokens(round * EACH, EACH)).map(checkOf)
  return (await closedLoop(connections, eachOnce(requests), expecting('"authenticated":true'))).ms
}

const redemption: Work = async ({ fixture, connections }, round) => {
  const requests = (await fixture.handoffTokens(round * EACH, EACH)).map((token) => redemptionOf(token, fixture))
  return (await closedLoop(connections, eachOnce(requests), expecting('"eg_session":"'))).ms
}

/** The query of a sign-in alone: over HTTP the password's hash would hide it. */
const lookUp: Work = async ({ fixture }, round) => {
  const users = userStore(fixture.context.storage.db)
  const startedAt = performance.now()
  for (let n = 0; n < EACH; n++) {
    const found = await users.findByEmail(fixture.email(((round * EACH + n) * 7919) % fixture.users))
    if (!found) throw new Error('a user is not there')
  }
  return performance.now() - startedAt
}

async function compare(
  figure: string,
  work: Work,
  { small, big, rounds }: { small: Place; big: Place; rounds: { count: number; from: number } },
): Promise<Row> {
  const took: { small: number[]; big: number[] } = { small: [], big: [] }
  for (let round = 0; round < rounds.count + 2; round++) {
    const order = round % 2 === 0 ? (['small', 'big'] as const) : (['big', 'small'] as const)
    for (const side of order) {
      const ms = await work(side === 'small' ? small : big, rounds.from + round)
      if (round >= 2) took[side].push(ms) // the first two warm up
    }
  }
  const ratio = median(took.big) / median(took.small)
  const perOne = (ms: number[]) =>
    `${((median(ms) * 1000) / EACH).toFixed(0)} µs (${((quantile(ms, 0.25) * 1000) / EACH).toFixed(0)} to ${((quantile(ms, 0.75) * 1000) / EACH).toFixed(0)})`
  return {
    figure,
    value: `**${ratio.toFixed(2)}** times`,
    target: atMost(WORST, ratio),
    beside: `${perOne(took.big)} against ${perOne(took.small)}`,
  }
}
