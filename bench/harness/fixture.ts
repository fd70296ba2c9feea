import path from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { createUser } from '../../server/src/admin/index.ts'
import { readConfig } from '../../server/src/config.ts'
import { type AppContext, openContext } from '../../server/src/context.ts'
import { createProduct, type ProductCreated } from '../../server/src/products/index.ts'
import {
  createKeyRing,
  createTokens,
  type LiveSession,
  manageSigningKeys,
  mintSessionToken,
  sessionStore,
  type Tokens,
} from '../../server/src/sessions/index.ts'
import { addFirstPlans } from '../../server/src/subscriptions/index.ts'

export const MASTER_KEY = Buffer.alloc(32, 11).toString('base64')
export const URL_OF_SERVICE = 'https://sso.bench.test'
export const PASSWORD = 'correct horse battery'
export const USER = 'user@bench.test'
/** Sessions that tokens are minted for, spread evenly over all users, whatever their number, unless a bench needs more. */
const SAMPLE = 12_000

/** A database with users in it, and the keys of its service. */
export interface Fixture {
  folder: string
  context: AppContext
  product: ProductCreated
  /** `eg_session` tokens of different sessions, from the `from`th on. */
  sessionTokens(from: number, count: number): Promise<string[]>
  /** Fresh `eg_token`s for `product`. */
  handoffTokens(from: number, count: number): Promise<string[]>
  /** The address of the `n`th user. */
  email(n: number): string
  users: number
  subscriptions: number
}

/** Makes a world of `users` users with a session each, and `subscriptions` that the product's own users have. */
export async function makeFixture(folder: string, users: number, subscriptions = 0, sample = SAMPLE): Promise<Fixture> {
  const read = await readConfig({
    NODE_ENV: 'production',
    PORTARIA_URL: URL_OF_SERVICE,
    DATABASE_URL: `sqlite:${path.join(folder, 'portaria.db')}`,
    PORTARIA_MASTER_KEY: MASTER_KEY,
  })
  if ('faults' in read) throw new Error(JSON.stringify(read.faults))
  const onFault = (error: unknown) => console.error(error)
  const context = await openContext({ ...read.config, masterKey: Buffer.from(MASTER_KEY, 'base64') }, { onFault })
  if ('refusal' in context) throw new Error(context.refusal)
  fill(path.join(folder, 'portaria.db'), { users, sample })
  const actor = 'operator:bench'
  await manageSigningKeys({ ...context, actor })
  const user = {
    email: USER,
    name: 'Ana Conceição',
    role: undefined,
    verified: true,
    isProducer: false,
    isBeta: false,
    password: PASSWORD,
  }
  await createUser(user, { ...context, actor })
  const product = await createProduct(
    {
      slug: 'shop',
      name: 'Shop',
      audience: 'external',
      checkout: 'external',
      handoff: 'eg_token',
      scopes: ['read:email', 'read:profile'],
      queryKeyAllowed: false,
      redirectUris: [{ uri: 'https://shop.bench.test/callback', trusted: false }],
    },
    { ...context, actor },
  )
  if ('refusal' in product) throw new Error(JSON.stringify(product))
  await addFirstPlans(context)
  if (subscriptions > 0) sell(path.join(folder, 'portaria.db'), subscriptions, product.product.id)
  agree(path.join(folder, 'portaria.db'), { productId: product.product.id, sample })
  const keys = createKeyRing({ ...context, onFault })
  await keys.load()
  return {
    folder,
    context,
    product,
    users,
    subscriptions,
    email: emailOf,
    ...minting(context, createTokens({ keys, issuer: URL_OF_SERVICE, now: Date.now }), { ...product, sample }),
  }
}

function minting({ storage }: AppContext, tokens: Tokens, { product, sample }: ProductCreated & { sample: number }) {
  const each = async (from: number, count: number, mint: (session: LiveSession) => Promise<string>): Promise<string[]> => {
    const minted: string[] = []
    for (let n = from; n < from + count; n++) {
      const session = await sessionStore(storage.db).findLive(sampleId(n % sample), Date.now())
      if (!session) throw new Error(`session ${n} is not there`)
      minted.push(await mint(session))
    }
    return minted
  }
  const scope = { audience: product.id, expiresAt: Date.now() + 3_600_000 }
  return {
    sessionTokens: (from: number, count: number) =>
      each(from, count, (session) => mintSessionToken(session, { tokens, issuer: URL_OF_SERVICE })),
    handoffTokens: (from: number, count: number) =>
      each(from, count, ({ id, userId }) => tokens.sign('eg-token+jwt', { sub: userId, sid: id }, scope)),
  }
}

/** In SQL, so that a million users take seconds. Their addresses and ids are as long as real ones. */
function fill(file: string, { users, sample }: { users: number; sample: number }): void {
  const db = new DatabaseSync(file)
  const now = Date.now()
  db.exec('pragma synchronous=off; pragma cache_size=-400000; begin')
  const numbers = (count: number) => `with recursive numbers(n) as (select 0 union all select n + 1 from numbers where n < ${count - 1})`
  db.exec(
    `${numbers(users)} insert into users (id, email, email_verified_at, created_at, updated_at)
    select ${uuid('user', 'n')}, ${email('n')}, ${now}, ${now}, ${now} from numbers`,
  )
  db.exec(`${numbers(users)} insert into users_company (user_id, name, is_producer, company_name, phone, updated_at)
    select ${uuid('user', 'n')}, 'Ana Conceição ' || n, 0, 'Conceição e Filhos Ltda', '+5511900000000', ${now} from numbers`)
  const session = (kind: 'session' | 'sample', user: string) =>
    `insert into sessions (id, user_id, bound_hash, created_at, expires_at, ip, user_agent)
    select ${uuid(kind, 'n')}, ${uuid('user', user)}, hex(randomblob(16)), ${now}, ${now + 30 * 86_400_000}, '192.0.2.1', 'Mozilla/5.0 (X11; Linux x86_64; rv:145.0) Gecko/20100101 Firefox/145.0' from numbers`
  db.exec(`${numbers(users)} ${session('session', 'n')}`)
  db.exec(`${numbers(sample)} ${session('sample', `(n * 7919) % ${users}`)}`)
  db.exec('commit; pragma wal_checkpoint(truncate)')
  db.close()
}

/** The user of a sampled session consents to the product: a handoff is redeemed for nobody else. */
function agree(file: string, { productId, sample }: { productId: string; sample: number }): void {
  const db = new DatabaseSync(file)
  db.prepare(
    `insert or ignore into consents (user_id, product_id, scopes, granted_at, ip, user_agent)
    select user_id, ?, 'read:email read:profile', created_at, ip, user_agent from sessions where id between ? and ?`,
  ).run(productId, sampleId(0), sampleId(sample))
  db.close()
}

/** Subscriptions as notifications leave them, with their notifications. */
function sell(file: string, count: number, productId: string): void {
  const db = new DatabaseSync(file)
  const now = Date.now()
  db.exec('pragma synchronous=off; pragma cache_size=-400000; begin')
  const numbers = `with recursive numbers(n) as (select 0 union all select n + 1 from numbers where n < ${count - 1})`
  const buyer = "printf('buyer.%07d@bench.test', n)"
  const plan = "(select id from plans where slug = 'easy-pro')"
  db.exec(`${numbers} insert into notifications (id, source, digest, event, status, subject, payload, subscription_id, received_at)
    select ${uuid('notification', 'n')}, 'purchase', hex(randomblob(21)), 'purchase.completed', 'processed', ${buyer}, printf('%.*c', 400, 'x'), ${uuid('subscription', 'n')}, ${now} from numbers`)
  db.exec(`${numbers} insert into event_streams (id, source, ref, product_id, created_at)
    select ${uuid('stream', 'n')}, 'purchase', ${buyer} || ' ${productId} easy-pro', '${productId}', ${now} from numbers`)
  db.exec(`${numbers} insert into subscription_events (stream_id, key, kind, at, plan_id, email, payment_id, notification_id, recorded_at)
    select ${uuid('stream', 'n')}, hex(randomblob(21)), 'paid', ${now}, ${plan}, ${buyer}, hex(randomblob(21)), ${uuid('notification', 'n')}, ${now} from numbers`)
  db.exec(`${numbers} insert into subscriptions (id, stream_id, number, product_id, plan_id, email, product_user, state, changed_at, created_at)
    select ${uuid('subscription', 'n')}, ${uuid('stream', 'n')}, 0, '${productId}', ${plan}, ${buyer}, printf('u%07d', n), 'active', ${now}, ${now} from numbers`)
  db.exec('commit; pragma wal_checkpoint(truncate)')
  db.close()
}

const KINDS = { user: 1, session: 2, sample: 3, notification: 4, stream: 5, subscription: 6 } as const

function uuid(kind: keyof typeof KINDS, n: string): string {
  return `printf('0199aa00-000${KINDS[kind]}-7000-8000-%012x', ${n})`
}

function sampleId(n: number): string {
  return `0199aa00-000${KINDS.sample}-7000-8000-${n.toString(16).padStart(12, '0')}`
}

function email(n: string): string {
  return `printf('user.%07d@bench.test', ${n})`
}

function emailOf(n: number): string {
  return `user.${String(n).padStart(7, '0')}@bench.test`
}
