import assert from 'node:assert/strict'
import { after, before, it } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import fc from 'fast-check'
import { eachDatabase } from '../../test/support/databases.ts'
import type { Change } from '../changes/index.ts'
import { DAY_MS, newId } from '../kit/index.ts'
import { productStore } from '../products/index.ts'
import { migrate, openStorage, parseDatabaseUrl, type Queryable, type Storage, type Transaction } from '../storage/index.ts'
import {
  accessStore,
  accessSubject,
  graceDays,
  linkPurchases,
  linkStore,
  livePlanStore,
  OPERATOR_SCOPE,
  planStore,
  type StreamKey,
  type Subscription,
  subscriptionStore,
  validityOf,
} from '../subscriptions/index.ts'
import { addressStore, USUAL_REQUIREMENTS, userStore } from '../users/index.ts'
import { applyEvent } from './apply.ts'
import { eventStore } from './events/event-store.ts'
import { PAYMENT_KINDS, type PaymentEvent, type PaymentKind } from './events/payment-event.ts'
import { factsOf } from './fold/facts.ts'
import { foldEvents } from './fold/fold.ts'

const AT = 1_800_000_000_000

interface Bought {
  stream?: StreamKey
  productId?: string
  event?: Partial<PaymentEvent>
}

eachDatabase('Events of payments', (database) => {
  let storage: Storage
  before(async () => {
    storage = await openStorage(parseDatabaseUrl((await database.fresh()).url) ?? assert.fail())
    await migrate(storage)
  })
  after(() => storage.close())

  const announced: Change[] = []
  const announce = (change: Change) => void announced.push(change)
  const aStream = (): StreamKey => ({ source: 'purchase', ref: newId() })

  function toNewEvent({ stream = aStream(), productId, event = {} }: Bought) {
    const { kind = 'paid', at = AT, key = newId(), planId, email, paymentId = key, amount, method, periodStart, periodEnd } = event
    return {
      stream,
      productId,
      event: { key, kind, at, planId, email, paymentId, amount, method, periodStart, periodEnd },
      notificationId: undefined,
    }
  }
  const applyIn = (tx: Transaction, bought: Bought) => applyEvent(tx, toNewEvent(bought), { announce, storage, at: AT })
  const apply = (bought: Bought) => storage.transaction((tx) => applyIn(tx, bought))
  const link = (tx: Transaction, userId: string) => linkPurchases(tx, userId, { announce, storage })
  const find = async (id: string) => (await subscriptionStore(storage.db).findById(id)) ?? assert.fail('no such subscription')

  async function user({ verified }: { verified: 'verified' | 'unverified' }) {
    const id = newId()
    const email = `${id}@example.com`
    const none = {
      passwordHash: undefined,
      role: undefined,
      disabledAt: undefined,
      leavesAt: undefined,
      externalId: undefined,
      avatarUrl: undefined,
      companyName: undefined,
    }
    const rest = { ...none, rankName: undefined, phone: undefined, language: undefined, beta: undefined }
    const emailVerifiedAt = verified === 'verified' ? AT : undefined
    const user = { ...rest, id, email, emailVerifiedAt, createdAt: AT, name: 'Ana', isProducer: false, taxIdKind: undefined }
    await storage.transaction((tx) => userStore(tx).insert(user))
    return { id, email }
  }
  async function product(audience: 'internal' | 'external') {
    const id = newId()
    const rest = {
      checkout: 'external',
      handoff: 'eg_token',
      scopes: [],
      queryKeyAllowed: true,
      requirements: USUAL_REQUIREMENTS,
      openid: undefined,
      backchannelLogoutUri: undefined,
      createdAt: AT,
    } as const
    await productStore(storage.db).insert({ id, slug: id, name: id, audience, publishableKey: id, ...rest })
    return id
  }
  const plan = (price: number, scope = OPERATOR_SCOPE) => planStore(storage.db).put({ scope, slug: newId(), name: 'Plan', price }, AT)
  const slugOf = async (planId: string) => (await planStore(storage.db).list()).find(({ id }) => id === planId)?.slug

  async function rowsOf({ ref }: StreamKey, db: Queryable = storage.db): Promise<Subscription[]> {
    const stream = await db.selectFrom('event_streams').select('id').where('ref', '=', ref).executeTakeFirstOrThrow()
    return subscriptionStore(db).listOfStream(stream.id)
  }
  /** The rows of a stream are what the pure fold makes of all its events. */
  async function assertFolded(stream: StreamKey, events: readonly PaymentEvent[], ofProduct = {}): Promise<void> {
    const rows = await rowsOf(stream)
    const facts = rows.map((row, number) => {
      assert.equal(row.number, number)
      const { state, planId, email, method, periodEnd, changedAt, graceFrom, accessUntil } = row
      return { state, planId, email, method, periodEnd, changedAt, graceFrom, accessUntil }
    })
    const folded = foldEvents(events)
    assert.deepEqual(
      facts,
      folded.map((one) => factsOf(one, validityOf(one, graceDays(one.method, ofProduct)))),
    )
  }

  const anyEvent = fc.record({
    kind: fc.constantFrom<PaymentKind>(...PAYMENT_KINDS, 'paid', 'paid', 'refunded'),
    at: fc.integer({ min: AT, max: AT + 8 }),
    paymentId: fc.constantFrom('p1', 'p2', 'p3', undefined),
    planId: fc.constantFrom('small', 'big', undefined),
    email: fc.constantFrom('a@example.org', 'b@example.org', undefined),
    method: fc.constantFrom('card', 'boleto', 'pix', undefined),
    periodStart: fc.option(fc.integer({ min: AT, max: AT + 30 * DAY_MS }), { nil: undefined }),
    periodEnd: fc.option(fc.integer({ min: AT, max: AT + 30 * DAY_MS }), { nil: undefined }),
  })
  const anyHistory = fc
    .array(anyEvent, { minLength: 1, maxLength: 8 })
    .map((events) => events.map((event, i): PaymentEvent => ({ ...event, amount: undefined, key: `k${i}` })))
  const anyArrival = anyHistory.chain((history) => {
    const all = fc.shuffledSubarray(history, { minLength: history.length })
    return fc.record({ all, again: fc.shuffledSubarray(history), atOnce: fc.integer({ min: 1, max: 4 }) })
  })

  it('come to what the fold of all of them says, in whatever order, how often and how many at once they arrive', async () => {
    const productId = await product('external')
    const ofProduct = { pix: 30, card: 0 }
    const graceRows = Object.entries(ofProduct).map(([method, days]) => ({ product_id: productId, method, days }))
    await storage.db.insertInto('product_grace_days').values(graceRows).execute()
    const property = fc.asyncProperty(anyArrival, async ({ all, again, atOnce }) => {
      const stream = aStream()
      const arriving = [...all, ...again]
      while (arriving.length > 0) {
        await Promise.all(
          arriving
            .splice(0, atOnce)
            .map((event) =>
              storage.transaction((tx) => applyEvent(tx, { ...toNewEvent({ stream, productId }), event }, { announce, storage, at: AT })),
            ),
        )
      }
      await assertFolded(stream, all, ofProduct)
    })
    // The smallest history that fails is sought in the fold’s own test: here each try is many transactions.
    await fc.assert(property, { numRuns: 30, endOnFailure: true })
  })

  it('lose nothing of one stream when many arrive at once', async () => {
    for (let round = 0; round < 5; round += 1) {
      const stream = aStream()
      const events = Array.from(
        { length: 10 },
        (_, i) => toNewEvent({ event: { kind: i % 2 ? 'refunded' : 'paid', at: AT + i, paymentId: `p${i >> 1}` } }).event,
      )
      await Promise.all(events.map((event) => apply({ stream, event })))
      assert.equal((await rowsOf(stream)).length, 5)
      await assertFolded(stream, events)
    }
  })

  it('that are there already change nothing and notify nobody', async () => {
    const { email } = await user({ verified: 'verified' })
    const bought = { stream: aStream(), event: { key: 'k', email } }
    const first = await apply(bought)
    announced.length = 0
    assert.deepEqual(await apply(bought), first)
    assert.deepEqual(announced, [])
    assert.deepEqual(await rowsOf(bought.stream), [first])
  })

  it('keep the period that a payment is for: delivered twice, all that either event names', async () => {
    const normalized = { key: 'k', paymentId: 'p', periodStart: AT + DAY_MS, periodEnd: AT + 9 * DAY_MS }
    const again = { ...normalized, periodStart: AT, periodEnd: AT + 5 * DAY_MS }
    for (const inOrder of [
      [normalized, again],
      [again, normalized],
      [{ ...normalized, periodStart: undefined }, again, { ...normalized, periodStart: undefined }],
    ]) {
      const stream = aStream()
      for (const event of inOrder) await apply({ stream, event })
      const [row] = await rowsOf(stream)
      const [kept] = await eventStore(storage.db).list(row?.streamId ?? '')
      assert.deepEqual([kept?.periodStart, kept?.periodEnd], [AT, AT + 9 * DAY_MS])
    }
  })

  it('that show late that there was no second subscription leave one, with the links of the second', async () => {
    const { id, email } = await user({ verified: 'unverified' })
    const productId = await product('external')
    const stream = aStream()
    const normalizeNotification = (event: Partial<PaymentEvent>) => apply({ stream, productId, event: { email, ...event } })
    const first = await normalizeNotification({ kind: 'paid', at: AT + 1, paymentId: 'p1' })
    await normalizeNotification({ kind: 'refunded', at: AT + 3, paymentId: 'p1' })
    const second = await normalizeNotification({ kind: 'paid', at: AT + 5, paymentId: 'p3' })
    await storage.db.updateTable('subscriptions').set({ user_id: id, product_user: 'u1' }).where('id', '=', second.id).execute()
    announced.length = 0
    const left = await normalizeNotification({ kind: 'paid', at: AT + 2, paymentId: 'p2' })
    assert.deepEqual([left.id, left.state, left.userId, left.productUser], [first.id, 'active', id, 'u1'])
    assert.deepEqual(await rowsOf(stream), [left])
    assert.ok(announced.some(({ kind, subject }) => kind === 'user_changed' && subject === id))
  })

  it('notify those who lose a second subscription that never was, where the first is someone else’s', async () => {
    const [one, other] = [await user({ verified: 'unverified' }), await user({ verified: 'unverified' })]
    const stream = aStream()
    const give = ({ id }: Subscription, userId: string) => linkStore(storage.db).linkUser(id, userId, undefined)
    await give(await apply({ stream, event: { at: AT + 1, paymentId: 'p1' } }), one.id)
    await apply({ stream, event: { kind: 'refunded', at: AT + 3, paymentId: 'p1' } })
    await give(await apply({ stream, event: { at: AT + 5, paymentId: 'p3' } }), other.id)
    announced.length = 0
    assert.equal((await apply({ stream, event: { at: AT + 2, paymentId: 'p2' } })).userId, one.id)
    assert.deepEqual(new Set(announced.map(({ subject }) => subject)), new Set([one.id, other.id]))
  })

  it('link a purchase to the account that has verified its address, and to no other', async () => {
    const verified = await user({ verified: 'verified' })
    const unverified = await user({ verified: 'unverified' })
    assert.equal((await apply({ event: { email: verified.email } })).userId, verified.id)
    const guest = await apply({ event: { email: unverified.email } })
    assert.equal(guest.userId, undefined)
    assert.equal(await storage.transaction((tx) => link(tx, unverified.id)), 0)
    assert.equal((await find(guest.id)).userId, undefined, 'no link without a verified address')
    await addressStore(storage.db).verifyEmail(unverified.id, unverified.email, AT)
    announced.length = 0
    assert.equal(await storage.transaction((tx) => link(tx, unverified.id)), 1)
    assert.equal((await find(guest.id)).userId, unverified.id)
    assert.deepEqual(announced, [{ kind: 'user_changed', subject: unverified.id }])
  })

  it('that are the first to bring an address link the purchase then', async () => {
    const { id, email } = await user({ verified: 'verified' })
    const stream = aStream()
    assert.equal((await apply({ stream, event: { paymentId: 'p1' } })).userId, undefined)
    assert.equal((await apply({ stream, event: { kind: 'payment_failed', at: AT + 1, email } })).userId, id)
    assert.equal((await rowsOf(stream))[0]?.userId, id)
  })

  it('never link again what the operator has taken from an account, nor the next subscription of its stream', async () => {
    const { id, email } = await user({ verified: 'verified' })
    const stream = aStream()
    const bought = await apply({ stream, event: { email, paymentId: 'p1' } })
    await storage.db.updateTable('subscriptions').set({ user_id: null, link_closed_at: AT }).where('id', '=', bought.id).execute()
    assert.equal((await apply({ stream, event: { kind: 'refunded', at: AT + 1, email, paymentId: 'p1' } })).userId, undefined)
    const next = await apply({ stream, event: { at: AT + 2, email } })
    assert.deepEqual([next.number, next.userId], [1, undefined])
    assert.equal(await storage.transaction((tx) => link(tx, id)), 0)
  })

  it('that open the next subscription of a stream keep the links of the one before', async () => {
    const owner = await user({ verified: 'unverified' })
    const stream = aStream()
    const first = await apply({ stream, event: { email: 'someone@example.net', paymentId: 'p1' } })
    await storage.db.updateTable('subscriptions').set({ user_id: owner.id, product_user: 'u7' }).where('id', '=', first.id).execute()
    await apply({ stream, event: { kind: 'refunded', at: AT + 1, paymentId: 'p1' } })
    announced.length = 0
    const next = await apply({ stream, event: { at: AT + 2 } })
    assert.notEqual(next.id, first.id)
    assert.deepEqual([next.number, next.userId, next.productUser], [1, owner.id, 'u7'])
    assert.deepEqual(announced, [{ kind: 'user_changed', subject: owner.id }], 'once, and for the one that moved')
    assert.deepEqual(await find(next.id), next)
  })

  /** Runs `first`, and `second` while it is not committed yet: for long enough to be over, if nothing makes it wait. */
  async function interleave(first: (tx: Transaction) => Promise<unknown>, second: (tx: Transaction) => Promise<unknown>): Promise<void> {
    const { promise: isDone, resolve: done } = Promise.withResolvers<void>()
    const one = storage.transaction(async (tx) => {
      await first(tx)
      done()
      await sleep(150)
    })
    await Promise.race([isDone, one])
    await Promise.all([one, storage.transaction(second)])
  }

  it('and the proof of the buyer’s address at the same moment end linked, whichever begins', async () => {
    for (const begins of ['purchase', 'verification'] as const) {
      const { id, email } = await user({ verified: 'unverified' })
      const stream = aStream()
      const purchase = (tx: Transaction) => applyIn(tx, { stream, event: { email } })
      const evidence = async (tx: Transaction) => {
        await addressStore(tx).verifyEmail(id, email, AT)
        await link(tx, id)
      }
      await (begins === 'purchase' ? interleave(purchase, evidence) : interleave(evidence, purchase))
      assert.equal((await rowsOf(stream))[0]?.userId, id, `${begins} first`)
    }
  })

  it('that show whose a subscription is, without naming the address themselves, wait for its verification as well', async () => {
    for (const begins of ['event', 'verification'] as const) {
      const { id, email } = await user({ verified: 'unverified' })
      const stream = aStream()
      const older = 'older@example.net'
      await apply({ stream, event: { at: AT + 1, paymentId: 'p1', email: older } })
      await apply({ stream, event: { kind: 'refunded', at: AT + 2, paymentId: 'p1', email: older } })
      await apply({ stream, event: { kind: 'payment_failed', at: AT + 5, paymentId: 'p3', email } })
      const gatewayEvent = (tx: Transaction) => applyIn(tx, { stream, event: { at: AT + 6, paymentId: 'p2' } })
      const evidence = async (tx: Transaction) => {
        await addressStore(tx).verifyEmail(id, email, AT)
        await link(tx, id)
      }
      await (begins === 'event' ? interleave(gatewayEvent, evidence) : interleave(evidence, gatewayEvent))
      const rows = await rowsOf(stream)
      assert.deepEqual([rows.length, rows[1]?.email, rows[1]?.userId], [2, email, id], `${begins} first`)
    }
  })

  it('notify every node of a link that was made at the same moment', async () => {
    const { id, email } = await user({ verified: 'unverified' })
    const productId = await product('external')
    const stream = aStream()
    await apply({ stream, productId, event: { email, paymentId: 'p1' } })
    announced.length = 0
    const link = async (tx: Transaction) => {
      await accessStore(tx).linkProductUser(productId, email, 'u1')
      await linkStore(tx).linkUser((await rowsOf(stream, tx))[0]?.id ?? '', id, undefined)
    }
    await interleave(link, (tx) => applyIn(tx, { stream, event: { kind: 'refunded', at: AT + 1, paymentId: 'p1' } }))
    assert.deepEqual(announced, [
      { kind: 'user_changed', subject: id },
      { kind: 'access_changed', subject: accessSubject(productId, 'u1'), access: { productId, productUser: 'u1' } },
    ])
  })

  it('show at once as the user’s plan: the highest-priced of the operator’s', async () => {
    const { id, email } = await user({ verified: 'verified' })
    const [small, big] = [await plan(100), await plan(900)]
    const live = () => livePlanStore(storage.db).findLivePlan(id, undefined, AT)
    assert.equal(await live(), undefined)
    announced.length = 0
    await apply({ event: { email, planId: small } })
    assert.deepEqual(announced, [{ kind: 'user_changed', subject: id }])
    assert.deepEqual(await live(), { slug: await slugOf(small), until: Number.POSITIVE_INFINITY })
    const stream = aStream()
    await apply({ stream, event: { email, planId: big, paymentId: 'p1' } })
    await apply({ event: { email, planId: await plan(500) } })
    assert.equal((await live())?.slug, await slugOf(big))
    announced.length = 0
    await apply({ stream, event: { kind: 'canceled', at: AT + 1 } })
    assert.deepEqual(announced, [{ kind: 'user_changed', subject: id }])
    assert.notEqual((await live())?.slug, await slugOf(big))
  })

  it('show a plan until its time is over, and then the next best one', async () => {
    const { id, email } = await user({ verified: 'verified' })
    const [small, big] = [await plan(100), await plan(900)]
    await apply({ event: { email, planId: big, periodEnd: AT + DAY_MS, method: 'boleto' } })
    await apply({ event: { email, planId: small, periodEnd: AT + 99 * DAY_MS, method: 'pix' } })
    const live = (now: number) => livePlanStore(storage.db).findLivePlan(id, undefined, now)
    const until = AT + 6 * DAY_MS
    assert.deepEqual(await live(until - 1), { slug: await slugOf(big), until })
    assert.deepEqual(await live(until), { slug: await slugOf(small), until: AT + 106 * DAY_MS })
    assert.equal(await live(AT + 106 * DAY_MS), undefined)
  })

  it('show the operator’s plans in the domain and a product’s in its own sessions', async () => {
    const { id, email } = await user({ verified: 'verified' })
    const [outside, inside] = [await product('external'), await product('internal')]
    const live = async (productId?: string) => (await livePlanStore(storage.db).findLivePlan(id, productId, AT))?.slug
    const own = await plan(9_000, outside)
    await apply({ productId: outside, event: { email, planId: own } })
    assert.deepEqual([await live(), await live(outside), await live(inside)], [undefined, await slugOf(own), undefined])
    const bound = await plan(9_900)
    await apply({ productId: outside, event: { email, planId: bound } })
    assert.deepEqual([await live(), await live(outside)], [undefined, await slugOf(bound)])
    const [ownInside, family, domain] = [await plan(9_999, inside), await plan(200), await plan(100)]
    await apply({ productId: inside, event: { email, planId: ownInside } })
    await apply({ event: { email, planId: domain } })
    assert.deepEqual([await live(), await live(inside)], [await slugOf(domain), await slugOf(ownInside)])
    await apply({ productId: inside, event: { email, planId: family } })
    assert.equal(await live(), await slugOf(family), 'bought for an internal product')
  })
})
