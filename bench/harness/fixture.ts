import path from 'node:path'
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
import { agree, emailOf, fill, sampleId, sell } from './fill.ts'

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

/**
 * Makes a world of `users` users with a session each, and `subscriptions` that the product's own users have. In a file of `folder`, unless
 * `url` names another database.
 */
export async function makeFixture(
  folder: string,
  users: number,
  subscriptions = 0,
  { sample = SAMPLE, url = `sqlite:${path.join(folder, 'portaria.db')}` }: { sample?: number; url?: string } = {},
): Promise<Fixture> {
  const read = await readConfig({
    NODE_ENV: 'production',
    PORTARIA_URL: URL_OF_SERVICE,
    DATABASE_URL: url,
    PORTARIA_MASTER_KEY: MASTER_KEY,
  })
  if ('faults' in read) throw new Error(JSON.stringify(read.faults))
  const onFault = (error: unknown) => console.error(error)
  const context = await openContext({ ...read.config, masterKey: Buffer.from(MASTER_KEY, 'base64') }, { onFault })
  if ('refusal' in context) throw new Error(context.refusal)
  const { database } = read.config
  await fill(database, { users, sample })
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
  if (subscriptions > 0) await sell(database, subscriptions, product.product.id)
  await agree(database, { productId: product.product.id, sample })
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
