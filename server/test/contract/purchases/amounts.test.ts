import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { it } from 'node:test'
import { notificationStore } from '../../../src/notifications/index.ts'
import { oneDatabase } from '../../support/databases.ts'
import { askAccess, type Connected, deliver, notificationsOf, openSchool } from '../../support/gateways/gateways.ts'
import { invoicePaid, sale } from '../../support/gateways/made-events.ts'
import { activated, completed, later, notify, received, subscriptionsOf, WEBHOOKS } from '../../support/gateways/purchases.ts'
import { startForSuite } from '../../support/service.ts'

const DAY_MS = 86_400_000
const LESS = 1
const PRICE = 9_990

oneDatabase('An amount that is not the plan’s price', (database) => {
  const service = startForSuite(database, { environment: WEBHOOKS })
  const buyer = () => `${randomUUID()}@exemplo.com.br`
  const send = async (body: object) => assert.deepEqual(await notify(service().url, body), { status: 200, body: { received: true } })
  const deliverBody = async (school: Connected, body: object) =>
    assert.deepEqual(await deliver(school, body, { at: service().clock.now }), { status: 200, body: { received: true } })
  /** The newest notification: its status, why, and what was paid of which price. */
  const newest = async () => outcome((await received(service())).at(-1)?.id)
  const outcome = async (id = '') => {
    const { status, why, mismatch } = (await notificationStore(service().context.storage.db).findById(id)) ?? assert.fail()
    return [status, why, mismatch && [mismatch.paid, mismatch.price]]
  }
  const isActive = async (school: Connected, email: string) => (await askAccess(service(), school, email)).active
  const outcomesOf = async (school: Connected) => Promise.all((await notificationsOf(service(), school)).map(({ id }) => outcome(id)))

  it('L15: of the own checkout is recorded beside the price, and applied', async () => {
    const email = buyer()
    const id = randomUUID()
    await send(activated({ email, id, amount: LESS }))
    assert.deepEqual(await newest(), ['processed', undefined, [LESS, 9_900]])
    assert.deepEqual(
      (await subscriptionsOf(service(), email)).map(({ state }) => state),
      ['active'],
    )
    const renewed = (amount: number | undefined, name: string | undefined) =>
      later('subscription.renewed', { subscription_id: id, user_email: email, product_name: name, amount })
    for (const [amount, name, shown] of [
      [9_900, 'Easy Pro', undefined],
      [118_800, 'Easy Pro', [118_800, 9_900]],
      [Number.MAX_SAFE_INTEGER, 'Easy Pro', [Number.MAX_SAFE_INTEGER, 9_900]],
      [0, 'Easy Pro', [0, 9_900]],
      [undefined, 'Easy Pro', undefined],
      [LESS, undefined, undefined],
    ] as const) {
      await send(renewed(amount, name))
      assert.deepEqual(await newest(), ['processed', undefined, shown], `${amount} ${name}`)
    }
    await send(later('payment.refunded', { subscription_id: id, amount: LESS, product_name: 'Easy Pro' }))
    assert.deepEqual(await newest(), ['processed', undefined, undefined], 'only payments are compared')
    for (const [data, shown] of [
      [undefined, undefined],
      [{ amount: LESS }, [LESS, 9_900]],
      [{ amount: '1' }, undefined],
      [{ amount: -1 }, undefined],
    ] as const) {
      await send(completed({ email: buyer(), ...(data && { data }) }))
      assert.deepEqual(await newest(), ['processed', undefined, shown], `the first form with ${JSON.stringify(data)}`)
    }
  })

  it('L15: of a gateway is recorded beside the price, and applied; a trial and another currency are not compared', async () => {
    for (const [more, shown] of [
      [{ amount_paid: LESS }, [LESS, PRICE]],
      [{ amount_paid: PRICE }, undefined],
      [{ amount_paid: PRICE + 1 }, [PRICE + 1, PRICE]],
      [{ amount_paid: 0 }, undefined],
      [{ amount_paid: LESS, total: PRICE }, undefined], // the buyer's credit paid the rest
      [{ amount_paid: LESS, currency: 'usd' }, undefined],
    ] as const) {
      const school = await openSchool(service(), 'stripe')
      const email = buyer()
      await deliverBody(school, invoicePaid(`sub_${randomUUID()}`, email, { at: service().clock.now, ...more }))
      assert.deepEqual(await outcomesOf(school), [['processed', undefined, shown]], JSON.stringify(more))
      assert.equal(await isActive(school, email), true, JSON.stringify(more))
    }
  })

  it('L15: is recorded at each renewal that has it, and at no other', async () => {
    const school = await openSchool(service(), 'stripe')
    const email = buyer()
    for (const amount of [PRICE, 4_990, PRICE]) {
      const invoice = `in_${randomUUID()}`
      await deliverBody(school, invoicePaid('sub_renewed', email, { at: service().clock.now, invoice, amount_paid: amount }))
      service().clock.now += 30 * DAY_MS
    }
    assert.deepEqual(
      (await outcomesOf(school)).map(([, , amounts]) => amounts),
      [undefined, [4_990, PRICE], undefined],
    )
    await deliverBody(school, sale('pi_less', email, { at: service().clock.now, amount_total: LESS }))
    assert.deepEqual((await outcomesOf(school)).at(-1), ['processed', undefined, [LESS, PRICE]])
  })
})
