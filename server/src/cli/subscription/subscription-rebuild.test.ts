import assert from 'node:assert/strict'
import { it } from 'node:test'
import { commandLine } from '../../../test/support/command-line.ts'
import { eachDatabase } from '../../../test/support/databases.ts'
import { addEndpoint } from '../../../test/support/events/endpoints.ts'
import { startEventReceiver } from '../../../test/support/events/event-receiver.ts'
import { bring, completed, notify, WEBHOOKS } from '../../../test/support/gateways/purchases.ts'
import { startService } from '../../../test/support/service.ts'
import { until } from '../../../test/support/until.ts'
import { newId } from '../../kit/index.ts'
import type { Subscription } from '../../subscriptions/index.ts'

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

  it('asks whether to compare or to fix, and refuses options of which one says nothing about the other', async () => {
    const { portaria } = await open()
    for (const [options, says] of [
      ['', /add --check/],
      ['--check --apply', /choose one/],
      ['--apply --from-inbox', /--from-inbox is for --check/],
      ['--check --force', /--force is for --apply/],
    ] as const) {
      const { code, err } = await portaria(`subscriptions rebuild ${options}`.trim())
      assert.equal(code, 2, options)
      assert.match(err, says)
    }
  })
})

eachDatabase('subscriptions rebuild --apply', (database) => {
  /** A service with a subscription for each of these, oldest first. */
  async function open(...names: string[]) {
    const place = await database.fresh()
    const service = await startService(place, { environment: WEBHOOKS })
    const bought: Subscription[] = []
    for (const name of names) bought.push(await bring(service, { ref: name, kind: 'paid', email: `${name}@example.com`, paymentId: name }))
    const { db } = service.context.storage
    const change = (id: string | undefined, values: object) =>
      db.updateTable('subscriptions').set(values).where('id', '=', `${id}`).execute()
    const rows = () => db.selectFrom('subscriptions').selectAll().orderBy('id').execute()
    const audited = async () =>
      ((await portaria('audit list --action subscription.rebuild --json')).json as Array<{ actor: string; after: object }>).map(
        ({ actor, after }) => [actor, after],
      )
    const portaria = commandLine(place)
    return { service, db, portaria, bought, change, rows, audited }
  }
  const WITHOUT_ACCESS = { state: 'refunded', access_until: 0 }

  it('fixes what differs, keeps its links, and names it as --check does', async () => {
    const { service, portaria, bought, change, rows, audited } = await open('ana', 'bia', 'caio')
    const [ana, bia, caio] = bought
    const { id: userId } = await service.user('outra@example.com')
    await change(ana?.id, { user_id: userId, product_user: 'aluna-1' })
    await bring(service, { ref: 'bia', kind: 'refunded', paymentId: 'bia' })
    const before = await rows()
    await change(ana?.id, { ...WITHOUT_ACCESS, plan_id: null })
    await change(bia?.id, { state: 'active', access_until: null })
    const checked = (await portaria('subscriptions rebuild --check')).out.split('\n')
    const { code, out, err } = await portaria('subscriptions rebuild --apply')
    assert.deepEqual([code, err], [0, ''])
    const [first, second, compared, changed, end] = out.split('\n')
    assert.deepEqual([first, second, compared], checked.slice(0, 3))
    assert.match(first ?? '', new RegExp(`^subscription ${ana?.id}: state is refunded, its events say active; plan is none, `))
    assert.match(second ?? '', new RegExp(`^subscription ${bia?.id}: state is active, its events say refunded; `))
    assert.deepEqual([changed, end], ['changed: subscriptions 2, gave access and give none now 1', ''])
    assert.deepEqual(await rows(), before)
    assert.ok(before.some(({ id, user_id }) => id === ana?.id && user_id === userId) && caio)
    assert.equal((await portaria('subscriptions rebuild --check')).code, 0)
    const done = ['operator:cli', { state: 'done', changed: 2, lostAccess: 1 }]
    assert.deepEqual(await audited(), [done, ['operator:cli', { state: 'begun' }]])
  })

  it('changes nothing where nothing differs, and leaves no trace of it', async () => {
    const { portaria, rows, audited } = await open('ana', 'bia')
    const before = await rows()
    const { code, json } = await portaria('subscriptions rebuild --apply --json')
    assert.deepEqual([code, json], [0, { streams: 2, subscriptions: 2, changed: 0, lost_access: 0, differences: [], left: [] }])
    assert.deepEqual([await rows(), await audited()], [before, []])
  })

  it('makes what is missing, and takes what its events do not know', async () => {
    const { db, portaria, bought } = await open('ana', 'bia')
    const [ana, bia] = bought
    await db.deleteFrom('subscriptions').where('id', '=', `${ana?.id}`).execute()
    const copy = await db.selectFrom('subscriptions').selectAll().where('id', '=', `${bia?.id}`).executeTakeFirstOrThrow()
    await db
      .insertInto('subscriptions')
      .values({ ...copy, id: newId(), number: 1 })
      .execute()
    const { code, json } = await portaria('subscriptions rebuild --apply --json')
    assert.deepEqual([code, json.changed, json.lost_access], [0, 2, 1])
    assert.deepEqual((await portaria('subscriptions rebuild --check --json')).json, { streams: 2, subscriptions: 2, differences: [] })
  })

  it('reports what was changed to an endpoint once, and nothing else', async () => {
    const { service, portaria, bought, change, db } = await open('ana', 'bia')
    const receiver = await startEventReceiver()
    await addEndpoint(service, { url: receiver.url, types: ['subscription.created', 'subscription.updated', 'subscription.ended'] })
    const [ana] = bought
    await change(ana?.id, { state: 'past_due' })
    for (let run = 0; run < 2; run++) {
      assert.equal((await portaria('subscriptions rebuild --apply')).code, 0)
      await until(async () => {
        const due = await db.selectFrom('reported_subscriptions').select('id').where('due', 'is not', null).execute()
        return due.length === 0 && receiver.received.length === 1
      })
    }
    const [reported] = receiver.received
    assert.deepEqual([reported?.event.data.subscription_id, reported?.event.data.status], [ana?.id, 'active'])
  })

  it('leaves streams without events and those that are a part of another, and says so', async () => {
    const { db, portaria, bought, change, rows } = await open('ana', 'bia', 'caio')
    const [ana, bia, caio] = bought
    await db.deleteFrom('subscription_events').where('stream_id', '=', `${ana?.streamId}`).execute()
    await db
      .updateTable('event_streams')
      .set({ merged_into: `${caio?.streamId}` })
      .where('id', '=', `${bia?.streamId}`)
      .execute()
    await db.deleteFrom('subscriptions').where('id', '=', `${bia?.id}`).execute()
    await db
      .updateTable('subscription_events')
      .set({ stream_id: `${caio?.streamId}` })
      .where('stream_id', '=', `${bia?.streamId}`)
      .execute()
    await change(caio?.id, WITHOUT_ACCESS)
    const { code, out } = await portaria('subscriptions rebuild --apply')
    assert.equal(code, 1)
    assert.match(out, new RegExp(`subscription ${ana?.id}: its events know none; `))
    assert.match(out, /\nleft as they are, since their streams have no events: subscriptions 1\n$/)
    const kept = await rows()
    assert.deepEqual(
      kept.map(({ id, state }) => [id, state]),
      [
        [ana?.id, 'active'],
        [caio?.id, 'active'],
      ],
    )
  })

  it('refuses where many would lose access, until that is asked for', async () => {
    const names = Array.from({ length: 12 }, (_, n) => `u${n}`)
    const { service, portaria, bought, change, rows, audited } = await open(...names)
    for (const ref of names.slice(0, 11)) await bring(service, { ref, kind: 'refunded', paymentId: ref })
    for (const { id } of bought) await change(id, { state: 'active', access_until: null })
    const before = await rows()
    const refused = await portaria('subscriptions rebuild --apply')
    assert.deepEqual([refused.code, refused.out], [1, ''])
    assert.match(
      refused.err,
      /^portaria: 11 subscriptions give access and would give none, more than 10: nothing is changed\. .+ --force\n$/,
    )
    assert.deepEqual([await rows(), await audited()], [before, []])
    const forced = await portaria('subscriptions rebuild --apply --force --json')
    assert.deepEqual([forced.code, forced.json.changed, forced.json.lost_access], [0, 11, 11])
    assert.equal((await portaria('subscriptions rebuild --check')).code, 0)
  })

  it('does no harm where two run at once, beside events that come in', async () => {
    const { service, portaria, bought, change, rows } = await open('ana', 'bia', 'caio', 'davi')
    const before = await rows()
    for (const { id } of bought) await change(id, WITHOUT_ACCESS)
    const [one, other] = await Promise.all([
      portaria('subscriptions rebuild --apply --json'),
      portaria('subscriptions rebuild --apply --json'),
      bring(service, { ref: 'eva', kind: 'paid', email: 'eva@example.com' }),
    ])
    assert.deepEqual([one.code, other.code, one.json.changed + other.json.changed], [0, 0, 4], `${one.err}${other.err}`)
    assert.deepEqual(
      (await rows()).filter(({ email }) => email !== 'eva@example.com'),
      before,
    )
    assert.equal((await portaria('subscriptions rebuild --check')).code, 0)
  })
})
