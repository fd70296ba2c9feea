import assert from 'node:assert/strict'
import { before, it } from 'node:test'
import { deleteUser, findUser } from '../../../src/admin/index.ts'
import { eachDatabase } from '../../support/databases.ts'
import { startFakeApi } from '../../support/gateways/fake-api.ts'
import { deliver, notificationsOf, openSchool } from '../../support/gateways/gateways.ts'
import { asaasEvent, charge } from '../../support/gateways/made-events.ts'
import { completed, notify, WEBHOOKS } from '../../support/gateways/purchases.ts'
import { startForSuite, type TestService } from '../../support/service.ts'
import { until } from '../../support/until.ts'
import { type Admin, adminOf, scriptOf } from '../../support/users/admins.ts'
import { freshCpf } from '../../support/users/newcomer.ts'

const api = await startFakeApi()

interface Found {
  type: string
  id: string
}

eachDatabase('A purchase whose buyer has no account', (database) => {
  const started = startForSuite(database, { environment: WEBHOOKS })
  let service: TestService
  let owner: Admin
  before(async () => {
    service = started()
    owner = await adminOf(service, 'dona@example.com', 'owner')
  })

  const search = async (q: string, as: Admin = owner) =>
    (await as.get(`/search?${new URLSearchParams({ q })}`)).json<{ data: Found[] }>().data.filter(({ type }) => type !== 'user')
  const kinds = (found: Found[]) => found.map(({ type }) => type).sort()

  /** Bought at the own checkout by somebody with these details. */
  async function buy(email: string, customer: Record<string, string>, company?: Record<string, string>) {
    const body = completed({ email })
    const sent = await notify(service.url, { ...body, customer: { email, ...customer }, ...(company && { company }) })
    assert.equal(sent.status, 200)
    return service.context.storage.db.selectFrom('subscriptions').selectAll().where('email', '=', email).executeTakeFirstOrThrow()
  }

  it('is found by the phone, the name and the tax id that came with it, however they are typed', async () => {
    const { id } = await buy(
      'quem@example.com',
      { name: 'Heloísa Prado Nóbrega', phone: '+55 (41) 99876-5432' },
      { name: 'Acme', cnpj: '11.444.777/0001-61' },
    )
    for (const typed of ['41 99876-5432', '+5541998765432', 'heloisa nobrega', 'Nóbrega Heloísa', '11444777000161', '11.444.777/0001-61']) {
      const found = await search(typed)
      assert.deepEqual(kinds(found), ['notification', 'subscription'], typed)
      assert.ok(
        found.some((one) => one.id === id),
        typed,
      )
    }
    for (const typed of ['41 99876-5433', 'heloisa', 'heloisa souza', '529.982.247-25', 'acme comercio'])
      assert.deepEqual(await search(typed), [], typed)
  })

  it('is found by a phone whose digits are those of a CPF, too', async () => {
    const { id } = await buy('numero@example.com', { name: 'Olívia Sá Peixoto', phone: '+55 (11) 98765-4374' })
    const found = await search('11987654374')
    assert.ok(found.some((one) => one.id === id))
  })

  it('is found by nobody who is to see nothing personal', async () => {
    await buy('oculta@example.com', { name: 'Quitéria Alvorada', phone: '+5541987650000' })
    const viewer = await adminOf(service, 'olha@example.com', 'viewer')
    for (const typed of ['quiteria alvorada', '41 98765-0000']) assert.deepEqual(await search(typed, viewer), [], typed)
  })

  it('suggests whose it may be, with the evidence, the tax id first, until it is linked', async () => {
    const taxId = freshCpf()
    const [same, named] = [
      await service.user('certa@example.com'),
      await service.user('homonima@example.com', { name: 'Iracema Luz Tavares' }),
    ]
    const corrected = await owner.send('POST', `/users/${same.id}/correct`, { tax_id: taxId, phone: '41 97777-1234', reason: 'x' })
    assert.equal(corrected.status, 200)
    const bought = await buy('trocada@example.com', { name: 'Iracema Luz Tavares', phone: '+5541977771234', document: taxId })
    const shown = async (path: string, as: Admin = owner) =>
      (await as.get(path))
        .json<{ suggested_users: { id: string; because: string[] }[] }>()
        .suggested_users.map(({ id, because }) => [id, because])
    const expected = [
      [same.id, ['tax_id', 'phone']],
      [named.id, ['name']],
    ]
    assert.deepEqual(await shown(`/subscriptions/${bought.id}`), expected)
    const [notification] = (await search(taxId)).filter(({ type }) => type === 'notification')
    assert.deepEqual(await shown(`/notifications/${notification?.id}`), expected)
    const viewer = await adminOf(service, 'olha2@example.com', 'viewer')
    assert.deepEqual(await shown(`/subscriptions/${bought.id}`, viewer), [])
    const script = await scriptOf(service, 'support', ['subscriptions:read', 'notifications:read'])
    for (const path of [`/subscriptions/${bought.id}`, `/notifications/${notification?.id}`]) {
      assert.deepEqual(await shown(path, script), [], 'it may read no users')
      assert.deepEqual(
        await shown(path, await scriptOf(service, 'support', ['subscriptions:read', 'notifications:read', 'users:read'])),
        expected,
      )
    }
    const ofSubscriptions = await scriptOf(service, 'support', ['subscriptions:read', 'users:read'])
    assert.deepEqual(await shown(`/subscriptions/${bought.id}`, ofSubscriptions), [], 'it may read no notifications, which say who bought')
    const moved = await owner.send('POST', `/subscriptions/${bought.id}/move`, { to: same.id, reason: 'mesmo CPF' })
    assert.equal(moved.status, 200, moved.text)
    assert.deepEqual(await shown(`/subscriptions/${bought.id}`), [])
    assert.deepEqual(await shown(`/notifications/${notification?.id}`), [])
  })

  it('suggests who has nearly the same address, says in what it differs, and whether theirs is verified', async () => {
    const { db } = service.context.storage
    const because = async (path: string) =>
      (await owner.get(path))
        .json<{ suggested_users: { email: string; verified: boolean; because: string[] }[] }>()
        .suggested_users.map(({ email, verified, because }) => [email, verified, because])
    const address = 'anselmo.duarte@correio.example'
    await service.user(address)
    await service.user('anselmo.duarte@outro.example')
    for (const typed of ['anselmo.duart@correio.example', 'anselmo.duarrte@correio.example', 'anselmo.duatre@correio.example']) {
      const bought = await buy(typed, {})
      assert.deepEqual(await because(`/subscriptions/${bought.id}`), [[address, true, ['nearby_address']]], typed)
    }
    const atAnother = await buy('anselmo.duarte@terceiro.example', {})
    assert.deepEqual(
      (await because(`/subscriptions/${atAnother.id}`)).map(([email, , why]) => [email, why]).sort(),
      [
        [address, ['mailbox_name']],
        ['anselmo.duarte@outro.example', ['mailbox_name']],
      ].sort(),
    )
    const far = await buy('anselmo.durte1@correio.example', {})
    assert.deepEqual(await because(`/subscriptions/${far.id}`), [])
    await db.updateTable('users').set({ email_verified_at: null }).where('email', '=', address).execute()
    const same = await buy(address, {})
    assert.deepEqual((await because(`/subscriptions/${same.id}`))[0], [address, false, ['address']])
  })

  it('suggests who may have mistyped an address that is none, while the notification waits', async () => {
    await service.user('odete.lara@correio.example')
    const sent = await notify(service.url, completed({ email: 'odete.lara@correio,example' }))
    const [waiting] = await service.context.storage.db
      .selectFrom('notifications')
      .selectAll()
      .where('status', '!=', 'processed')
      .where('payload', 'like', '%odete.lara%')
      .execute()
    assert.ok(waiting, JSON.stringify(sent.body))
    const shown = (await owner.get(`/notifications/${waiting.id}`)).json<{ suggested_users: { email: string; because: string[] }[] }>()
    assert.deepEqual(
      shown.suggested_users.map(({ email, because }) => [email, because]),
      [['odete.lara@correio.example', ['nearby_address']]],
    )
  })

  it('suggests nobody by a name before the @ that many have', async () => {
    for (let n = 0; n < 5; n++) await service.user(`contato@empresa-${n}.example`)
    const bought = await buy('contato@empresa-longe.example', {})
    const shown = (await owner.get(`/subscriptions/${bought.id}`)).json<{ suggested_users: object[] }>()
    assert.deepEqual(shown.suggested_users, [])
  })

  it('is found by what its gateway answered when it was asked', async () => {
    const school = await openSchool(service, 'asaas', { apiUrl: api.url })
    const taxId = freshCpf()
    const payment = charge(`pay_${taxId}`, { customer: `cus_${taxId}` })
    api.answers.set(`/payments/pay_${taxId}`, payment)
    const customer = {
      id: `cus_${taxId}`,
      email: 'pix@example.com',
      name: 'Joana Quadros Vidal',
      cpfCnpj: taxId,
      mobilePhone: '41966660000',
    }
    api.answers.set(`/customers/cus_${taxId}`, customer)
    await deliver(school, asaasEvent('PAYMENT_CONFIRMED', payment))
    await until(async () => (await search(taxId)).length === 2)
    for (const typed of [taxId, '41 96666-0000', 'joana vidal'])
      assert.deepEqual(kinds(await search(typed)), ['notification', 'subscription'], typed)
    const rows = await notificationsOf(service, school)
    assert.deepEqual(
      rows.map(({ buyer }) => buyer),
      [JSON.stringify({ customer: [{ name: customer.name }, { phone: '41966660000' }, { document: taxId }, { email: customer.email }] })],
    )
  })

  it('is found by nothing of the buyer once they are forgotten', async () => {
    const email = 'some@example.com'
    await buy(email, { name: 'Leocádia Brum Sá', phone: '+5541955554444' })
    await service.user(email)
    const user = await findUser(service.context.storage.db, email)
    assert.ok(user)
    assert.equal((await search('leocadia brum')).length > 0, true)
    assert.equal(await deleteUser(user, { ...service.context, actor: 'operator:test' }), undefined)
    for (const typed of ['leocadia brum', '41 95555-4444']) assert.deepEqual(await search(typed), [], typed)
    const left = await service.context.storage.db.selectFrom('notifications').select('payload').where('payload', 'like', '%Brum%').execute()
    assert.deepEqual(left, [])
  })
})
