import assert from 'node:assert/strict'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { it, type TestContext } from 'node:test'
import { setTimeout } from 'node:timers/promises'
import { deleteUser, disableUser, enableUser, findUser, setUser } from '../../../src/admin/index.ts'
import { EVENT_TYPES, endpointStore } from '../../../src/app-events/index.ts'
import { type AppContext, openContext } from '../../../src/context.ts'
import { enableEndpoint, replayToEndpoint } from '../../../src/event-delivery/index.ts'
import { changeProduct, type Product, productStore, type Scope } from '../../../src/products/index.ts'
import { setGrace } from '../../../src/subscriptions/index.ts'
import { consentStore, userStore } from '../../../src/users/index.ts'
import { eachDurableDatabase, type TestDatabase } from '../../support/databases.ts'
import { addEndpoint } from '../../support/events/endpoints.ts'
import { type FollowingApp, MOODS, startFollowingApp } from '../../support/events/following-app.ts'
import { createAuthority } from '../../support/faults/authority.ts'
import { freePort } from '../../support/free-port.ts'
import { bring, completed, notify, WEBHOOK_SECRET } from '../../support/gateways/purchases.ts'
import { environmentBeside, type ServerProcess, startServer } from '../../support/server-process.ts'
import { startService, type TestService } from '../../support/service.ts'
import { until } from '../../support/until.ts'

const DAY = 86_400_000
const ACTOR = 'operator:test'
const TYPES = EVENT_TYPES.filter((type) => /^(access|user)\./.test(type))
const SCOPES: ReadonlyArray<readonly Scope[]> = [['read:email', 'read:profile'], ['read:profile'], ['read:email'], []]
/** All is compared after each few steps: a later change would hide what an earlier one has lost. */
const [ROUNDS, STEPS] = [6, 15]
/** Another seed makes another history. */
const SEED = Number(process.env.EVENTS_SEED ?? 17)

function chanceFrom(seed: number): (sides: number) => number {
  let state = seed
  return (sides) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
    return Math.floor((state / 2 ** 32) * sides)
  }
}

interface Fixture {
  /** The changes that commands make, beside the server. */
  context: AppContext
  server: { url: string; process: ServerProcess; restart(): Promise<void> }
  shops: ReadonlyArray<{ product: Product; apiKey: string }>
  users: ReadonlyArray<{ id: string; email: string }>
  apps: readonly FollowingApp[]
  identities: ReturnType<typeof createAuthority>
  /** `product user` of those who have ever agreed to share something. */
  met: Set<string>
}

async function openFixture(test: TestContext, database: TestDatabase): Promise<Fixture> {
  const hand = await startService(await database.fresh(), { environment: { PORTARIA_URL: 'http://localhost:4999' }, stops: 'by_caller' })
  const shops = []
  for (const slug of ['loja', 'curso']) {
    const { product, apiKey } = await hand.product({ slug, audience: 'external', checkout: 'external', scopes: [...(SCOPES[0] ?? [])] })
    shops.push({ product, apiKey: apiKey ?? assert.fail() })
  }
  const identities = createAuthority(['localhost'])
  const apps = [await startFollowingApp(), await startFollowingApp(), await startFollowingApp()]
  for (const [n, { receiver }] of apps.entries()) {
    await addEndpoint(hand, { url: receiver.url, product: n === 2 ? 'curso' : 'loja', types: TYPES })
  }
  const operator = await startFollowingApp({ identity: identities.expired })
  await addEndpoint(hand, { url: operator.receiver.url, types: TYPES })
  const users = []
  for (let n = 0; n < 6; n++) users.push(await hand.user(`pessoa-${n}@exemplo.com.br`))
  const folder = mkdtempSync(path.join(tmpdir(), 'portaria-authority-'))
  test.after(() => rmSync(folder, { recursive: true, force: true }))
  const trusted = path.join(folder, 'authority.pem')
  writeFileSync(trusted, identities.certificate)
  const port = await freePort()
  const environment = {
    ...environmentBeside(hand, { port }),
    ...{ PORTARIA_WEBHOOK_SECRET: WEBHOOK_SECRET, NODE_EXTRA_CA_CERTS: trusted },
  }
  await hand.stop()
  const opened = await openContext({ ...hand.config, masterKey: hand.config.masterKey ?? assert.fail() }, { onFault: assert.ifError })
  assert.ok(!('refusal' in opened))
  test.after(() => opened.close())
  const server = {
    url: `http://localhost:${port}`,
    process: await startServer(environment),
    async restart() {
      server.process.child.kill('SIGKILL')
      await server.process.exited
      server.process = await startServer(environment)
    },
  }
  return { context: opened, server, shops, users, identities, apps: [...apps, operator], met: new Set() }
}

/** Time goes by for what waits for another attempt, without a wait. In transactions: the server writes to these rows, too. */
async function passTime({ context: { storage } }: Fixture): Promise<void> {
  await storage.transaction((tx) => tx.updateTable('event_deliveries').set({ next_at: 1 }).where('state', '=', 'pending').execute())
  await storage.transaction((tx) => tx.updateTable('event_endpoints').set({ paused_until: null }).execute())
}

/** One change of anything. */
async function change(fixture: Fixture, chance: (sides: number) => number): Promise<void> {
  const { context, server, shops, users, apps, met } = fixture
  const one = <T>(some: readonly T[]) => some[chance(some.length)] ?? assert.fail()
  const { product } = one(shops)
  const { id, email } = one(users)
  const deps = { ...context, actor: ACTOR }
  const user = await findUser(context.storage.db, email)
  const now = context.now()
  const stream = { email, productId: product.id, ref: `${id} ${product.id}` }
  const pay = (days: number) =>
    bring({ context } as TestService, { kind: 'paid', at: now, periodEnd: now + days * DAY, ...stream, paymentId: `${now}` })
  const share = async () => {
    if (!user) return
    met.add(`${product.id} ${id}`)
    const consent = { userId: id, productId: product.id, scopes: one(SCOPES).join(' '), ip: '::1', userAgent: '' }
    await context.storage.transaction((tx) => consentStore(tx).putConsent(consent, now))
  }
  // A consent of users who have ever agreed: one of a random user would mostly take nothing back.
  const withdraw = async () => {
    const [productId = '', userId = ''] = met.size === 0 ? [] : one([...met]).split(' ')
    await context.storage.transaction((tx) => consentStore(tx).removeConsent(userId, productId))
  }
  const changes: ReadonlyArray<() => Promise<unknown>> = [
    () => pay(1 + chance(60)),
    () => pay(-chance(20)),
    () => bring({ context } as TestService, { kind: 'refunded', at: now, ...stream }),
    async () => user && (user.disabledAt === undefined ? disableUser(user, undefined, deps) : enableUser(user, deps)),
    async () => user && setUser(user, { name: `Nome <b>${chance(1_000)}</b>` }, deps),
    async () => user && setUser(user, { verified: user.emailVerifiedAt === undefined }, deps),
    share,
    share,
    withdraw,
    withdraw,
    () => changeProduct(product.slug, { scopes: [...one(SCOPES)] }, deps),
    () => setGrace(product.slug, [{ method: 'card', days: chance(20) }], deps),
    async () => user && chance(4) === 0 && deleteUser(user, deps),
    () => notify(server.url, completed({ email, productId: product.id })),
    async () => chance(2) === 0 && server.restart(),
    async () => server.process.setClock(one([-40, -3, 0, 3, 40]) * DAY),
    async () => one(apps.filter((_app, n) => n !== 1)).is(one(MOODS)),
    async () => one(apps.filter((_app, n) => n !== 1)).is(one(MOODS)),
    () => passTime(fixture),
  ]
  await one(changes)()
}

/** One user is gone for good. */
async function leave({ context, users }: Fixture): Promise<void> {
  const user = await findUser(context.storage.db, users.at(-1)?.email ?? '')
  if (user) await deleteUser(user, { ...context, actor: ACTOR })
}

/** A look at everything with a clock that is 40 days ahead: where it is the database's, all that was paid for is over. */
async function jump({ context, server }: Fixture): Promise<void> {
  server.process.setClock(40 * DAY)
  const due = () =>
    context.storage.db
      .selectFrom('reported_access')
      .select('subject')
      .where('due_at', '<=', context.now() + 39 * DAY)
  if (context.storage.address.dialect === 'sqlite') await until(async () => (await due().execute()).length === 0)
}

/** Nothing fails any more, and what was missed is replayed. Then all has arrived. */
async function recover(fixture: Fixture): Promise<void> {
  const { context, server, apps, identities } = fixture
  const deps = { ...context, actor: ACTOR }
  const { db } = context.storage
  server.process.setClock(0)
  for (const app of apps) app.is('well')
  apps.at(-1)?.receiver.identifiesAs(identities.server)
  let looks = 0
  let left: unknown[][] = []
  const isOver = async () => {
    if (looks++ % 100 === 0) {
      await passTime(fixture)
      for (const { id, disabledAt } of await endpointStore(db).list()) {
        // An answer of before may still disable one.
        if (disabledAt !== undefined) await enableEndpoint(id, deps)
        await replayToEndpoint(id, disabledAt === undefined ? 'failed' : { since: 0 }, deps)
      }
    }
    const pending = db.selectFrom('event_deliveries').selectAll().where('state', 'not in', ['delivered', 'scrubbed'])
    const users = db.selectFrom('reported_users').select('user_id').where('due', 'is not', null)
    const access = db.selectFrom('reported_access').select('subject').where('due_at', '<=', context.now())
    const scans = db.selectFrom('user_scans').select('product_id')
    left = [await pending.execute(), await users.execute(), await access.execute(), await scans.execute()]
    return left.every((rows) => rows.length === 0)
  }
  await until(isOver).catch((error: unknown) => {
    throw new Error(`left of deliveries, users, access and scans: ${JSON.stringify(left)}`, { cause: error })
  })
}

/** The fields of a user that may be seen with some scopes. */
async function fieldsOf({ context }: Fixture, id: string, scopes: readonly string[]) {
  const user = await userStore(context.storage.db).findById(id)
  if (!user) return { type: 'user.deleted' }
  const [email, profile] = [scopes.includes('read:email'), scopes.includes('read:profile')]
  return {
    ...{ email: email ? user.email : null, email_verified: email ? user.emailVerifiedAt !== undefined : null },
    ...{ name: profile ? user.name : null, avatar_url: profile ? (user.avatarUrl ?? null) : null },
    ...{ company_name: profile ? (user.companyName ?? null) : null, rank_name: profile ? (user.rankName ?? null) : null },
  }
}

const NONE = { active: false, status: 'none', reason: 'no_subscription', plan_slug: null, current_period_end: null, grace_until: null }

/** Asserts that each app knows the true state. */
async function compare(fixture: Fixture, when: string): Promise<void> {
  const { context, server, shops, users, apps, met } = fixture
  const [many, well, other, operator] = apps
  assert.ok(many && well && other && operator)
  const withoutType = (state: Record<string, unknown> | undefined) => {
    if (!state || state.type === 'user.deleted') return state
    const { type, ...fields } = state
    return fields
  }
  for (const {
    product: { id: productId, slug },
    apiKey,
  } of shops) {
    const product = (await productStore(context.storage.db).findById(productId)) ?? assert.fail()
    for (const { id, email } of users) {
      const about = `${email} in ${slug}, ${when}`
      const own: readonly FollowingApp[] = slug === 'loja' ? [many, well] : [other]
      const headers = { authorization: `Bearer ${apiKey}` }
      const asked = await fetch(`${server.url}/api/saas/check-access?user_id=${id}`, { headers })
      const answer = await asked.json()
      for (const app of [...own, operator]) assert.deepEqual(app.access(productId, id) ?? NONE, answer, about)
      const agreed = (await consentStore(context.storage.db).findConsent(id, productId)) ?? []
      const isMet = met.has(`${productId} ${id}`)
      const seen = isMet
        ? await fieldsOf(
            fixture,
            id,
            product.scopes.filter((scope) => agreed.includes(scope)),
          )
        : undefined
      for (const app of own) assert.deepEqual(withoutType(app.user(productId, id)), seen, about)
      assert.deepEqual(withoutType(operator.user(null, id)), await fieldsOf(fixture, id, ['read:email', 'read:profile']), about)
    }
  }
}

/** Waits until it does: the server looks at its clock once a second. */
async function holds(assertion: () => Promise<void>): Promise<void> {
  let fault: unknown
  const tried = async () => {
    fault = await assertion().catch((error: unknown) => error)
    return fault === undefined
  }
  await until(tried, 15_000).catch(() => {
    throw fault
  })
}

eachDurableDatabase('Apps that fail, and a server that is killed and whose clock jumps', (database) => {
  it('end with exactly what check-access answers, and with what each may see of the users', async (test) => {
    const fixture = await openFixture(test, database)
    const chance = chanceFrom(SEED)
    for (let round = 1; round <= ROUNDS; round++) {
      fixture.apps.at(-1)?.receiver.identifiesAs(fixture.identities.expired)
      for (let step = 0; step < STEPS; step++) {
        await change(fixture, chance)
        await setTimeout(chance(3) * 25)
      }
      if (round === ROUNDS) await leave(fixture)
      await jump(fixture)
      await recover(fixture)
      await holds(() => compare(fixture, `round ${round}, EVENTS_SEED=${SEED}`))
    }
    const types = fixture.apps.flatMap(({ receiver }) => receiver.types())
    for (const type of TYPES) assert.ok(types.includes(type), `${type} never came with EVENTS_SEED=${SEED}`)
  })
})
