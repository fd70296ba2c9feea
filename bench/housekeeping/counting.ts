import { sql } from 'kysely'
import { expecting } from '../harness/connection.ts'
import { atMost, quantile, type Row } from '../harness/figures.ts'
import { type Fixture, makeFixture } from '../harness/fixture.ts'
import { openLoop } from '../harness/load.ts'
import { openConnections } from '../harness/pair.ts'
import { startService } from '../harness/processes.ts'
import { checkOf } from '../tokens.ts'

const PER_SECOND = 500
const LINES = 4
/** A node begins to count a minute after its start. */
const CALM_SECONDS = 40
const BEFORE_SECONDS = 67
const WARM_SECONDS = 10
const WORST_MS = 1

/**
 * The time that counting for the reports adds to the p99 of a check, as after an upgrade or an import, when all purchases are counted. On
 * SQLite, where another process counts.
 */
export async function measureCounting({ fresh, purchases }: { fresh: (name: string) => string; purchases: number }): Promise<Row> {
  const folder = fresh('counting')
  const fixture = await makeFixture(folder, 1_000, purchases)
  const service = await startService(folder)
  const connections = await openConnections(service.port, LINES)
  const [token] = await fixture.sessionTokens(0, 1)
  const ask = (seconds: number) =>
    openLoop(connections, { requests: [checkOf(token)], perSecond: PER_SECOND, seconds, accept: expecting('"authenticated":true') })
  await ask(WARM_SECONDS)
  const calm = await ask(CALM_SECONDS)
  await ask(BEFORE_SECONDS - WARM_SECONDS - CALM_SECONDS)
  const before = await countDue(fixture)
  const counting = await ask(CALM_SECONDS)
  const left = await countDue(fixture)
  if (before === purchases || left === 0)
    throw new Error(`${before} of ${purchases} purchases were left before, ${left} after: choose more`)
  for (const connection of connections) connection.close()
  await service.stop()
  await fixture.context.close()
  const added = quantile(counting, 0.99) - quantile(calm, 0.99)
  const [p99, p50] = [0.99, 0.5].map((part) => [calm, counting].map((one) => quantile(one, part).toFixed(2)))
  return {
    figure: `counting ${purchases.toLocaleString('en')} purchases for the reports on SQLite: what it adds to the p99 of a check`,
    value: `**${added.toFixed(1)} ms**`,
    target: atMost(WORST_MS, added, ' ms'),
    beside: `${PER_SECOND} checks/s; p99 ${p99?.join(' ms calm, ')} ms meanwhile; p50 ${p50?.join(' ms calm, ')} ms meanwhile; ${((before - left) / CALM_SECONDS).toFixed(0)} purchases/s counted`,
  }
}

async function countDue({ context }: Fixture): Promise<number> {
  const { rows } = await sql<{ n: number }>`select count(*) as n from event_streams where counted_at is null`.execute(context.storage.db)
  return Number(rows[0]?.n)
}
