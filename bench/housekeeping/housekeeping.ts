import { readFileSync } from 'node:fs'
import path from 'node:path'
import { sql } from 'kysely'
import { createUser } from '../../server/src/admin/index.ts'
import { readConfig } from '../../server/src/config.ts'
import { type AppContext, openContext } from '../../server/src/context.ts'
import { createKeyRing, createTokens, manageSigningKeys, mintSessionToken, sessionStore } from '../../server/src/sessions/index.ts'
import type { Queryable } from '../../server/src/storage/index.ts'
import { startPostgres } from '../../server/test/support/postgres.ts'
import { type Connection, expecting } from '../harness/connection.ts'
import { atMost, median, quantile, type Row } from '../harness/figures.ts'
import { MASTER_KEY, PASSWORD, URL_OF_SERVICE, USER } from '../harness/fixture.ts'
import { openLoop } from '../harness/load.ts'
import { openConnections } from '../harness/pair.ts'
import { moveToServerCore, settingsOf, startService } from '../harness/processes.ts'
import { checkOf } from '../tokens.ts'

const PER_SECOND = 500
const ROUND_SECONDS = 6
const ROUNDS = 3
const LINES = 4
const PLANTED_AT_ONCE = 20_000
/** A node begins five seconds after its start, where nobody has tidied in the last ten minutes. */
const WARM_MS = 7_000
const WORST_MS = 1

/**
 * The time that housekeeping adds to the p99 of a check while it removes `rows` rows, half of them sessions and half the records of mails.
 */
export async function measureHousekeeping({ fresh, rows }: { fresh: (name: string) => string; rows: number }): Promise<Row[]> {
  const server = await startPostgres('on_disk')
  moveToServerCore(Number.parseInt(readFileSync(path.join(server.data, 'postmaster.pid'), 'utf8'), 10))
  const folder = fresh('housekeeping')
  try {
    return [
      await measureOn('SQLite', `sqlite:${path.join(folder, 'portaria.db')}`, { folder, rows }),
      await measureOn('PostgreSQL', server.url, { folder, rows }),
    ]
  } finally {
    await server.stop()
  }
}

/** Two services in turn on the same rows. Before one of them housekeeping was just done; the other does it while it is asked. */
async function measureOn(name: string, url: string, { folder, rows }: { folder: string; rows: number }): Promise<Row> {
  const { context, token } = await fill({ ...settingsOf(folder, 3_000), DATABASE_URL: url }, rows)
  const { db } = context.storage
  const took: { calm: number[][]; tidying: number[][] } = { calm: [], tidying: [] }
  let [removed, ms] = [0, 0]
  for (let round = 0; round < ROUNDS; round++)
    for (const state of ['calm', 'tidying'] as const) {
      await sql`delete from settings where name = 'tidied_at'`.execute(db)
      if (state === 'calm') await sql`insert into settings (name, value) values ('tidied_at', ${String(Date.now())})`.execute(db)
      const service = await startService(folder, 'production', { DATABASE_URL: url })
      const connections = await openConnections(service.port, LINES)
      await ask(connections, token, WARM_MS / 1_000)
      const [begun, before] = [performance.now(), await countDue(db)]
      took[state].push(await ask(connections, token, ROUND_SECONDS))
      const left = await countDue(db)
      if (state === 'tidying' && (left === 0 || left === before)) throw new Error(`${left} of ${before} rows are left: choose more`)
      if (state === 'tidying') removed += before - left
      if (state === 'tidying') ms += performance.now() - begun
      for (const connection of connections) connection.close()
      await service.stop()
    }
  await context.close()
  return rowOf(
    `housekeeping on ${name}, ${rows.toLocaleString('en')} rows due: what it adds to the p99 of a check`,
    took,
    removed / (ms / 1_000),
  )
}

function rowOf(figure: string, { calm, tidying }: Record<'calm' | 'tidying', number[][]>, perSecond: number): Row {
  const of = (rounds: number[][], part: number) => median(rounds.map((one) => quantile(one, part)))
  const added = median(tidying.map((one, i) => quantile(one, 0.99) - quantile(calm[i] ?? [], 0.99)))
  const [p99, p50] = [0.99, 0.5].map((part) => `${of(calm, part).toFixed(2)} ms calm, ${of(tidying, part).toFixed(2)} ms meanwhile`)
  return {
    figure,
    value: `**${added.toFixed(1)} ms**`,
    target: atMost(WORST_MS, added, ' ms'),
    beside: `${PER_SECOND} checks/s; p99 ${p99}; p50 ${p50}; ${perSecond.toFixed(0)} rows/s removed`,
  }
}

/** A user with a live session, and rows that are due, which nobody has removed since a moment ago. */
async function fill(environment: Record<string, string>, rows: number): Promise<{ context: AppContext; token: string }> {
  const read = await readConfig(environment)
  if ('faults' in read) throw new Error(JSON.stringify(read.faults))
  const onFault = (error: unknown) => console.error(error)
  const context = await openContext({ ...read.config, masterKey: Buffer.from(MASTER_KEY, 'base64') }, { onFault })
  if ('refusal' in context) throw new Error(context.refusal)
  const { db } = context.storage
  const actor = 'operator:bench'
  await manageSigningKeys({ ...context, actor })
  const user = { email: USER, name: 'Ana', role: undefined, verified: true, isProducer: false, isBeta: false, password: PASSWORD }
  await createUser(user, { ...context, actor })
  const now = Date.now()
  for (let from = 0; from < rows / 2; from += PLANTED_AT_ONCE) {
    const many = Math.min(PLANTED_AT_ONCE, rows / 2 - from)
    await plant(db, { from, many, session: 'due', expiresAt: 1 })
    await sql`insert into sent_mails (id, user_id, kind, at) ${numbers(from, many)}
      select 'mail-' || cast(i as text), (select id from users), 'sign_up', 1 from n`.execute(db)
  }
  await plant(db, { from: 0, many: 1, session: 'live', expiresAt: now + 30 * 86_400_000 })
  const keys = createKeyRing({ ...context, onFault })
  await keys.load()
  const session = await sessionStore(db).findLive('live-0', now)
  if (!session) throw new Error('the session is not there')
  const tokens = createTokens({ keys, issuer: URL_OF_SERVICE, now: Date.now })
  return { context, token: await mintSessionToken(session, { tokens, issuer: URL_OF_SERVICE }) }
}

function plant(db: Queryable, { from, many, session, expiresAt }: { from: number; many: number; session: string; expiresAt: number }) {
  return sql`insert into sessions (id, user_id, bound_hash, created_at, expires_at, ip, user_agent) ${numbers(from, many)}
    select ${sql.lit(`${session}-`)} || cast(i as text), (select id from users), ${sql.lit(`${session}-`)} || cast(i as text), 1, cast(${sql.lit(String(expiresAt))} as bigint), '192.0.2.1',
      'Mozilla/5.0 (X11; Linux x86_64; rv:145.0) Gecko/20100101 Firefox/145.0' from n`.execute(db)
}

function numbers(from: number, many: number) {
  return sql`with recursive n(i) as (select ${sql.lit(from)} union all select i + 1 from n where i < ${sql.lit(from + many - 1)})`
}

async function ask(connections: readonly Connection[], token: string, seconds: number): Promise<number[]> {
  const accept = expecting('"authenticated":true')
  return openLoop(connections, { requests: [checkOf(token)], perSecond: PER_SECOND, seconds, accept })
}

async function countDue(db: Queryable): Promise<number> {
  const { rows } = await sql<{
    n: number
  }>`select (select count(*) from sent_mails where at = 1) + (select count(*) from sessions where expires_at = 1) as n`.execute(db)
  return Number(rows[0]?.n)
}
