import assert from 'node:assert/strict'
import { it } from 'node:test'
import { deleteUser, findUser } from '../../../src/admin/index.ts'
import { changeEndpoint, disableEndpoint, enableEndpoint, removeEndpoint } from '../../../src/event-delivery/index.ts'
import { eachDatabase } from '../../support/databases.ts'
import { addEndpoint } from '../../support/events/endpoints.ts'
import { startEventReceiver } from '../../support/events/event-receiver.ts'
import { cheapPasswords, startService } from '../../support/service.ts'
import { until } from '../../support/until.ts'

const USERS = 12
/** Deliveries to one endpoint at once. */
const AT_ONCE = 8

eachDatabase('A delivery that a slow app keeps waiting', (database) => {
  /** An endpoint with twelve deliveries, claimed together: the app has eight of them, and answers none before `answer`. */
  async function begin() {
    const service = await startService(await database.fresh(), { passwords: cheapPasswords })
    const { db } = service.context.storage
    const receiver = await startEventReceiver()
    const held: Array<() => void> = []
    receiver.answers(() => (response) => void held.push(() => response.writeHead(200).end()))
    const { id } = await addEndpoint(service, { url: receiver.url, types: ['user.created', 'user.deleted'] })
    const pause = (until: number | null) => db.updateTable('event_endpoints').set({ paused_until: until }).where('id', '=', id).execute()
    await pause(service.clock.now + 86_400_000)
    for (let n = 0; n < USERS; n++) await service.user(`p${n}@exemplo.com.br`)
    const deliveries = () => db.selectFrom('event_deliveries').selectAll().where('endpoint_id', '=', id).execute()
    await until(async () => (await deliveries()).length === USERS)
    await pause(null)
    await until(() => held.length === AT_ONCE)
    const answer = () => {
      receiver.answers(() => ({ status: 200 }))
      for (const one of held) one()
    }
    service.clock.now += 15_000
    const waiting = () =>
      Array.from({ length: USERS }, (_, n) => `p${n}@exemplo.com.br`).filter((email) => !emailsOf(receiver).includes(email))
    const operator = { ...service.context, actor: 'operator:test' }
    return { service, db, receiver, id, answer, deliveries, waiting, operator }
  }
  const emailsOf = ({ received }: Awaited<ReturnType<typeof startEventReceiver>>) => received.map(({ event }) => event.data.email)

  it('says nothing of a user who was deleted since it was claimed', async () => {
    const { db, receiver, answer, deliveries, waiting, operator } = await begin()
    const [email = ''] = waiting()
    await deleteUser((await findUser(db, email)) ?? assert.fail(), operator)
    answer()
    await until(async () => (await deliveries()).every(({ state }) => state !== 'pending'))
    assert.ok(receiver.types().includes('user.deleted'))
    assert.ok(!emailsOf(receiver).includes(email))
    assert.deepEqual(waiting(), [email])
  })

  it('is not sent once its endpoint is disabled, and has all its attempts when it is enabled', async () => {
    const { receiver, id, answer, deliveries, waiting, operator } = await begin()
    await disableEndpoint(id, operator)
    answer()
    const pending = async () => (await deliveries()).filter(({ state }) => state === 'pending')
    await until(async () => (await pending()).every(({ attempts }) => attempts === 0))
    assert.deepEqual([(await pending()).length, receiver.received.length], [USERS - AT_ONCE, AT_ONCE])
    await enableEndpoint(id, operator)
    await until(async () => (await pending()).length === 0)
    assert.deepEqual([waiting(), receiver.received.length], [[], USERS])
    assert.ok((await deliveries()).every(({ attempts }) => attempts === 1))
  })

  it('is not sent once its endpoint is removed', async () => {
    const { service, receiver, id, answer, operator } = await begin()
    await removeEndpoint(id, operator)
    answer()
    const other = await startEventReceiver()
    await addEndpoint(service, { url: other.url, types: ['user.created'] })
    await service.user('depois@exemplo.com.br')
    await until(() => other.received.length === 1)
    assert.equal(receiver.received.length, AT_ONCE)
  })

  it('is not sent by a node that was too slow for its claim, when another one has the delivery or is done with it', async () => {
    const { service, db, receiver, answer, deliveries, waiting } = await begin()
    const missing = waiting()
    const sent = new Set(receiver.received.map(({ id }) => id))
    const [one, ...others] = (await deliveries()).flatMap(({ event_id }) => (sent.has(event_id) ? [] : event_id))
    const write = (ids: readonly (string | undefined)[], set: { state?: string; next_at: number | null }) =>
      db.updateTable('event_deliveries').set(set).where('event_id', 'in', ids.map(String)).execute()
    await write([one], { next_at: service.clock.now + 86_400_000 })
    await write(others, { state: 'delivered', next_at: null })
    answer()
    await service.user('depois@exemplo.com.br')
    // An endpoint's next deliveries are looked at when those of a claim are through.
    await until(() => emailsOf(receiver).includes('depois@exemplo.com.br'))
    assert.deepEqual([waiting(), receiver.received.length], [missing, AT_ONCE + 1])
    const kept = (await deliveries()).filter(({ event_id }) => event_id === one || others.includes(event_id))
    assert.deepEqual(
      kept.map(({ attempts }) => attempts),
      missing.map(() => 1),
      'nothing of what the other one has is given back',
    )
  })

  it('goes to the address that its endpoint has by then', async () => {
    const { receiver, id, answer, deliveries, waiting, operator } = await begin()
    const missing = waiting()
    const next = await startEventReceiver()
    await changeEndpoint(id, { url: next.url }, { ...operator, isDevelopment: true })
    answer()
    await until(async () => (await deliveries()).every(({ state }) => state === 'delivered'))
    assert.equal(receiver.received.length, AT_ONCE)
    assert.deepEqual(emailsOf(next).toSorted(), missing.toSorted())
  })
})
