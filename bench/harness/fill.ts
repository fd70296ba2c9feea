import { DatabaseSync } from 'node:sqlite'
import { Client } from 'pg'
import type { AppContext } from '../../server/src/context.ts'

type Address = AppContext['config']['database']

/** How a database writes down what the rows are made of. `n` is the number of a row. */
interface Wording {
  /** An insert of `count` rows, from a `select` list. */
  insert(into: string, list: string, count: number): string
  hex(n: string): string
  sevenDigits(n: string): string
  /** So many characters of hexadecimal, others for each row and each `salt`. */
  digest(salt: string, length: number): string
  text(length: number): string
}

const sqlite: Wording = {
  insert: (into, list, count) =>
    `with recursive numbers(n) as (select 0 union all select n + 1 from numbers where n < ${count - 1}) insert into ${into} select ${list} from numbers`,
  hex: (n) => `printf('%012x', ${n})`,
  sevenDigits: (n) => `printf('%07d', ${n})`,
  digest: (_salt, length) => `hex(randomblob(${length / 2}))`,
  text: (length) => `printf('%.*c', ${length}, 'x')`,
}

const postgres: Wording = {
  insert: (into, list, count) => `insert into ${into} select ${list} from generate_series(0::bigint, ${count - 1}) as numbers(n)`,
  hex: (n) => `lpad(to_hex(${n}), 12, '0')`,
  sevenDigits: (n) => `lpad((${n})::text, 7, '0')`,
  digest: (salt, length) => `substr(md5(n || '${salt}') || md5('${salt}' || n), 1, ${length})`,
  text: (length) => `repeat('x', ${length})`,
}

const wordings = { sqlite, postgres }

const KINDS = { user: 1, session: 2, sample: 3, notification: 4, stream: 5, subscription: 6 } as const

/** In SQL, so that a million users take seconds. Their addresses and ids are as long as real ones. */
export async function fill(address: Address, { users, sample }: { users: number; sample: number }): Promise<void> {
  const { insert, digest } = wordings[address.dialect]
  const { uuid, email } = namesIn(address)
  const now = Date.now()
  const session = (kind: 'session' | 'sample', user: string, count: number) =>
    insert(
      'sessions (id, user_id, bound_hash, created_at, expires_at, ip, user_agent)',
      `${uuid(kind)}, ${uuid('user', user)}, ${digest(kind, 32)}, ${now}, ${now + 30 * 86_400_000}, '192.0.2.1', 'Mozilla/5.0 (X11; Linux x86_64; rv:145.0) Gecko/20100101 Firefox/145.0'`,
      count,
    )
  await run(address, [
    insert('users (id, email, email_verified_at, created_at, updated_at)', `${uuid('user')}, ${email()}, ${now}, ${now}, ${now}`, users),
    insert(
      'users_company (user_id, name, is_producer, company_name, phone, updated_at)',
      `${uuid('user')}, 'Ana Conceição ' || n, 0, 'Conceição e Filhos Ltda', '+5511900000000', ${now}`,
      users,
    ),
    session('session', 'n', users),
    session('sample', `(n * 7919) % ${users}`, sample),
  ])
}

/** The user of a sampled session consents to the product: a handoff is redeemed for nobody else. */
export async function agree(address: Address, { productId, sample }: { productId: string; sample: number }): Promise<void> {
  await run(address, [
    `insert into consents (user_id, product_id, scopes, granted_at, ip, user_agent)
    select user_id, '${productId}', 'read:email read:profile', created_at, ip, user_agent from sessions
    where id between '${sampleId(0)}' and '${sampleId(sample)}' on conflict do nothing`,
  ])
}

/** Subscriptions as notifications leave them, with their notifications. */
export async function sell(address: Address, count: number, productId: string): Promise<void> {
  const { insert, digest, sevenDigits, text } = wordings[address.dialect]
  const { uuid } = namesIn(address)
  const now = Date.now()
  const buyer = `'buyer.' || ${sevenDigits('n')} || '@bench.test'`
  const plan = "(select id from plans where slug = 'easy-pro')"
  await run(address, [
    insert(
      'notifications (id, source, digest, event, status, subject, payload, subscription_id, received_at)',
      `${uuid('notification')}, 'purchase', ${digest('a', 42)}, 'purchase.completed', 'processed', ${buyer}, ${text(400)}, ${uuid('subscription')}, ${now}`,
      count,
    ),
    insert(
      // As counted for the reports: else the service counts them all while it is measured.
      'event_streams (id, source, ref, product_id, created_at, counted_at)',
      `${uuid('stream')}, 'purchase', ${buyer} || ' ${productId} easy-pro', '${productId}', ${now}, ${now}`,
      count,
    ),
    insert(
      'subscription_events (stream_id, key, kind, at, plan_id, email, payment_id, notification_id, recorded_at)',
      `${uuid('stream')}, ${digest('b', 42)}, 'paid', ${now}, ${plan}, ${buyer}, ${digest('c', 42)}, ${uuid('notification')}, ${now}`,
      count,
    ),
    insert(
      'subscriptions (id, stream_id, number, product_id, plan_id, email, product_user, state, changed_at, created_at)',
      `${uuid('subscription')}, ${uuid('stream')}, 0, '${productId}', ${plan}, ${buyer}, 'u' || ${sevenDigits('n')}, 'active', ${now}, ${now}`,
      count,
    ),
  ])
}

function namesIn({ dialect }: Address) {
  const { hex, sevenDigits } = wordings[dialect]
  return {
    uuid: (kind: keyof typeof KINDS, n = 'n') => `'0199aa00-000${KINDS[kind]}-7000-8000-' || ${hex(n)}`,
    email: (n = 'n') => `'user.' || ${sevenDigits(n)} || '@bench.test'`,
  }
}

/** Together, without a wait for the disk: nothing of it has to outlive the bench. */
async function run(address: Address, statements: readonly string[]): Promise<void> {
  if (address.dialect === 'sqlite') {
    const db = new DatabaseSync(address.file)
    db.exec(`pragma synchronous=off; pragma cache_size=-400000; begin; ${statements.join('; ')}; commit; pragma wal_checkpoint(truncate)`)
    db.close()
    return
  }
  const client = new Client({ connectionString: address.url })
  await client.connect()
  // As a replica, it does not look for the row behind each foreign key.
  await client.query('set synchronous_commit = off; set session_replication_role = replica')
  for (const statement of statements) await client.query(statement)
  await client.query('vacuum analyze')
  await client.end()
}

export function sampleId(n: number): string {
  return `0199aa00-000${KINDS.sample}-7000-8000-${n.toString(16).padStart(12, '0')}`
}

export function emailOf(n: number): string {
  return `user.${String(n).padStart(7, '0')}@bench.test`
}
