import { Client } from 'pg'
import { startPostgres } from '../../server/test/support/postgres.ts'
import { compareSizes, type GrownPlace, type GrowthOptions } from '../growth.ts'
import type { Row } from '../harness/figures.ts'
import { makeFixture } from '../harness/fixture.ts'
import { startService } from '../harness/processes.ts'
import { compareAccess, compareSenders } from '../purchases.ts'

/**
 * The same work with a thousand and with very many users, each with a session and a subscription, in two databases of one PostgreSQL, in
 * rounds that take turns.
 */
export async function measureGrowthOnPostgres({ fresh, rounds, large }: GrowthOptions): Promise<Row[]> {
  const postgres = await startPostgres('on_disk')
  const opened: GrownPlace[] = []
  const open = async (database: string, users: number) => {
    const url = new URL(postgres.url)
    url.pathname = `/${database}`
    await create(postgres.url, database)
    const folder = fresh(`postgres-${database}`)
    const fixture = await makeFixture(folder, users, users, { url: url.href })
    const place = { fixture, service: await startService(folder, 'production', { DATABASE_URL: url.href }) }
    opened.push(place)
    return place
  }
  try {
    const [small, big] = [await open('small', 1_000), await open('large', large)]
    const places = { small, big }
    const name = `1,000 to ${large.toLocaleString('en')} users, PostgreSQL`
    const inRounds = { ...places, rounds: { count: rounds, ms: 0 } }
    return [
      ...(await compareSizes({ ...places, rounds, name })),
      onPostgres(await compareSenders(inRounds)),
      onPostgres(await compareAccess(inRounds)),
    ]
  } finally {
    await Promise.allSettled(opened.map(({ fixture, service }) => Promise.all([service.stop(), fixture.context.close()])))
    await postgres.stop()
  }
}

function onPostgres(row: Row): Row {
  return { ...row, figure: `${row.figure}, PostgreSQL` }
}

async function create(url: string, database: string): Promise<void> {
  const client = new Client({ connectionString: url })
  await client.connect()
  await client.query(`create database ${database}`)
  await client.end()
}
