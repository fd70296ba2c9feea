import assert from 'node:assert/strict'
import { it } from 'node:test'
import { deleteUser, findUser } from '../../../src/admin/index.ts'
import { commandLine, MASTER_KEY } from '../../support/command-line.ts'
import { eachDatabase } from '../../support/databases.ts'
import { activated, altered, completed, later, notify, received, WEBHOOKS } from '../../support/gateways/purchases.ts'
import { startService } from '../../support/service.ts'
import { adminOf, listAll } from '../../support/users/admins.ts'

const MALFORMED = { status: 400, body: { error: 'Payload invalido' } }
/** Deliveries that are refused are kept up to here. */
const KEPT = 100

eachDatabase('A purchase notification that was signed well and can not be read', (database) => {
  async function begin() {
    const at = await database.fresh()
    const service = await startService(at, { environment: WEBHOOKS })
    const send = async (body: object | string) => assert.deepEqual(await notify(service.url, body), MALFORMED)
    const warned = () =>
      service
        .log()
        .split('\n')
        .flatMap((line) => (line.includes('was refused') ? [JSON.parse(line)] : []))
    return { at, service, send, warned }
  }

  it('N10: is logged with the fields at fault, and none of what stands in them', async () => {
    const { service, send, warned } = await begin()
    const body = activated({ email: 'ana.secreta@exemplo.com.br' })
    await send(altered(altered(altered(body, 'data.amount', '99,00 reais'), 'data.product_name', undefined), 'timestamp', 'ontem à noite'))
    await send({ ...body, event: 'evento.secreto' })
    await send(later('payment.refunded', { user_email: 'ana.secreta@exemplo.com.br', subscription_id: null }))
    await send({})
    const fields = warned().map((line) => line.fields)
    assert.deepEqual(fields, [
      ['data.product_name missing', 'data.amount wrong_type', 'timestamp malformed'],
      ['event unknown'],
      ['data.product_id missing', 'data.plan_slug missing'],
      ['event missing'],
    ])
    assert.ok(warned().every(({ level, request_id }) => level === 'warn' && typeof request_id === 'string'))
    assert.doesNotMatch(service.log(), /secret|99,00|ontem/)
  })

  it('N10: is shown as refused, with why, by the command line, the API and to a viewer without personal data', async () => {
    const { at, service, send } = await begin()
    const body = altered(completed({ email: 'ana@exemplo.com.br' }), 'product.id', 'easy-pro')
    await send(body)
    await send(body)
    const portaria = commandLine(at, { PORTARIA_MASTER_KEY: MASTER_KEY })
    const [listed, ...others] = (await portaria('webhook list --status refused --json')).json
    assert.deepEqual(others, [], 'the same text is kept once')
    assert.deepEqual(
      [listed.source, listed.event, listed.status, listed.subject],
      ['purchase', 'purchase.completed', 'refused', 'ana@exemplo.com.br'],
    )
    assert.match((await portaria('webhook list --email ana@exemplo.com.br')).out, /refused +product\.id malformed +ana@exemplo\.com\.br/)
    const shown = await portaria(`webhook show ${listed.id}`)
    assert.match(shown.out, /its sender received 400/)
    assert.match(shown.out, /why +product\.id malformed/)
    assert.deepEqual((await portaria(`webhook show ${listed.id} --json`)).json.payload, body)
    const support = await adminOf(service, 'apoio@example.com', 'support')
    const [row] = await listAll(support, '/notifications?status=refused')
    assert.deepEqual([row?.id, row?.why], [listed.id, 'product.id malformed'])
    const viewer = await adminOf(service, 'vista@example.com', 'viewer')
    const masked = (await viewer.get(`/notifications/${listed.id}`)).text
    assert.ok(!masked.includes('ana@exemplo.com.br'), masked)
    const reprocessed = await support.send('POST', `/notifications/${listed.id}/reprocess`, {})
    assert.equal(reprocessed.status, 409, 'there is nothing to process')
  })

  it('N10: is kept only where the signature was right, and the newest hundred at most, whoever sends how many at once', async () => {
    const { service, send } = await begin()
    const wrong = JSON.stringify({ ...completed({ email: 'x@exemplo.com.br' }), event: 'x', signature: 'a'.repeat(64) })
    assert.equal((await notify(service.url, wrong)).status, 401)
    assert.equal((await notify(service.url, '{"event":')).status, 400)
    assert.deepEqual(await received(service), [])
    const bought = completed({ email: 'comprou@exemplo.com.br' })
    assert.equal((await notify(service.url, bought)).status, 200)
    for (let round = 0; round < 5; round++)
      await Promise.all(
        Array.from({ length: 30 }, (_, number) => send({ event: 'none', data: { user_email: 'a@exemplo.com.br' }, round, number })),
      )
    const kept = await received(service)
    assert.equal(kept.filter(({ status }) => status === 'refused').length, KEPT)
    assert.equal(kept.filter(({ status }) => status === 'processed').length, 1)
    const { db } = service.context.storage
    const strays = await db
      .selectFrom('notification_terms')
      .select('notification_id')
      .where('notification_id', 'not in', db.selectFrom('notifications').select('id'))
      .execute()
    assert.deepEqual(strays, [])
  })

  it('N10: holds nothing of a buyer who is gone', async () => {
    const { service, send } = await begin()
    await send(altered(completed({ email: ' Nara@Exemplo.com.br ' }), 'timestamp', 'ontem'))
    await service.user('nara@exemplo.com.br')
    const user = (await findUser(service.context.storage.db, 'nara@exemplo.com.br')) ?? assert.fail('no such user')
    assert.equal(await deleteUser(user, { ...service.context, actor: 'operator:test' }), undefined)
    assert.doesNotMatch(JSON.stringify(await received(service)), /nara/i)
  })

  it('N10: a text without any form, or with what a database refuses, is refused as any other', async () => {
    const { service, send } = await begin()
    for (const body of [
      {},
      { event: 7 },
      { event: 'x\u0000\ud800', data: [] },
      { event: 'x'.repeat(5_000), customer: { email: 'a\u0000@b' } },
    ])
      await send(body)
    assert.deepEqual(
      (await received(service)).map(({ status }) => status),
      ['refused', 'refused', 'refused', 'refused'],
    )
    assert.doesNotMatch(service.log(), /"level":"(?:error|fatal)"/)
  })
})
