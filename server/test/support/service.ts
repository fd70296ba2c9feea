import type { AddressInfo } from 'node:net'
import { PassThrough } from 'node:stream'
import { after, before } from 'node:test'
import { createUser, findUser } from '../../src/admin/index.ts'
import { buildService } from '../../src/app.ts'
import { type Config, readConfig } from '../../src/config.ts'
import { type AppContext, openContext } from '../../src/context.ts'
import { createLogger } from '../../src/http/index.ts'
import { createProduct, type NewProduct, type ProductCreated } from '../../src/products/index.ts'
import { manageSigningKeys } from '../../src/sessions/index.ts'
import type { Timeline } from '../../src/storage/index.ts'
import { addFirstPlans } from '../../src/subscriptions/index.ts'
import { createPasswordHasher, type PasswordHasher, type ProfileRequirements, USUAL_REQUIREMENTS } from '../../src/users/index.ts'
import { Browser } from './browser.ts'
import type { TestDatabase } from './databases.ts'
import { freePort } from './free-port.ts'

export const PASSWORD = 'correct horse battery'
/** A race needs a few at a time. Each is a process of PostgreSQL, whose start costs more than most of what a test asks it. */
const CONNECTIONS = '4'
const MASTER_KEY = Buffer.alloc(32, 7).toString('base64')

export interface TestService {
  /** `PORTARIA_URL`, where it really listens. */
  url: string
  config: Config
  context: AppContext
  /** A clock that stands where the test puts it; it starts at the real time. */
  clock: { now: number }
  /** Everything logged so far. */
  log(): string
  browser(headers?: Record<string, string>): Browser
  /** Makes a user with the password `PASSWORD` and, unless another is asked for, a complete profile. */
  user(
    email: string,
    options?: { name?: string; beta?: boolean; profile?: 'complete' | 'missing'; admin?: boolean },
  ): Promise<{ id: string; email: string }>
  product(
    input: Partial<Omit<NewProduct, 'requirements'>> & {
      slug: string
      uris?: string[]
      trusted?: string[]
      requirements?: Partial<ProfileRequirements>
    },
  ): Promise<ProductCreated>
  /** Writes down when sessions were last seen, as each node does every few minutes. */
  flushLastSeen(): Promise<void>
  /** Adds the sign-ins that failed to those of the day, as each node does every minute. */
  writeFailedSignIns(): Promise<void>
  stop(): Promise<void>
}

const inLife = createPasswordHasher()

/**
 * Stands in for argon2id where the cost of a password check does not matter to the test. Hashes made by the command line are checked with
 * argon2id.
 */
const cheaply = (password: string, hash: string | undefined) =>
  hash?.startsWith('$argon2')
    ? inLife.verify(password, hash).then((right) => right === true)
    : Promise.resolve(hash === `cheap:${password}`)
const cheapHash = async (password: string) => `cheap:${password}`
export const cheapPasswords: PasswordHasher = {
  hash: cheapHash,
  verify: cheaply,
  enter: () => ({ verify: cheaply, hash: cheapHash, leave: () => {} }),
  queued: () => 0,
}

/**
 * One service for all tests of a suite, which keep their users and products apart by name. Answers it through a function, since it starts
 * before the first test and not before. Passwords are checked cheaply unless `passwords` says otherwise.
 */
export function startForSuite(
  database: TestDatabase,
  { environment = {}, passwords = cheapPasswords }: { environment?: Record<string, string>; passwords?: PasswordHasher } = {},
): () => TestService {
  let service: TestService | undefined
  before(async () => {
    service = await startService(await database.fresh(), { environment, passwords, stops: 'by_caller' })
  })
  after(() => service?.stop())
  return () => {
    if (!service) throw new Error('the service of this suite has not started')
    return service
  }
}

/**
 * The whole service on a database of the test's own, listening on a free port of localhost. `environment` is what an operator would set.
 * A second one over the same database url is a second node. `passwords` takes the place of argon2id where hundreds of attempts are made,
 * `timeoutSeconds` that of how long a provider is waited for. `timeline` makes it another version.
 */
export async function startService(
  database: { url: string },
  {
    environment = {},
    clock = { now: Date.now() },
    stops = 'after_test',
    passwords,
    timeoutSeconds,
    timeline,
  }: {
    environment?: Record<string, string>
    clock?: { now: number }
    stops?: 'after_test' | 'by_caller'
    passwords?: PasswordHasher
    timeoutSeconds?: number
    timeline?: Timeline
  } = {},
): Promise<TestService> {
  const port = await freePort()
  const url = environment.PORTARIA_URL ?? `http://localhost:${port}`
  const read = await readConfig({
    PORT: String(port),
    HOST: 'localhost',
    DATABASE_URL: database.url,
    PORTARIA_DATABASE_CONNECTIONS: CONNECTIONS,
    PORTARIA_MASTER_KEY: MASTER_KEY,
    ...environment,
  })
  if ('faults' in read) throw new Error(`bad test configuration: ${JSON.stringify(read.faults)}`)
  const { config } = read
  const { stream, text } = sink()
  const logger = createLogger(config.logLevel, stream)
  const now = () => clock.now
  const masterKey = Buffer.from(environment.PORTARIA_MASTER_KEY ?? MASTER_KEY, 'base64')
  const onFault = (error: unknown) => logger.warn({ err: error }, 'background')
  const opened = await openContext({ ...config, masterKey }, { now, onFault, ...(timeline && { timeline }) })
  if ('refusal' in opened) throw new Error(opened.refusal)
  const context: AppContext = { ...opened, ...(passwords && { passwords }), ...(timeoutSeconds !== undefined && { timeoutSeconds }) }
  await addFirstPlans(context)
  await manageSigningKeys({ ...context, actor: 'system' })
  const { app, keys, outbox, mailer, flushLastSeen, writeFailedSignIns } = buildService(context, logger)
  let stopped = false
  const stop = async () => {
    if (stopped) return
    stopped = true
    await app.close()
    await outbox.stop()
    await mailer.close()
    await context.changes.stop()
    await context.close()
  }
  if (stops === 'after_test') after(stop) // first: a start that fails must leave nothing open
  await keys.load()
  await context.changes.start()
  outbox.start()
  await app.listen({ port, host: 'localhost' })
  const listening = `http://localhost:${(app.server.address() as AddressInfo).port}`
  return {
    url,
    config,
    context,
    clock,
    log: text,
    stop,
    flushLastSeen,
    writeFailedSignIns,
    browser: (headers) => new Browser(listening, { origin: url, headers: headers ?? {} }),
    user: (email, options = {}) => makeUser(context, email, options),
    product: (input) => makeProduct(context, input),
  }
}

let taxIds = 0

async function makeUser(
  context: AppContext,
  email: string,
  { name = 'Ana Flávia Conceição', beta = false, profile = 'complete', admin = false }: Parameters<TestService['user']>[1] & object,
): Promise<{ id: string; email: string }> {
  const input = {
    email,
    name,
    role: admin ? ('owner' as const) : undefined,
    verified: true,
    isProducer: false,
    isBeta: beta,
    password: PASSWORD,
  }
  const user = await createUser(input, { ...context, actor: 'operator:test' })
  if ('refusal' in user) throw new Error(user.refusal)
  if (profile === 'complete') {
    const taxId = { tax_id_kind: 'cpf', tax_id_sealed: 'test', tax_id_hash: `test-${++taxIds}-${user.id}` }
    await context.storage.db
      .updateTable('users_company')
      .set({ ...taxId, phone: '+5511912345678' })
      .where('user_id', '=', user.id)
      .execute()
  }
  const found = await findUser(context.storage.db, user.id)
  if (!found) throw new Error('a user just made is not there')
  return found
}

async function makeProduct(
  context: AppContext,
  { slug, uris = [], trusted = [], ...input }: Parameters<TestService['product']>[0],
): Promise<ProductCreated> {
  const made = await createProduct(
    {
      slug,
      name: input.name ?? slug,
      audience: input.audience ?? 'internal',
      checkout: input.checkout ?? 'integrated',
      handoff: input.handoff ?? (input.audience === 'external' ? 'eg_token' : 'eg_session'),
      scopes: input.scopes ?? ['read:email', 'read:profile'],
      queryKeyAllowed: input.queryKeyAllowed ?? true,
      requirements: { ...USUAL_REQUIREMENTS, ...input.requirements },
      redirectUris: [...uris.map((uri) => ({ uri, trusted: false })), ...trusted.map((uri) => ({ uri, trusted: true }))],
    },
    { ...context, actor: 'operator:test' },
  )
  if ('refusal' in made) throw new Error(JSON.stringify(made))
  return made
}

function sink() {
  const stream = new PassThrough()
  let text = ''
  stream.on('data', (chunk) => {
    text += chunk
  })
  return { stream, text: () => text }
}
