import assert from 'node:assert/strict'
import { after, it } from 'node:test'
import fc from 'fast-check'
import { sql } from 'kysely'
import { accessJson } from '../../../src/access/access-json.ts'
import { accessOfUser } from '../../../src/access/check-access.ts'
import { markSubject } from '../../../src/access/reported/mark-store.ts'
import { reportDue } from '../../../src/access/reported/report-access.ts'
import { createAccessReporter } from '../../../src/access/reported/reporter.ts'
import { startScans } from '../../../src/access/reported/scan-store.ts'
import { EVENT_TYPES, endpointStore, OPERATOR } from '../../../src/app-events/index.ts'
import { createEndpoint } from '../../../src/event-delivery/index.ts'
import { createProduct } from '../../../src/products/index.ts'
import { markSubscription, reportSubscriptions } from '../../../src/subscriptions/index.ts'
import { eachDatabase } from '../../support/databases.ts'
import { anyHistory } from '../../support/histories/any-history.ts'
import { replayHistory, type Shop } from '../../support/histories/replay-history.ts'
import { openShop } from '../../support/histories/shop.ts'
import { simulators } from '../../support/histories/simulators.ts'
import { until } from '../../support/until.ts'

const NONE = { active: false, status: 'none', reason: 'no_subscription', plan_slug: null, current_period_end: null, grace_until: null }

/** The state of each user as a receiver knows it, after these events in any order: the highest sequence counts. */
function stateOf(events: ReadonlyArray<{ data: string | null }>) {
  const states = new Map<string, Record<string, unknown> & { sequence: number }>()
  for (const { data } of events) {
    const state = JSON.parse(data ?? assert.fail('an event without data'))
    const known = states.get(state.user_id)
    if (!known || known.sequence < state.sequence) states.set(state.user_id, state)
  }
  return states
}

async function addEndpoint({ context }: Shop, productSlug: string | undefined) {
  const types = EVENT_TYPES.filter((type) => /^(access|subscription)\./.test(type))
  const endpoint = { productSlug, url: 'https://app.example.com/hooks', types, description: '' }
  const made = await createEndpoint(endpoint, { ...context, actor: 'operator:test', isDevelopment: false })
  assert.ok('secret' in made, JSON.stringify(made))
  // On PostgreSQL it waits for every older transaction, those of other databases too.
  await until(async () => {
    await reportDue(context)
    return (await endpointStore(context.storage.db).findById(made.endpoint.id))?.readyAt !== undefined
  })
  return made.endpoint
}

/** The events in an order by chance. */
async function listEvents({ context }: Shop, chance: (sides: number) => number, about: 'access' | 'subscription' = 'access') {
  const rows = await context.storage.db.selectFrom('app_events').selectAll().where('type', 'like', `${about}.%`).execute()
  return rows
    .map((row) => ({ row, at: chance(1_000) }))
    .sort((a, b) => a.at - b.at)
    .map(({ row }) => row)
}

/** The subscriptions that a receiver knows are those that there are. It knows as over a subscription that became a part of another. */
async function compareSubscriptions({ context }: Shop, events: ReadonlyArray<{ subject: string; sequence: number; data: string | null }>) {
  const known = new Map<string, { sequence: number; data: string | null }>()
  for (const event of events) if (event.sequence > (known.get(event.subject)?.sequence ?? 0)) known.set(event.subject, event)
  const rows = await context.storage.db
    .selectFrom('subscriptions')
    .leftJoin('plans', 'plans.id', 'plan_id')
    .select(['subscriptions.id', 'product_id', 'user_id', 'product_user', 'state', 'slug', 'period_end'])
    .where('product_id', 'is not', null)
    .execute()
  for (const row of rows) {
    const { sequence, ...shown } = JSON.parse(known.get(row.id)?.data ?? assert.fail(`${row.id} was not reported`))
    assert.deepEqual(shown, {
      ...{ subscription_id: row.id, product_id: row.product_id, user_id: row.user_id, product_user_id: row.product_user },
      ...{ status: row.state, plan_slug: row.slug },
      current_period_end: row.period_end === null ? null : new Date(row.period_end).toISOString(),
    })
    known.delete(row.id)
  }
  for (const { data } of known.values()) assert.equal(JSON.parse(data ?? '').status, 'merged')
}

eachDatabase('What a receiver knows from events in any order is what check-access answers', (database) => {
  for (const [name, api] of Object.entries(simulators)) {
    it(`after any history at ${name}`, async () => {
      const shop = await openShop((await database.fresh()).url, api)
      after(() => shop.context.close())
      await addEndpoint(shop, 'loja')
      let reported = 0
      shop.onMoment = async (user, chance) => {
        if (chance(3) === 2) return // the next look finds several changes at once
        while ((await reportDue(shop.context)).more);
        while ((await reportSubscriptions(shop.context)).more);
        await compareSubscriptions(shop, await listEvents(shop, chance, 'subscription'))
        const events = await listEvents(shop, chance)
        reported = events.length
        const { sequence, product_id, user_id, ...known } = stateOf(events).get(user) ?? { sequence: 0, ...NONE }
        assert.deepEqual(known, accessJson(await accessOfUser(shop.context.storage.db, shop.productId, user, shop.clock.now)))
      }
      const numRuns = database.name === 'sqlite' ? 40 : 7
      await fc.assert(
        fc.asyncProperty(anyHistory(api.features), (history) => replayHistory(history, { shop, api })),
        { numRuns, seed: 14, endOnFailure: true },
      )
      assert.ok(reported > 10, `${reported} events`)
      const rows = await listEvents(shop, () => 0)
      for (const [subject, own] of Map.groupBy(rows, (row) => row.subject)) {
        const states = own
          .sort((a, b) => a.sequence - b.sequence)
          .map(({ data }) => {
            const { sequence, ...state } = JSON.parse(data ?? '')
            return JSON.stringify(state)
          })
        assert.ok(
          states.every((state, i) => state !== states[i - 1]),
          `${subject} is reported twice with the same state`,
        )
      }
    })
  }
})

const SCANNED = 3_000
const ACTIVE = JSON.stringify({ active: true, status: 'active' })

eachDatabase('A look at all users', (database) => {
  /** 3,000 users of a product whose access was reported otherwise, as many accounts, and an operator who hears of everything. */
  async function begin() {
    const shop = await openShop((await database.fresh()).url, simulators.asaas)
    const { context, productId, clock } = shop
    const { storage } = context
    const deps = { ...context, sharedScopes: async () => [], setBacks: () => 0, onFault: assert.ifError, onReported: () => {} }
    await addEndpoint(shop, undefined)
    await storage.db
      .updateTable('event_endpoints')
      .set({ types: EVENT_TYPES.join(' ') })
      .execute()
    const fill = (into: string, row: string) => {
      const numbers = `with recursive numbers(n) as (select 1 union all select n + 1 from numbers where n < ${SCANNED})`
      const given = `(select '${productId}' as product_id, '${ACTIVE}' as active, 'u' || n as name, n from numbers) as given`
      return sql.raw(`insert into ${into} ${numbers} select ${row} from ${given}`).execute(storage.db)
    }
    await storage.db.insertInto('event_streams').values({ id: 's', source: 'test', ref: 's', created_at: 0 }).execute()
    await fill(
      'subscriptions (id, stream_id, number, product_id, product_user, state, changed_at, created_at)',
      `name, 's', n, product_id, name, 'refunded', 0, 0`,
    )
    await fill('reported_access (product_id, subject, sequence, state)', 'product_id, name, 1, active')
    await fill('users (id, email, created_at, updated_at)', `name, name || '@example.com', 0, 0`)
    await fill('reported_users (product_id, user_id, sequence, state)', `'', name, 1, 'otherwise'`)
    const product = { slug: 'outra', name: 'Outra', audience: 'external', checkout: 'external', handoff: 'eg_token', scopes: [] } as const
    const made = await createProduct({ ...product, queryKeyAllowed: true, redirectUris: [] }, { ...context, actor: 'operator:test' })
    assert.ok('product' in made, JSON.stringify(made))
    const other = { productId: made.product.id, subject: 'someone' }
    await storage.db
      .insertInto('reported_access')
      .values({ product_id: other.productId, subject: 'someone', sequence: 1, state: ACTIVE })
      .execute()
    await storage.db.insertInto('reported_subscriptions').values({ id: 'merged', sequence: 1, state: ACTIVE }).execute()
    /** A change of another product. */
    const change = () =>
      storage.transaction(async (tx) => {
        await markSubject(tx, other)
        await markSubscription(tx, { id: 'merged', productId: other.productId }, 'changed')
      })
    const listTypes = async () => {
      const own = await storage.db
        .selectFrom('app_events')
        .select(['type', 'subject'])
        .where('subject', 'in', ['someone', 'merged'])
        .execute()
      return own.map(({ type }) => type).sort()
    }
    const reporter = createAccessReporter(deps)
    after(async () => {
      await reporter.stop()
      await context.close()
    })
    return { storage, clock, productId, reporter, change, listTypes }
  }

  for (const [about, table] of [
    ['access', 'access_scans'],
    ['accounts', 'user_scans'],
  ] as const)
    it(`of one product keeps no change of another waiting: ${about}`, async () => {
      const { storage, clock, productId, reporter, change, listTypes } = await begin()
      const scan = async () => (await storage.db.selectFrom(table).select('position').executeTakeFirst())?.position
      if (table === 'access_scans') await storage.transaction((tx) => startScans(tx, productId, { at: clock.now, ...storage }))
      else await storage.db.insertInto('user_scans').values({ product_id: OPERATOR, position: '', is_first: 0 }).execute()
      reporter.start()
      await until(async () => (await scan()) !== '')
      await change()
      reporter.wake()
      await until(async () => (await listTypes()).length === 2)
      assert.notEqual(await scan(), undefined, 'the look at all is under way')
      assert.deepEqual(await listTypes(), ['access.revoked', 'subscription.ended'])
    })
})
