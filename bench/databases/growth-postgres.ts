import { createReadStream } from 'node:fs'
import path from 'node:path'
import { pipeline } from 'node:stream/promises'
import { Client } from 'pg'
import type { AppContext } from '../../server/src/context.ts'
import { startPostgres } from '../../server/test/support/postgres.ts'
import { compareSizes, type GrownPlace, type GrowthOptions } from '../growth.ts'
import type { Row } from '../harness/figures.ts'
import { makeFixture } from '../harness/fixture.ts'
import { startService } from '../harness/processes.ts'
import { compareAccess, compareSenders } from '../purchases.ts'

const FILE_BYTES = 2 ** 30
/** A quarter of the memory of a server with 16 GB, as PostgreSQL's handbook advises. The default is 128 MB. */
const AS_OPERATED = ['shared_buffers=4GB', 'max_wal_size=16GB']

/**
 * The same work with a thousand and with very many users, each with a session and a subscription, in two databases of one PostgreSQL, in
 * rounds that take turns: first as they were filled, and then with the indexes of the large one in memory, as a server in use has those
 * parts that are asked for.
 */
export async function measureGrowthOnPostgres({ fresh, rounds, large }: GrowthOptions): Promise<Row[]> {
  const postgres = await startPostgres('on_disk', AS_OPERATED)
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
    const measure = async (from: number, state: string) => [
      ...(await compareSizes({ ...places, rounds, from, name: `${name}, ${state}` })),
      onPostgres(await compareSenders(inRounds), state),
      onPostgres(await compareAccess(inRounds), state),
    ]
    const cold = await measure(0, 'as filled')
    const gigabytes = (await readIndexes(big.fixture.context.config.database, postgres.data)) / 1e9
    return [...cold, ...(await measure(rounds + 2, `${gigabytes.toFixed(1)} GB of indexes and users read`))]
  } finally {
    await Promise.allSettled(opened.map(({ fixture, service }) => Promise.all([service.stop(), fixture.context.close()])))
    await postgres.stop()
  }
}

function onPostgres(row: Row, state: string): Row {
  return { ...row, figure: `${row.figure}, PostgreSQL, ${state}` }
}

/** Reads all indexes and the table of users from the server's own files, so that the system has them in memory. Answers the bytes. */
async function readIndexes(address: AppContext['config']['database'], data: string): Promise<number> {
  if (address.dialect !== 'postgres') throw new Error('not a PostgreSQL')
  const client = new Client({ connectionString: address.url })
  await client.connect()
  const { rows } = await client.query<{ file: string; bytes: string }>(
    `select pg_relation_filepath(c.oid) as file, pg_relation_size(c.oid) as bytes from pg_class c join pg_namespace n on n.oid = c.relnamespace
    where n.nspname = 'public' and (c.relkind = 'i' or c.relname = 'users')`,
  )
  await client.end()
  let sum = 0
  // A file of the server has a gigabyte at most; further ones have a number.
  for (const { file, bytes } of rows)
    for (let part = 0; part * FILE_BYTES < Number(bytes); part++)
      await pipeline(
        createReadStream(path.join(data, part === 0 ? file : `${file}.${part}`), { highWaterMark: 1 << 20 }),
        async (chunks) => {
          for await (const chunk of chunks) sum += (chunk as Buffer).length
        },
      )
  return sum
}

async function create(url: string, database: string): Promise<void> {
  const client = new Client({ connectionString: url })
  await client.connect()
  await client.query(`create database ${database}`)
  await client.end()
}
