import assert from 'node:assert/strict'
import { it } from 'node:test'
import type { KyselyPlugin } from 'kysely'
import { deleteUser, findUser } from '../../../src/admin/index.ts'
import type { ChangeFeed } from '../../../src/changes/index.ts'
import { notificationStore, processPendingJob, reprocessNotification, resolveNotification } from '../../../src/notifications/index.ts'
import { pendingStore } from '../../../src/notifications/pending/pending-store.ts'
import { eachDatabase, type TestDatabase } from '../../support/databases.ts'
import { DAY_MS, EMAIL, type GivenEvent, paid, reconciled, recordGiven, START, stateOf, UNNAMED } from '../../support/gateways/events.ts'
import { type Connected, notificationsOf, openSchool } from '../../support/gateways/gateways.ts'
import { startForSuite } from '../../support/service.ts'

eachDatabase('Payments that turn out to be one, or two', (database: TestDatabase) => {
  const service = startForSuite(database)
  const operator = () => ({ ...service().context, actor: 'operator:test' })
  const statesOf = async (school: Connected) =>
    (await stateOf(service(), school)).map((row) => (JSON.parse(row) as { state: string }).state)
  const pendingIn = ({ product }: Connected) =>
    service().context.storage.db.selectFrom('pending_notifications').selectAll().where('product_id', '=', product.product.id).execute()
  const PERIOD_END = START + 60 * DAY_MS

  it('lose nothing of what waits when it is reported again with less', async () => {
    const key = 'payment x approved'
    for (const again of ['named', 'unnamed, then resolved']) {
      const school = await openSchool(service(), 'mercadopago')
      await recordGiven(service(), school, { ...paid(['x', 'y'], { subscriptionId: 'S', periodEnd: PERIOD_END, plan: UNNAMED }), key })
      const poorer = { ...paid(['x'], again === 'named' ? {} : { plan: UNNAMED }), key }
      const outcome = await reconciled(service(), school, poorer)
      if (again === 'named') assert.equal(outcome, 'applied')
      const [first] = await notificationsOf(service(), school)
      if (again !== 'named') await resolveNotification(first?.id ?? '', { planSlug: 'curso', reason: 'x' }, operator())
      const [only, ...more] = (await stateOf(service(), school)).map((row) => JSON.parse(row) as { period_end: number })
      assert.deepEqual([only?.period_end, more], [PERIOD_END, []], again)
      assert.deepEqual(await pendingIn(school), [])
      await recordGiven(service(), school, { ...paid(['y']), key: 'back', kind: 'refunded', occurredAt: START + DAY_MS })
      assert.deepEqual(await statesOf(school), ['refunded'])
    }
    const school = await openSchool(service(), 'stripe')
    const refund = { key: 'refund', kind: 'refunded', occurredAt: START + DAY_MS } as const
    await recordGiven(service(), school, { ...paid(['a', 'b'], { plan: UNNAMED }), ...refund })
    await reconciled(service(), school, { ...paid(['a'], { plan: UNNAMED }), ...refund })
    await recordGiven(service(), school, paid(['b']))
    assert.deepEqual(await statesOf(school), ['refunded'])
    assert.deepEqual(await pendingIn(school), [])
  })

  it('have the end that was stated last, in any order, applied or waiting', async () => {
    const at = (day: number) => START + day * DAY_MS
    const ends = [
      { periodEnd: at(62), periodStatedAt: at(10) },
      { periodEnd: at(32), periodStatedAt: at(20) },
      { periodEnd: at(31), periodStatedAt: at(20) },
      { periodEnd: at(90) },
      { periodEnd: undefined, periodStatedAt: at(25) },
    ]
    const orders = ends.flatMap((_, from) => {
      const turned = [...ends.slice(from), ...ends.slice(0, from)]
      return [turned, turned.toReversed()]
    })
    for (const order of orders) {
      const [applied, waiting] = [await openSchool(service(), 'asaas'), await openSchool(service(), 'asaas')]
      const copies = order.map((end) => ({ ...paid(['x'], { subscriptionId: 'S', ...end }), key: 'x paid' }))
      for (const copy of [...copies, ...copies]) await recordGiven(service(), applied, copy)
      for (const [place, copy] of copies.entries())
        await (place === 0 ? recordGiven : reconciled)(service(), waiting, { ...copy, plan: UNNAMED })
      const [first] = await notificationsOf(service(), waiting)
      await resolveNotification(first?.id ?? '', { planSlug: 'curso', reason: 'x' }, operator())
      for (const school of [applied, waiting]) {
        const kept = (await stateOf(service(), school)).map((row) => (JSON.parse(row) as { period_end: number }).period_end)
        assert.deepEqual(kept, [at(32)], `${school === applied ? 'applied' : 'waiting'}: ${JSON.stringify(order)}`)
      }
    }
  })

  it('have the amount of the part where any of them knows of one, in any order, applied or waiting', async () => {
    const amounts = [{ amount: 9_990 }, { amount: 3_330, purchaseAmount: 9_000 }, { amount: 3_330, purchaseAmount: 9_990 }]
    const orders = amounts.flatMap((_, from) => {
      const turned = [...amounts.slice(from), ...amounts.slice(0, from)]
      return [turned, turned.toReversed()]
    })
    for (const order of orders) {
      const [applied, waiting] = [await openSchool(service(), 'asaas'), await openSchool(service(), 'asaas')]
      const copies = order.map((amount) => ({ ...paid(['x'], amount), key: 'x paid' }))
      for (const copy of [...copies, ...copies]) await recordGiven(service(), applied, copy)
      for (const [place, copy] of copies.entries())
        await (place === 0 ? recordGiven : reconciled)(service(), waiting, { ...copy, plan: UNNAMED })
      const [first] = await notificationsOf(service(), waiting)
      await resolveNotification(first?.id ?? '', { planSlug: 'curso', reason: 'x' }, operator())
      for (const { product } of [applied, waiting]) {
        const kept = await service()
          .context.storage.db.selectFrom('subscription_events')
          .innerJoin('event_streams', 'event_streams.id', 'stream_id')
          .select(['amount', 'purchase_amount'])
          .where('product_id', '=', product.product.id)
          .execute()
        assert.deepEqual(kept, [{ amount: 3_330, purchase_amount: 9_990 }], JSON.stringify(order))
      }
    }
  })

  it('learn what a subscription says of its payment after a dispute has made them one', async () => {
    const school = await openSchool(service(), 'mercadopago')
    const key = 'payment x approved'
    const ofSubscription = { subscriptionId: 'S', plan: UNNAMED }
    await recordGiven(service(), school, { ...paid(['x']), key })
    await recordGiven(service(), school, {
      ...paid(['x'], ofSubscription),
      key: 'dispute_1 disputed',
      kind: 'disputed',
      occurredAt: START + DAY_MS,
    })
    const richer = { ...paid(['x', 'y'], { ...ofSubscription, periodEnd: PERIOD_END }), key }
    assert.equal(await reconciled(service(), school, richer), 'applied')
    assert.equal(await reconciled(service(), school, richer), 'known')
    await recordGiven(service(), school, {
      ...paid(['y'], { plan: UNNAMED }),
      key: 'dispute_1 won',
      kind: 'dispute_won',
      occurredAt: START + 2 * DAY_MS,
    })
    const [only] = (await stateOf(service(), school)).map((row) => JSON.parse(row) as { state: string; period_end: number })
    assert.deepEqual([only?.state, only?.period_end], ['active', PERIOD_END])
    const richest = { ...richer, method: 'card' } as const
    assert.equal(await reconciled(service(), school, richest), 'applied')
    assert.equal(await reconciled(service(), school, richest), 'known')
  })

  it('leave a living account what it has paid when the buyer of the other part was forgotten', async () => {
    for (const order of ['living first', 'forgotten first']) {
      const school = await openSchool(service(), 'stripe')
      const mark = `${order.replace(' ', '-')}-${database.name}@exemplo.com.br`
      const [living, forgotten] = [`viva-${mark}`, `morta-${mark}`]
      const [alive, dead] = [await service().user(living), await service().user(forgotten)]
      const { db } = service().context.storage
      const givenEvents = [paid(['a'], { buyer: living }), paid(['b'], { buyer: forgotten })]
      for (const given of order === 'living first' ? givenEvents : givenEvents.reverse()) await recordGiven(service(), school, given)
      const user = (await findUser(db, dead.id)) ?? assert.fail()
      assert.equal(await deleteUser(user, operator()), undefined)
      await recordGiven(service(), school, paid(['a', 'b'], { buyer: forgotten }))
      const columns = ['user_id', 'email', 'link_closed_at', 'state'] as const
      const links = await db.selectFrom('subscriptions').select(columns).where('product_id', '=', school.product.product.id).execute()
      assert.deepEqual(
        links.map((row) => ({ ...row })),
        [{ user_id: alive.id, email: living, link_closed_at: null, state: 'active' }],
        order,
      )
      await recordGiven(service(), school, { ...paid(['a', 'b'], { buyer: forgotten }), key: 'later', occurredAt: START + DAY_MS })
      const events = await db.selectFrom('subscription_events').select('email').where('email', '=', forgotten).execute()
      assert.deepEqual(events, [])
    }
  })

  it('stay two where two subscriptions name them, each with its own refund', async () => {
    for (const name of ['a', 'b']) {
      const school = await openSchool(service(), 'stripe')
      await recordGiven(service(), school, paid(['a', 'c'], { subscriptionId: 'S1', periodEnd: PERIOD_END }))
      await recordGiven(service(), school, paid(['b'], { subscriptionId: 'S2', periodEnd: PERIOD_END + 1 }))
      await recordGiven(service(), school, { ...paid(['a', 'b']), key: 'pending', kind: 'payment_pending', occurredAt: START - 1 })
      await recordGiven(service(), school, { ...paid([name]), key: 'refund', kind: 'refunded', occurredAt: START + DAY_MS })
      const rows = (await stateOf(service(), school)).map((row) => JSON.parse(row) as { state: string; period_end: number })
      const states = rows.sort((one, other) => one.period_end - other.period_end).map(({ state }) => state)
      assert.deepEqual(states, name === 'a' ? ['refunded', 'active'] : ['active', 'refunded'], name)
    }
  })

  it('are processed by the operator and by a delivery in the same moment, without a fault', async () => {
    for (const [action, pause] of [
      ['resolve', 1],
      ['resolve', 4],
      ['reprocess', 1],
    ] as const) {
      const school = await openSchool(service(), 'stripe')
      await recordGiven(service(), school, { ...paid(['x'], { plan: UNNAMED, buyer: undefined }), key: 'one' })
      const [pending] = await notificationsOf(service(), school)
      const id = pending?.id ?? ''
      const touched = Promise.withResolvers<void>()
      // As soon as the operator's transaction has begun, the payment is delivered, and has all the time it needs to go as far as it can.
      let statements = 0
      const plugin: KyselyPlugin = {
        transformQuery: ({ node }) => node,
        async transformResult({ result }) {
          touched.resolve()
          if (++statements === pause && database.name !== 'sqlite') await new Promise((resolve) => setTimeout(resolve, 500))
          return result
        },
      }
      const { changes } = service().context
      const delivery = touched.promise.then(() => recordGiven(service(), school, { ...paid(['x']), key: 'two' }))
      delivery.catch(() => undefined) // it is awaited below; until then its fault must not end the process
      const transaction: ChangeFeed['transaction'] = (act) =>
        changes.transaction((tx, announce) => act(tx.withPlugin(plugin) as typeof tx, announce))
      const as = { ...operator(), changes: { ...changes, transaction } }
      if (action === 'resolve') await resolveNotification(id, { planSlug: 'curso', email: EMAIL, reason: 'x' }, as)
      else await reprocessNotification(id, as)
      await delivery
      assert.deepEqual(await statesOf(school), ['active'], action)
      assert.ok((await notificationsOf(service(), school)).every(({ status }) => status === 'processed'))
    }
  })

  // On SQLite a transaction is alone.
  if (database.name === 'postgres')
    it('are given back in one, though they become one between the moment when the refund finds the payment and the one when it holds it', async () => {
      const school = await openSchool(service(), 'stripe')
      await recordGiven(service(), school, paid(['a', 'c']))
      const found = Promise.withResolvers<void>()
      const merged = found.promise.then(() => recordGiven(service(), school, paid(['c'], { subscriptionId: 'S', periodEnd: PERIOD_END })))
      let isFound = false
      const plugin: KyselyPlugin = {
        transformQuery: ({ node }) => node,
        async transformResult({ result }) {
          if (isFound || !result.rows.some((row) => 'stream_ref' in row)) return result
          isFound = true
          found.resolve()
          await merged
          return result
        },
      }
      const { context } = service()
      const transaction: ChangeFeed['transaction'] = (act) =>
        context.changes.transaction((tx, announce) => act(tx.withPlugin(plugin) as typeof tx, announce))
      const refund = { ...paid(['a'], { plan: UNNAMED }), key: 'back', kind: 'refunded', occurredAt: START + DAY_MS } as const
      await recordGiven({ ...service(), context: { ...context, changes: { ...context.changes, transaction } } }, school, refund)
      assert.deepEqual([isFound, await statesOf(school)], [true, ['refunded']])
    })

  it('are processed to the last when the server is killed between two portions', async () => {
    const FAR = Date.UTC(2100, 0, 1) // no worker takes the job
    const school = await openSchool(service(), 'stripe')
    const { storage, changes, sealer } = service().context
    const unknown = { buyer: undefined, plan: UNNAMED }
    for (let n = 0; n < 130; n++) {
      const [kind, paymentId] = n === 60 ? (['payment_failed', 'z'] as const) : ([n % 2 === 0 ? 'resumed' : 'canceled', undefined] as const)
      const change: GivenEvent = { key: `k${n}`, kind, occurredAt: START + n, subscriptionId: 'S', paymentId, ...unknown }
      await recordGiven(service(), school, change)
    }
    await recordGiven(service(), school, { ...paid(['z'], unknown), key: 'refund', kind: 'refunded', occurredAt: START + DAY_MS })
    await recordGiven(service(), school, paid(['in'], { subscriptionId: 'S', periodEnd: PERIOD_END }), FAR)
    const run = async (transaction: ChangeFeed['transaction']) => {
      const [job] = await storage.db.selectFrom('outbox').selectAll().where('kind', '=', 'process_pending').execute()
      assert.ok(job)
      const payload: unknown = JSON.parse(sealer.open(job.payload_sealed, `outbox.payload_sealed.${job.id}`) ?? '')
      const handler = processPendingJob({ storage, changes: { ...changes, transaction }, sealer, now: () => FAR })
      await handler(payload, { id: job.id, attempts: 1, signal: AbortSignal.timeout(60_000) })
      await storage.db.deleteFrom('outbox').where('id', '=', job.id).execute()
    }
    let left = 1
    const dying: ChangeFeed['transaction'] = async (action) => {
      if (left-- === 0) throw new Error('killed')
      return changes.transaction(action)
    }
    await assert.rejects(run(dying), /killed/)
    await run(changes.transaction)
    const open = (await notificationsOf(service(), school)).filter(({ status }) => status !== 'processed')
    assert.deepEqual(open, [])
  })

  it('are looked through to the end when another processes some of what is pending meanwhile', async () => {
    const school = await openSchool(service(), 'stripe')
    for (const key of ['1', '2', '3']) {
      const change: GivenEvent = { key, kind: 'canceled', occurredAt: START, subscriptionId: 'S', buyer: undefined, plan: UNNAMED }
      await recordGiven(service(), school, change)
    }
    const [first, second] = await notificationsOf(service(), school)
    await service().context.changes.transaction(async (tx) => {
      let statements = 0
      const plugin: KyselyPlugin = {
        transformQuery: ({ node }) => node,
        async transformResult({ result }) {
          if (++statements === 1) await notificationStore(tx).process(first?.id ?? '', { status: 'processed', at: START })
          return result
        },
      }
      const account = { source: 'stripe', productId: school.product.product.id }
      const watched = tx.withPlugin(plugin) as typeof tx
      const { held, last } = await pendingStore(watched).hold(account, ['S'], { after: '', limit: 2 })
      assert.deepEqual([held.map(({ id }) => id), last], [[second?.id], second?.id])
    })
  })
})
