import assert from 'node:assert/strict'
import { it } from 'node:test'
import { eachDatabase, type TestDatabase } from '../../../test/support/databases.ts'
import { DAY_MS, EMAIL, type GivenEvent, paid, reconciled, recordGiven, START, UNNAMED } from '../../../test/support/gateways/events.ts'
import { askAccess, type Connected, notificationsOf, openSchool } from '../../../test/support/gateways/gateways.ts'
import { startForSuite } from '../../../test/support/service.ts'
import { endLongPending, resolveNotification } from '../index.ts'

eachDatabase('What is about a payment that never came', (database: TestDatabase) => {
  const service = startForSuite(database)

  const refund = (names: string[]): GivenEvent => ({ ...paid(names), key: `${names} back`, kind: 'refunded', occurredAt: START + DAY_MS })
  const inDays = (days: number) => Date.now() + days * DAY_MS
  const endAfter = (days: number) => endLongPending({ ...service().context, now: () => inDays(days) })
  const whysOf = async (school: Connected) => (await notificationsOf(service(), school)).map(({ why }) => why)
  const accessOf = async (school: Connected) => (await askAccess(service(), school, EMAIL)).reason

  it('waits for half a year, then is ignored for good, which its notification says', async () => {
    const school = await openSchool(service(), 'stripe')
    await recordGiven(service(), school, refund(['x', 'y']), inDays(0))
    const { db } = service().context.storage
    const foundBy = async () => {
      const [{ id = '' } = {}] = await notificationsOf(service(), school)
      const terms = await db.selectFrom('notification_terms').select('term').where('notification_id', '=', id).execute()
      return terms.map(({ term }) => term)
    }
    await endAfter(179)
    assert.deepEqual([await whysOf(school), await foundBy()], [['unknown_payment'], [EMAIL]])
    await endAfter(181)
    assert.deepEqual(await foundBy(), [], 'an address that no part of it has any more')
    const [row] = await db.selectFrom('notifications').selectAll().where('product_id', '=', school.product.product.id).execute()
    assert.deepEqual(
      [row?.status, row?.why, row?.normalized, typeof row?.processed_at],
      ['ignored', 'payment_not_received', null, 'number'],
    )
    assert.deepEqual(
      await db.selectFrom('pending_notifications').selectAll().where('product_id', '=', school.product.product.id).execute(),
      [],
    )
  })

  it('waits on while a payment waits for the operator that it may be about, by whatever names the two are joined', async () => {
    const school = await openSchool(service(), 'stripe')
    await recordGiven(service(), school, refund(['b']), inDays(0))
    await recordGiven(service(), school, { ...refund(['a', 'b']), kind: 'partially_refunded', key: 'part' }, inDays(0))
    await recordGiven(service(), school, paid(['a'], { plan: UNNAMED }), inDays(0))
    await endAfter(400)
    assert.deepEqual((await whysOf(school)).sort(), ['unknown_payment', 'unknown_payment', 'unknown_plan'])
    const payment = (await notificationsOf(service(), school)).find(({ why }) => why === 'unknown_plan')
    await resolveNotification(payment?.id ?? '', { planSlug: 'curso', reason: 'x' }, { ...service().context, actor: 'operator:test' })
    assert.equal(await accessOf(school), 'refunded')
  })

  it('waits on as long as the newest of what is about the same payment', async () => {
    const school = await openSchool(service(), 'stripe')
    await recordGiven(service(), school, refund(['p']), inDays(0))
    await recordGiven(service(), school, { ...refund(['p']), kind: 'disputed', key: 'dispute' }, inDays(100))
    await endAfter(200)
    assert.deepEqual(await whysOf(school), ['unknown_payment', 'unknown_payment'])
    await endAfter(281)
    assert.deepEqual(await whysOf(school), ['payment_not_received', 'payment_not_received'])
  })

  it('counts all the same when a reconciliation reports the payment at last, and it', async () => {
    const school = await openSchool(service(), 'stripe')
    await reconciled(service(), school, refund(['p']))
    await endAfter(400)
    assert.deepEqual(await whysOf(school), ['payment_not_received'])
    await reconciled(service(), school, paid(['p']))
    assert.equal(await reconciled(service(), school, refund(['p'])), 'applied')
    assert.equal(await accessOf(school), 'refunded')
  })
})
