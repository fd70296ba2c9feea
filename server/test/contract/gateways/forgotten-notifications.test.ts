import assert from 'node:assert/strict'
import { it } from 'node:test'
import { tidy } from '../../../src/housekeeping/tidy.ts'
import { DAY_MS } from '../../../src/kit/index.ts'
import { resolveNotification } from '../../../src/notifications/index.ts'
import { eachDatabase } from '../../support/databases.ts'
import { askAccess, deliver, openSchool } from '../../support/gateways/gateways.ts'
import { refundOf, sale, stripeEvent } from '../../support/gateways/made-events.ts'
import { completed, notify, WEBHOOKS } from '../../support/gateways/purchases.ts'
import { startService } from '../../support/service.ts'

const BUYER = 'ana@example.com'

eachDatabase('A notification from which nothing follows', (database) => {
  it('is removed after a year, with all that it is found by; one that was processed, waits, or that the operator has ignored is not', async () => {
    const service = await startService(await database.fresh(), { environment: WEBHOOKS })
    const { db } = service.context.storage
    const receivedAt = service.clock.now
    const school = await openSchool(service, 'stripe')
    const send = async (body: object) => assert.equal((await deliver(school, body)).status, 200)
    const foreign = refundOf('pi_of_another_shop')
    const waiting = { id: 'pi_waits', amount: 9_990, currency: 'brl', receipt_email: BUYER, metadata: { plan_slug: 'other' } }
    await send(stripeEvent('customer.created', { email: BUYER, phone: '+5511987654321', name: 'Ana Flávia' }))
    await send(foreign)
    await send(refundOf('pi_to_be_ignored'))
    await send(sale('pi_paid', BUYER))
    await send(stripeEvent('payment_intent.succeeded', waiting))
    await send(stripeEvent('payment_intent.succeeded', waiting))
    await notify(service.url, completed({ email: BUYER, is_test: true }))
    const kept = async () => db.selectFrom('notifications').select(['id', 'status', 'why', 'subject']).orderBy('id').execute()
    const received = await kept()
    assert.deepEqual(
      received.map(({ status, why }) => [status, why]),
      [
        ['ignored', null],
        ['ignored', 'unknown_payment'],
        ['ignored', 'unknown_payment'],
        ['processed', null],
        ['unresolved', 'unknown_plan'],
        ['ignored', 'duplicate'],
        ['test', null],
      ],
    )
    const idOf = (nth: number) => received[nth]?.id ?? assert.fail()
    const [byOperator, paid, waits] = [idOf(2), idOf(3), idOf(4)]
    const ignored = await resolveNotification(
      byOperator,
      { ignore: true, reason: 'of another shop' },
      { ...service.context, actor: 'operator:test' },
    )
    assert.deepEqual(ignored, { ignored: true })

    const tidyAfter = (days: number) => {
      service.clock.now = receivedAt + days * DAY_MS
      return tidy(service.context, service.clock.now)
    }
    await tidyAfter(364)
    assert.equal((await kept()).length, received.length, 'a year is not over')
    await tidyAfter(366)
    assert.deepEqual(
      (await kept()).map(({ id }) => id),
      [byOperator, paid, waits],
    )
    for (const table of ['notification_terms', 'pending_notifications', 'notification_attempts'] as const) {
      const rows = await db.selectFrom(table).select('notification_id').distinct().execute()
      const left = rows.map(({ notification_id }) => notification_id).filter((id) => ![byOperator, paid, waits].includes(id))
      assert.deepEqual(left, [], table)
    }
    assert.equal((await askAccess(service, school, BUYER)).reason, 'paid')
    service.clock.now = receivedAt
    await send(foreign)
    assert.equal((await kept()).length, 4, 'sent again, it is a new one')
  })
})
