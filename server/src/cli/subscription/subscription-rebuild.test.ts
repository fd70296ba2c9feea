import assert from 'node:assert/strict'
import { it } from 'node:test'
import { commandLine } from '../../../test/support/command-line.ts'
import { eachDatabase } from '../../../test/support/databases.ts'
import { completed, notify, WEBHOOKS } from '../../../test/support/gateways/purchases.ts'
import { startService } from '../../../test/support/service.ts'

type Side = { state?: string } | null
type Row = { subscription_id: string; stored: Side; computed: Side }

eachDatabase('subscriptions rebuild --check', (database) => {
  async function open() {
    const place = await database.fresh()
    const service = await startService(place, { environment: WEBHOOKS })
    for (const email of ['ana@example.com', 'bia@example.com']) await notify(service.url, completed({ email }))
    const [bia, ana] = (await commandLine(place)('subscription list --json')).json as Array<{ id: string }>
    assert.ok(ana && bia)
    return { db: service.context.storage.db, portaria: commandLine(place), ana, bia }
  }

  it('finds no difference between subscriptions and their events', async () => {
    const { portaria } = await open()
    const checked = await portaria('subscriptions rebuild --check')
    assert.deepEqual([checked.code, checked.out], [0, 'compared with their events: subscriptions 2, streams 2, differences 0\n'])
    assert.deepEqual((await portaria('subscription rebuild --check --json')).json, { streams: 2, subscriptions: 2, differences: [] })
  })

  it('names what was changed by hand, and leaves it', async () => {
    const { db, portaria, ana, bia } = await open()
    const changed = { state: 'refunded', access_until: 0, plan_id: null, method: 'boleto' }
    await db.updateTable('subscriptions').set(changed).where('id', '=', ana.id).execute()
    await db.deleteFrom('subscriptions').where('id', '=', bia.id).execute()
    const checked = await portaria('subscriptions rebuild --check')
    assert.equal(checked.code, 1)
    const [first, second, last] = checked.out.split('\n')
    assert.match(
      first ?? '',
      new RegExp(
        `^subscription ${ana.id}: state is refunded, its events say active; plan is none, its events say easy-pro; method is boleto`,
      ),
    )
    assert.match(first ?? '', /access until is never, its events say without end$/)
    assert.match(
      second ?? '',
      /^a subscription is missing: number 1 of purchase: bia@example\.com .+; its events say state active, plan easy-pro,/,
    )
    assert.equal(last, 'compared with their events: subscriptions 1, streams 2, differences 2')
    const { differences }: { differences: Row[] } = (await portaria('subscriptions rebuild --check --json')).json
    assert.deepEqual(
      differences.map(({ subscription_id, stored, computed }) => [subscription_id, stored?.state, computed?.state]),
      [
        [ana.id, 'refunded', 'active'],
        [null, undefined, 'active'],
      ],
    )
  })

  it('names a subscription of which no event speaks', async () => {
    const { db, portaria, ana } = await open()
    const { stream_id } = await db.selectFrom('subscriptions').select('stream_id').where('id', '=', ana.id).executeTakeFirstOrThrow()
    await db.deleteFrom('subscription_events').where('stream_id', '=', stream_id).execute()
    const { code, out } = await portaria('subscriptions rebuild --check')
    assert.equal(code, 1)
    assert.match(out, new RegExp(`^subscription ${ana.id}: its events know none; it is stored with state active, plan easy-pro,`))
  })

  it('works it all out again from the notifications, with what the operator did', async () => {
    const { db, portaria, ana, bia } = await open()
    await portaria(['subscription', 'refund', ana.id, '--reason', 'asked'])
    const checked = await portaria('subscriptions rebuild --check --from-inbox')
    assert.deepEqual([checked.code, checked.out.split('\n')[1]], [0, 'compared with 2 notifications: streams 2, differences 0'])
    // Changed together, a subscription and its events agree; the notification does not.
    await db.updateTable('subscription_events').set({ plan_id: null, amount: 5 }).where('email', '=', 'bia@example.com').execute()
    await db.updateTable('subscriptions').set({ plan_id: null }).where('id', '=', bia.id).execute()
    const { code, out, json } = await portaria('subscriptions rebuild --check --from-inbox')
    assert.deepEqual([code, json], [1, undefined])
    const [events, subscription, event, inbox] = out.split('\n')
    assert.match(events ?? '', /differences 0$/)
    assert.equal(subscription, `subscription ${bia.id}: plan is none, its notifications say easy-pro`)
    assert.match(event ?? '', /^stream purchase: bia@example\.com .+: its event \S+ differs from the notifications in planId, amount$/)
    assert.equal(inbox, 'compared with 2 notifications: streams 2, differences 2')
    const { from_inbox } = (await portaria('subscriptions rebuild --check --from-inbox --json')).json
    assert.deepEqual([from_inbox.notifications, from_inbox.differences.length], [2, 2])
  })

  it('says of how many streams nothing was kept', async () => {
    const { db, portaria } = await open()
    await db.updateTable('notifications').set({ applied: null }).where('subject', '=', 'bia@example.com').execute()
    const { code, out } = await portaria('subscriptions rebuild --check --from-inbox')
    assert.deepEqual(
      [code, out.split('\n')[1]],
      [0, 'compared with 2 notifications: streams 1, differences 0, not compared since nothing was kept 1'],
    )
  })

  it('asks for --check, since nothing is written', async () => {
    const { portaria } = await open()
    const { code, err } = await portaria('subscriptions rebuild')
    assert.equal(code, 2)
    assert.match(err, /add --check/)
  })
})
