import { randomUUID } from 'node:crypto'
import { sql } from 'kysely'
import type { AppContext } from '../../server/src/context.ts'
import { searchTerms } from '../../server/src/kit/index.ts'
import type { Storage } from '../../server/src/storage/index.ts'

/** Users of one statement: a few megabytes of it. */
const AT_ONCE = 2_000
const DAY_MS = 86_400_000

const FIRST = ['Ana', 'Bia', 'Caio', 'Davi', 'Eva', 'Flávia', 'Gil', 'Helena', 'Íris', 'João']
const LAST = ['Souza', 'Conceição', 'Lima', 'Rocha', 'Prado', 'Nunes', 'Alves', 'Teixeira', 'Barros', 'Moura']

/** The search terms of lists in a large database: existing values, common and rare. */
export interface Seed {
  users: number
  productId: string
  planId: string
  /** Few have bought it. */
  rarePlanId: string
  /** Somebody in the middle. */
  user: { id: string; email: string }
}

type Shop = Pick<Seed, 'productId' | 'planId' | 'rarePlanId'>

/** One user of the seed, and when (ms) all their events happened. */
interface User {
  n: number
  id: string
  email: string
  name: string
  at: number
  /** A thousandth is: disabled, refunded, unresolved, with a role. */
  isRare: boolean
}

/** Within how many days up to yesterday the users come, and which number stands in the address of the `n`th. */
export interface Coming {
  days: number
  numberOf: (n: number) => number
}

const IN_ORDER: Coming = { days: 28, numberOf: (n) => n }
/**
 * As in life: the oldest sessions have expired, and addresses are in no order of time (all numbers of seven digits, in steps of a prime).
 */
export const MIXED: Coming = { days: 35, numberOf: (n) => (n * 6_700_417) % 10_000_000 }

interface Filling extends Shop {
  users: number
  at: (n: number) => number
  emailOf: (n: number) => string
}

/** By table. */
type Rows = Record<string, Array<Record<string, string | number | null>>>

/**
 * Fills a database with users, each with a session, purchases and actions: five events a user (two notifications, two entries of the audit
 * log, one event). A database that is filled already is left as it is.
 */
export async function fillSeed({ storage }: AppContext, users: number, { days, numberOf }: Coming = IN_ORDER): Promise<Seed> {
  const known = await storage.db.selectFrom('plans').select('created_at').where('slug', '=', 'seed').executeTakeFirst()
  const start = known?.created_at ?? Date.now() - (days + 1) * DAY_MS
  const shop = { productId: idOf(start, 7, 0), planId: idOf(start, 8, 0), rarePlanId: idOf(start, 8, 1) }
  const at = (n: number) => start + Math.floor((n / users) * days * DAY_MS)
  if (!known) await hurry(storage, () => fill(storage, { users, at, emailOf: (n) => emailOf(numberOf(n)), ...shop }))
  const middle = Math.floor(users / 2)
  return { users, ...shop, user: { id: idOf(at(middle), 1, middle), email: emailOf(numberOf(middle)) } }
}

async function fill(storage: Storage, { users: count, at, emailOf, ...shop }: Filling): Promise<void> {
  const { products, plans } = shopRows(shop, at(0))
  await write(storage, { products })
  for (let from = 0; from < count; from += AT_ONCE) {
    const numbers = Array.from({ length: Math.min(AT_ONCE, count - from) }, (_, i) => from + i)
    const users = numbers.map((n) => userOf(n, { at: at(n), email: emailOf(n) }))
    await write(storage, { ...userRows(users, shop), ...saleRows(users, shop), ...auditRows(users) })
  }
  // Last: by it a database is known to be whole.
  await write(storage, { plans })
}

/**
 * Fills without what a seed can do without: durable commits, references, and indexes, which are made afterwards. Then everything is as in
 * production: SQLite without statistics, PostgreSQL as its own housekeeping leaves it.
 */
async function hurry({ db, address }: Storage, work: () => Promise<void>): Promise<void> {
  if (address.dialect === 'postgres') return hurryPostgres(address.url, work)
  const run = (statement: string) => sql.raw(statement).execute(db)
  const found = await sql<{
    name: string
    text: string
  }>`select name, sql as text from sqlite_master where type = 'index' and sql is not null`.execute(db)
  for (const pragma of ['foreign_keys=off', 'synchronous=off', 'cache_size=-400000']) await run(`pragma ${pragma}`)
  for (const { name } of found.rows) await run(`drop index ${name}`)
  await work()
  for (const { text } of found.rows) await run(text)
  for (const pragma of ['foreign_keys=on', 'synchronous=full', 'cache_size=-2000', 'wal_checkpoint(truncate)'])
    await run(`pragma ${pragma}`)
}

/** Not by the service's own connections, which give a statement ten seconds. */
async function hurryPostgres(url: string, work: () => Promise<void>): Promise<void> {
  const { Client } = await import('pg')
  const client = new Client({ connectionString: url })
  await client.connect()
  const { rows } = await client.query(
    "select indexname as name, indexdef as text from pg_indexes where schemaname = 'public' and indexname not in (select conname from pg_constraint)",
  )
  for (const { name } of rows) await client.query(`drop index ${name}`)
  await work()
  await client.query("set maintenance_work_mem = '512MB'")
  for (const { text } of rows) await client.query(text)
  for (const statement of ['vacuum analyze', 'checkpoint']) await client.query(statement)
  await client.end()
}

/**
 * A statement for each table, its rows as JSON, which both databases read: a statement with a value for every field takes longer to make
 * than to execute.
 */
async function write({ transaction, address }: Storage, tables: Rows): Promise<void> {
  await transaction(async (tx) => {
    // As an administrator of the server may: nobody looks whether references are right.
    if (address.dialect === 'postgres') await sql`set local session_replication_role = replica`.execute(tx)
    for (const [name, rows] of Object.entries(tables)) {
      const columns = Object.keys(rows[0] ?? {})
      const listed = sql.join(columns.map((column) => sql.ref(column)))
      const read = sql.join(columns.map((column) => sql`value ->> ${sql.lit(column)}`))
      const values =
        address.dialect === 'sqlite'
          ? sql`select ${read} from json_each(${JSON.stringify(rows)})`
          : sql`select ${listed} from json_populate_recordset(null::${sql.table(name)}, ${JSON.stringify(rows)})`
      await sql`insert into ${sql.table(name)} (${listed}) ${values}`.execute(tx)
    }
  })
}

function shopRows({ productId, planId, rarePlanId }: Shop, start: number) {
  const times = { created_at: start, updated_at: start }
  const how = { audience: 'external', checkout: 'external', handoff: 'eg_token', scopes: 'read:email', query_key_allowed: 0 }
  return {
    products: [{ id: productId, slug: 'seed', name: 'Seed', publishable_key: 'pk_seed', ...how, ...times }],
    plans: [
      { id: planId, scope: productId, slug: 'seed', name: 'Seed', price: 4_900, ...times },
      { id: rarePlanId, scope: productId, slug: 'rare', name: 'Rare', price: 9_900, ...times },
    ],
  }
}

function userOf(n: number, { at, email }: Pick<User, 'at' | 'email'>): User {
  return { n, id: idOf(at, 1, n), email, name: nameOf(n), at, isRare: n % 1_000 === 7 }
}

function userRows(users: readonly User[], { productId }: Shop): Rows {
  return {
    users: users.map(({ id, email, at, isRare }) => ({
      ...{ id, email, email_verified_at: at, created_at: at, updated_at: at },
      ...{ role: isRare ? 'viewer' : null, disabled_at: isRare ? at : null },
    })),
    users_company: users.map(({ id, name, at, isRare }) => ({ user_id: id, name, is_producer: isRare ? 1 : 0, updated_at: at })),
    user_search_terms: users.flatMap(({ id, email, name }) => searchTerms(email, name).map((term) => ({ term, user_id: id }))),
    sessions: users.map(({ n, id, at, isRare }) => ({
      ...{ id: idOf(at, 2, n), user_id: id, product_id: isRare ? productId : null, created_at: at, expires_at: at + 30 * DAY_MS },
      ...{ ended_at: n % 10 === 3 ? at + 1 : null, authenticated_at: at, last_seen_at: at },
      ...{ ip: `198.51.${Math.floor(n / 251) % 251}.${n % 251}`, user_agent: 'Mozilla/5.0' },
    })),
  }
}

function saleRows(users: readonly User[], { productId, planId, rarePlanId }: Shop): Rows {
  return {
    notifications: users.flatMap(({ n, email, at, isRare }) =>
      [4, 5].map((kind) => ({
        ...{ id: idOf(at, kind, n), source: isRare ? 'asaas' : 'purchase', product_id: isRare ? productId : null, digest: `${kind}.${n}` },
        ...{ event: 'purchase.completed', status: isRare ? 'unresolved' : 'processed', subject: email, received_at: at },
        payload: '{"event":"purchase.completed"}',
      })),
    ),
    event_streams: users.map(({ n, at }) => ({
      ...{ id: idOf(at, 6, n), source: 'purchase', ref: `seed ${n}`, product_id: productId, created_at: at },
    })),
    subscription_events: users.map(({ n, email, at, isRare }) => ({
      ...{
        stream_id: idOf(at, 6, n),
        key: `k${n}`,
        kind: 'paid',
        at,
        plan_id: isRare ? rarePlanId : planId,
        email,
        payment_id: `p${n}`,
        ...amountOf(n),
        method: 'pix',
      },
      ...{ period_start: at, period_end: periodEndOf(n, at) },
      ...{ notification_id: idOf(at, 4, n), recorded_at: at },
    })),
    subscriptions: users.map(({ n, id, email, at, isRare }) => ({
      ...{ id: idOf(at, 9, n), stream_id: idOf(at, 6, n), number: 0, product_id: productId, plan_id: isRare ? rarePlanId : planId, email },
      ...{ user_id: n % 2 === 0 ? id : null, state: isRare ? 'refunded' : 'active', method: 'pix', changed_at: at, created_at: at },
      ...validityOf(periodEndOf(n, at)),
    })),
  }
}

/** A hundredth pays in dollars. */
function amountOf(n: number): { amount: number | null; foreign_amount: string | null } {
  return n % 100 === 7 ? { amount: null, foreign_amount: 'USD 990' } : { amount: 4_900, foreign_amount: null }
}

/** The end of the month that is paid for; null: a tenth say none. */
function periodEndOf(n: number, at: number): number | null {
  return n % 10 === 3 ? null : at + 30 * DAY_MS
}

/** As it follows from the events: after the period come the seven days of grace of Pix. */
function validityOf(end: number | null) {
  return { period_end: end, grace_from: end, access_until: end === null ? null : end + 7 * DAY_MS }
}

function auditRows(users: readonly User[]): Rows {
  return {
    audit: users.flatMap(({ n, id, at, isRare }) =>
      [10, 11].map((kind) => ({
        ...{ id: idOf(at, kind, n), at, actor: isRare ? 'operator:cli' : `user:${id}` },
        ...{ action: isRare ? 'user.disable' : 'user.change', target: id, after: '{"name":"x"}', ip: '198.51.100.7' },
      })),
    ),
  }
}

/** In the order of time, as the service's own ids are. */
function idOf(at: number, kind: number, n: number): string {
  const time = at.toString(16).padStart(12, '0')
  return `${time.slice(0, 8)}-${time.slice(8)}-7${kind.toString(16).padStart(3, '0')}-8000-${n.toString(16).padStart(12, '0')}`
}

export function emailOf(n: number): string {
  return `pessoa.${String(n).padStart(7, '0')}@seed.example`
}

function nameOf(n: number): string {
  return `${FIRST[n % 10]} ${LAST[Math.floor(n / 10) % 10]} ${randomUUID().slice(0, 8)}`
}
