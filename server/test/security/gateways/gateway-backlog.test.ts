import assert from 'node:assert/strict'
import { it } from 'node:test'
import type { KyselyPlugin } from 'kysely'
import type { ChangeFeed } from '../../../src/changes/index.ts'
import { newId } from '../../../src/kit/index.ts'
import { notificationStore, process, processPendingJob, resolveNotification } from '../../../src/notifications/index.ts'
import type { NormalizedEvent } from '../../../src/payment-history/index.ts'
import { setPlan } from '../../../src/subscriptions/index.ts'
import { eachDatabase, type TestDatabase } from '../../support/databases.ts'
import { askAccess, type Connected, deliver, notificationsOf, openSchool } from '../../support/gateways/gateways.ts'
import { invoicePaid, stripeEvent } from '../../support/gateways/made-events.ts'
import { startForSuite } from '../../support/service.ts'
import { until } from '../../support/until.ts'

/** Ahead of any clock: no worker does the jobs before the test does. */
const START = Date.UTC(2100, 0, 1)

eachDatabase('What waits for a subscription', (database: TestDatabase) => {
  const service = startForSuite(database)

  /** A change feed of which every statement in a transaction is counted. */
  function counting() {
    const counted = { statements: 0 }
    const plugin: KyselyPlugin = {
      transformQuery: ({ node }) => node,
      async transformResult({ result }) {
        counted.statements += 1
        return result
      },
    }
    const { changes } = service().context
    const transaction: ChangeFeed['transaction'] = (action) =>
      changes.transaction((tx, announce) => action(tx.withPlugin(plugin) as typeof tx, announce))
    return { counted, changes: { ...changes, transaction } }
  }

  function normalizedBy(
    { product, gateway }: Connected,
    event: NormalizedEvent['event'],
    names: Partial<NormalizedEvent['stream'] & { by: 'gateway' }>,
  ): NormalizedEvent {
    const productId = product.product.id
    return {
      stream: { by: 'gateway', productId, subscriptionId: 'sub_1', paymentAliases: [], ...names },
      plan: { by: 'gateway', gateway, productId, slugs: ['curso'], refs: [], isOffer: false },
      email: 'muitas@exemplo.com.br',
      event,
    }
  }

  /**
   * Sends `count` changes and failed payments of an unknown subscription, then its first payment. Answers the statements that processed
   * them.
   */
  async function processAfter(count: number) {
    const { storage, sealer } = service().context
    const school = await openSchool(service(), 'stripe')
    const source = school.gateway
    const productId = school.product.product.id
    const { counted, changes } = counting()
    const processOne = (normalized: NormalizedEvent) =>
      changes.transaction(async (tx, announce) => {
        const id = newId()
        const about = { source, productId, event: 'x', subject: undefined, payload: '{}', receivedAt: START }
        await notificationStore(tx).add({ ...about, id, digest: id, status: 'processed', why: undefined })
        return process(tx, { id, source, normalized }, { announce, storage, sealer, at: START })
      })
    for (let n = 0; n < count; n++) {
      const paymentId = `in_${n}`
      const names = n % 3 === 0 ? { paymentId, paymentAliases: [`pi_${n}`] } : {}
      const kind = (['payment_failed', 'canceled', 'resumed'] as const)[n % 3] ?? 'resumed'
      const { email: _, ...unaddressed } = normalizedBy(school, { key: `k${n}`, kind, at: START - 1_000 + n }, names)
      await processOne({ ...unaddressed, plan: { ...unaddressed.plan, slugs: [] } as NormalizedEvent['plan'] })
    }
    counted.statements = 0
    await processOne(normalizedBy(school, { key: 'paid', kind: 'paid', at: START - 2_000, paymentId: 'in' }, { paymentId: 'in' }))
    const inPayment = counted.statements
    const jobs = await storage.db.selectFrom('outbox').selectAll().where('kind', '=', 'process_pending').execute()
    for (const { id, payload_sealed } of jobs) {
      const payload: unknown = JSON.parse(sealer.open(payload_sealed, `outbox.payload_sealed.${id}`) ?? '')
      await processPendingJob({ storage, changes, sealer, now: () => START })(payload, {
        id,
        attempts: 1,
        signal: AbortSignal.timeout(60_000),
      })
      await storage.db.deleteFrom('outbox').where('id', '=', id).execute()
    }
    const left = (await notificationsOf(service(), school)).filter(({ status }) => status !== 'processed')
    assert.equal(left.length, 0, `${count} waiting`)
    const names = await storage.db.selectFrom('pending_notifications').selectAll().where('product_id', '=', productId).execute()
    assert.deepEqual(names, [])
    return { inPayment, inAll: counted.statements, jobs: jobs.length }
  }

  it('is processed once each, in a number of statements that grows as it does, and a portion at a time', async () => {
    const none = await processAfter(0)
    const few = await processAfter(100)
    const many = await processAfter(500)
    assert.deepEqual([none.jobs, few.jobs, many.jobs], [0, 1, 1])
    assert.ok(none.inAll < 20, `a payment alone takes ${none.inAll}`)
    assert.ok(many.inPayment <= few.inPayment + 5, `${few.inPayment} and ${many.inPayment} in the payment's own transaction`)
    const [ofFew, ofMany] = [few.inAll / 100, many.inAll / 500]
    assert.ok(ofMany < ofFew * 1.1 && ofMany < 25, `${ofFew} and ${ofMany} for each`)
  })

  it('is processed while others are served, when the operator resolves its first payment', async () => {
    const count = 120
    const school = await openSchool(service(), 'stripe')
    const as = { ...service().context, actor: 'operator:test' }
    await setPlan({ slug: 'outro', name: 'Outro', price: 1, productSlug: school.product.product.slug }, as)
    const email = 'indecisa@exemplo.com.br'
    const parent = { subscription_details: { subscription: 'sub_t' } }
    await deliver(school, invoicePaid('sub_t', email, { parent, at: Date.now() - 600_000 }))
    const [first] = await notificationsOf(service(), school)
    await Promise.all(
      Array.from({ length: count }, (_, n) => {
        const object = { id: 'sub_t', status: 'active', cancel_at_period_end: n % 2 === 0, items: { data: [] } }
        const event = stripeEvent('customer.subscription.updated', object, { at: Date.now() - (count - n) * 1_000 })
        return deliver(school, { ...event, data: { object, previous_attributes: { cancel_at_period_end: n % 2 !== 0 } } })
      }),
    )
    const resolved = await resolveNotification(first?.id ?? '', { planSlug: 'curso', reason: 'x' }, as)
    assert.ok('subscriptionId' in resolved)
    assert.equal((await askAccess(service(), school, email)).active, true)
    await until(async () => (await notificationsOf(service(), school)).every(({ status }) => status === 'processed'))
    // The change that is announced with the event makes the node forget its answer, within two seconds.
    await until(async () => (await askAccess(service(), school, email)).status === 'active')
  })
})
