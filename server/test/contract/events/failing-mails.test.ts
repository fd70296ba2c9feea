import assert from 'node:assert/strict'
import { once } from 'node:events'
import { type AddressInfo, createServer, type Socket } from 'node:net'
import { after, it } from 'node:test'
import { endpointStore } from '../../../src/app-events/index.ts'
import { composeMail } from '../../../src/mail/index.ts'
import { addJob } from '../../../src/outbox/index.ts'
import { eachDatabase } from '../../support/databases.ts'
import { addEndpoint } from '../../support/events/endpoints.ts'
import { startEventReceiver } from '../../support/events/event-receiver.ts'
import { bring } from '../../support/gateways/purchases.ts'
import { startMailbox } from '../../support/mailbox.ts'
import { startService } from '../../support/service.ts'
import { until } from '../../support/until.ts'
import { giveRole } from '../../support/users/admins.ts'

const DAY_MS = 86_400_000
const MARKUP = '<b>servidor</b> https://mal.example'

eachDatabase('An endpoint that fails', (database) => {
  it('is told to every owner by mail, a day after the first failure and when it is disabled, each once', async () => {
    const mailbox = await startMailbox()
    const service = await startService(await database.fresh(), { environment: { PORTARIA_SMTP_URL: mailbox.url } })
    const { db } = service.context.storage
    for (const [email, role, language] of [
      ['dona@example.com', 'owner', 'pt-BR'],
      ['owner@example.com', 'owner', 'en'],
      ['ajuda@example.com', 'support', 'es'],
    ] as const) {
      const { id } = await service.user(email)
      await giveRole(service, email, role)
      await db.updateTable('users').set({ language }).where('id', '=', id).execute()
    }
    const { product } = await service.product({ slug: 'loja', name: MARKUP, audience: 'external', checkout: 'external' })
    const receiver = await startEventReceiver()
    receiver.answers(() => ({ status: 503 }))
    const { id } = await addEndpoint(service, { url: receiver.url, product: 'loja' })
    const { email } = await service.user('ana@exemplo.com.br')
    await bring(service, { kind: 'paid', email, productId: product.id, ref: 'ana' })
    const seen = async () => endpointStore(db).findById(id)
    /** Has the next attempt made after a time, whatever the schedule says. */
    const later = async (ms: number) => {
      await until(async () => (await db.selectFrom('event_deliveries').select('next_at').executeTakeFirst())?.next_at !== null)
      service.clock.now += ms
      await db.updateTable('event_deliveries').set({ next_at: service.clock.now, attempts: 1, state: 'pending' }).execute()
    }
    await until(async () => (await seen())?.failingSince !== undefined)
    await later(DAY_MS + 1)
    const failing = await mailbox.find('dona@example.com', ({ subject }) => subject === 'Um endereço de eventos falha há um dia')
    const said = failing.text?.replaceAll(/\s+/g, ' ') ?? ''
    for (const part of ['Última resposta: 503', 'Será desativado:', `${service.url}/admin/endpoints/${id}/show`, '<b>servidor</b>'])
      assert.ok(said.includes(part), `${part} in ${said}`)
    assert.ok(!said.includes('https://mal.example') && !failing.html?.includes('<b>servidor'))
    await mailbox.find('owner@example.com', ({ subject }) => subject === 'An event endpoint has failed for a day')
    await later(3 * DAY_MS)
    await until(async () => (await db.selectFrom('event_attempts').select('id').execute()).length >= 3)
    await later(DAY_MS)
    await until(async () => (await seen())?.disabledReason === 'failing')
    const disabled = await mailbox.find('owner@example.com', ({ subject }) => subject === 'An event endpoint was disabled')
    assert.match(disabled.text ?? '', /failed for five days/)
    await mailbox.find('dona@example.com', ({ subject }) => subject === 'Um endereço de eventos foi desativado')
    const kinds = await db.selectFrom('sent_mails').select('kind').where('kind', 'like', 'endpoint_%').execute()
    assert.deepEqual(kinds.map(({ kind }) => kind).sort(), [
      'endpoint_disabled',
      'endpoint_disabled',
      'endpoint_failing',
      'endpoint_failing',
    ])
    assert.ok(!mailbox.mails.some(({ recipient }) => recipient === 'ajuda@example.com'))
  })

  it('with 410 is told to the owners at once', async () => {
    const mailbox = await startMailbox()
    const service = await startService(await database.fresh(), { environment: { PORTARIA_SMTP_URL: mailbox.url } })
    await service.user('dona@example.com', { admin: true })
    const { product } = await service.product({ slug: 'loja', audience: 'external', checkout: 'external' })
    const receiver = await startEventReceiver()
    receiver.answers(() => ({ status: 410 }))
    await addEndpoint(service, { url: receiver.url, product: 'loja' })
    const { email } = await service.user('ana@exemplo.com.br')
    await bring(service, { kind: 'paid', email, productId: product.id, ref: 'ana' })
    const { text = '' } = await mailbox.find('dona@example.com', ({ subject }) => subject === 'Um endereço de eventos foi desativado')
    assert.match(text.replaceAll(/\s+/g, ' '), /respondeu 410, que quer dizer que o endereço não existe mais.*Última resposta: 410/)
  })
})

const MAILS = 20

eachDatabase('A mail server that never answers', (database) => {
  it('keeps the rest of payments waiting behind no mail', async () => {
    const sockets: Socket[] = []
    const server = createServer((socket) => sockets.push(socket)).listen(0, 'localhost')
    await once(server, 'listening')
    after(() => {
      for (const socket of sockets) socket.destroy()
      server.close()
    })
    const smtp = `smtp://localhost:${(server.address() as AddressInfo).port}`
    const { context, clock } = await startService(await database.fresh(), { environment: { PORTARIA_SMTP_URL: smtp } })
    const { storage, sealer } = context
    const data = { name: 'Ana', url: 'https://sso.example.com/', minutes: 30 }
    const payload = { to: 'ana@exemplo.com.br', ...composeMail('reset_password', 'pt-BR', data) }
    const rest = { source: 'stripe', productId: '', names: [], after: '', hasProcessed: false }
    await storage.transaction(async (tx) => {
      for (let n = 0; n < MAILS; n++) await addJob(tx, { kind: 'mail', payload }, { sealer, at: clock.now - 1 })
      await addJob(tx, { kind: 'process_pending', payload: rest }, { sealer, at: clock.now })
    })
    const jobs = () => storage.db.selectFrom('outbox').select(['kind', 'attempts']).execute()
    await until(async () => !(await jobs()).some(({ kind }) => kind === 'process_pending'))
    assert.ok(
      (await jobs()).some(({ attempts }) => attempts === 0),
      'mails wait',
    )
  })
})
