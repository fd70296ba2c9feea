import assert from 'node:assert/strict'
import { it } from 'node:test'
import { listAudit } from '../../../src/audit/index.ts'
import { findTaxId } from '../../../src/users/index.ts'
import { commandLine, MASTER_KEY } from '../../support/command-line.ts'
import { eachDatabase } from '../../support/databases.ts'
import { linkIn, startMailbox } from '../../support/mailbox.ts'
import { PASSWORD, startService } from '../../support/service.ts'
import { type Admin, adminOf } from '../../support/users/admins.ts'
import { freshCpf } from '../../support/users/newcomer.ts'
import { assertRefused } from '../../support/users/sign-in-steps.ts'

eachDatabase('What the operator corrects of a user', (database) => {
  async function start() {
    const mailbox = await startMailbox()
    const where = await database.fresh()
    const service = await startService(where, { environment: { PORTARIA_SMTP_URL: mailbox.url } })
    const owner = await adminOf(service, 'dona@example.com', 'owner')
    return { service, mailbox, owner, where }
  }

  const correct = (owner: Admin, id: string, body: Record<string, unknown>) =>
    owner.send('POST', `/users/${id}/correct`, { reason: 'por telefone, identidade conferida', ...body })

  it('takes a phone and a tax id in place of wrong ones, and keeps neither in full in the audit log', async () => {
    const { service, owner } = await start()
    const { id } = await service.user('ana@example.com')
    const taxId = freshCpf()
    const done = await correct(owner, id, { phone: '(21) 98765-4321', tax_id: taxId })
    assert.equal(done.status, 200, done.text)
    assert.equal(done.json<{ phone: string }>().phone, '+5521987654321')
    assert.deepEqual(await findTaxId({ id }, service.context), { kind: 'cpf', digits: taxId })
    const [entry] = await listAudit(service.context.storage.db, { limit: 1 })
    assert.deepEqual([entry?.action, entry?.target, entry?.reason], ['user.correct', id, 'por telefone, identidade conferida'])
    assert.equal(entry?.actor, `user:${owner.id}`)
    assert.deepEqual(entry?.after, { phone: '+55***21', tax_id: `***.${taxId.slice(3, 6)}.${taxId.slice(6, 9)}-**` })
    const found = await owner.get(`/search?q=${taxId}`)
    assert.deepEqual(
      found.json<{ data: { id: string }[] }>().data.map((one) => one.id),
      [id],
    )
    assert.equal((await correct(owner, id, { phone: null, tax_id: null })).status, 200)
    assert.equal(await findTaxId({ id }, service.context), undefined)
  })

  it('notifies the user by mail of another tax id, masked, and of one that is gone, but never a mailbox that nobody has entered', async () => {
    const { service, owner, mailbox } = await start()
    const { id } = await service.user('gil@example.com')
    const taxId = freshCpf()
    for (let n = 0; n < 2; n++) assert.equal((await correct(owner, id, { tax_id: taxId })).status, 200)
    const subject = 'O suporte mudou seu CPF ou CNPJ'
    const mail = await mailbox.find('gil@example.com', (one) => one.subject === subject)
    assert.ok(mail.text?.includes(`***.${taxId.slice(3, 6)}.${taxId.slice(6, 9)}-**`), mail.text)
    for (const part of [mail.text, mail.html]) assert.ok(!part?.replaceAll(/\D/g, '').includes(taxId))
    assert.equal((await correct(owner, id, { tax_id: null })).status, 200)
    const gone = await mailbox.find('gil@example.com', (one) => one.subject === subject && one.text?.includes('removido') === true)
    assert.ok(linkIn(gone, '/report-sign-in').startsWith('/report-sign-in?ticket='))
    const invited = await owner.send('POST', '/users', { email: 'convidada@example.com', name: 'Lia' })
    assert.equal((await correct(owner, invited.json<{ id: string }>().id, { tax_id: freshCpf() })).status, 200)
    await correct(owner, id, { tax_id: freshCpf() })
    await mailbox.find('gil@example.com', (one) => one.subject === subject && one !== mail && one !== gone)
    const about = mailbox.mails.filter((one) => one.subject === subject)
    assert.deepEqual(
      about.map(({ recipient }) => recipient),
      Array.from({ length: 3 }, () => 'gil@example.com'),
    ) // the same number twice is no change
  })

  it('refuses what is no number, and what another account has, and then changes nothing at all', async () => {
    const { service, owner } = await start()
    const [{ id }, other] = [await service.user('bia@example.com'), await service.user('outra@example.com')]
    const taxId = freshCpf()
    assert.equal((await correct(owner, other.id, { tax_id: taxId })).status, 200)
    for (const [body, fields] of [
      [{ tax_id: '529.982.247-26', phone: '(21) 98765-4321' }, { tax_id: 'malformed' }],
      [{ tax_id: taxId, phone: '(21) 98765-4321' }, { tax_id: 'taken' }],
      [{ phone: '12345' }, { phone: 'malformed' }],
      [{ email: 'outra@example.com', phone: '(21) 98765-4321' }, { email: 'email_taken' }],
      [{ email: 'not an address', phone: '(21) 98765-4321' }, { email: 'email_malformed' }],
    ] as const) {
      const refused = await correct(owner, id, body)
      assert.deepEqual([refused.status, refused.json<{ fields: unknown }>().fields], [400, fields])
    }
    const shown = await owner.get(`/users/${id}`)
    assert.equal(shown.json<{ phone: string }>().phone, '+5511912345678')
    assertRefused(await correct(owner, id, {}), 400, 'Payload invalido')
    assert.equal((await correct(owner, id, { phone: null, reason: ' ' })).status, 400)
    const entries = await listAudit(service.context.storage.db, { limit: 50 })
    assert.equal(entries.filter(({ action, target }) => action === 'user.correct' && target === id).length, 0)
  })

  it('gives one number to one of two accounts that get it at once', async () => {
    const { service, owner } = await start()
    const users = [await service.user('um@example.com'), await service.user('dois@example.com'), await service.user('tres@example.com')]
    const taxId = freshCpf()
    const answers = await Promise.all(users.map(({ id }) => correct(owner, id, { tax_id: taxId })))
    assert.deepEqual(answers.map(({ status }) => status).sort(), [200, 400, 400])
  })

  it('moves an account to a new address only once its owner has signed in with the link, and notifies the old mailbox', async () => {
    const { service, owner, mailbox } = await start()
    const { id } = await service.user('velha@example.com')
    const asked = await correct(owner, id, { email: 'Nova@Example.com' })
    assert.equal(asked.json<{ email: string }>().email, 'velha@example.com')
    const link = linkIn(await mailbox.find('nova@example.com'), '/confirm-email')
    const stranger = await service.browser().get(link)
    assert.equal(stranger.location?.pathname, '/login')
    const browser = service.browser()
    await browser.signIn('/login', { email: 'velha@example.com', password: PASSWORD })
    const ticket = new URL(link, service.url).searchParams.get('ticket') ?? ''
    assert.equal((await browser.submit('/confirm-email', { ticket })).status, 200)
    const shown = (await owner.get(`/users/${id}`)).json<{ email: string; verified_at: string | null }>()
    assert.equal(shown.email, 'nova@example.com')
    assert.ok(shown.verified_at)
    assert.ok(linkIn(await mailbox.find('velha@example.com'), '/report-sign-in').startsWith('/report-sign-in?ticket='))
  })

  it('corrects the address of an account that nobody has entered at once, unverified, and invites to it', async () => {
    const { service, owner, mailbox } = await start()
    const made = await owner.send('POST', '/users', { email: 'erada@example.com', name: 'Caio' })
    const { id } = made.json<{ id: string }>()
    const old = linkIn(await mailbox.find('erada@example.com'), '/invitation')
    const done = await correct(owner, id, { email: 'errada@example.com' })
    assert.deepEqual([done.json<{ email: string }>().email, done.json<{ verified_at: null }>().verified_at], ['errada@example.com', null])
    assert.ok(linkIn(await mailbox.find('errada@example.com'), '/invitation').startsWith('/invitation?ticket='))
    assert.equal((await service.browser().get(old)).status, 400)
  })

  it('is nobody’s who has not just signed in, nor a viewer’s, nor about users with a role unless an owner asks', async () => {
    const { service, owner } = await start()
    const { id } = await service.user('davi@example.com')
    const viewer = await adminOf(service, 'olha@example.com', 'viewer')
    assert.equal((await correct(viewer, id, { phone: null })).status, 403)
    const support = await adminOf(service, 'ajuda@example.com', 'support')
    assert.equal((await correct(support, id, { phone: null })).status, 200)
    assert.equal((await correct(support, owner.id, { phone: null })).status, 403)
    service.clock.now += 11 * 60_000
    assert.equal((await correct(support, id, { phone: null })).status, 403)
  })

  it('is a command as well: user correct, with a reason', async () => {
    const { service, where } = await start()
    const { id } = await service.user('eva@example.com')
    const portaria = commandLine(where, {
      PORTARIA_MASTER_KEY: MASTER_KEY,
      PORTARIA_URL: service.url,
      PORTARIA_SMTP_URL: 'smtp://127.0.0.1:1',
    })
    const line = (...more: string[]) => portaria(['user', 'correct', 'eva@example.com', ...more, '--reason', 'by telephone'])
    assert.match((await line('--phone', '21 98765-4321')).out, /^Corrected\./)
    assert.equal((await portaria(`user show ${id} --json`)).json.phone, '+5521987654321')
    assert.match((await line('--new-email', 'eva2@example.com')).out, /takes effect once its owner has signed in/)
    assert.match((await line('--tax-id', '123')).err, /no CPF or CNPJ/)
    assert.match((await line()).err, /nothing to correct/)
    assert.equal((await portaria(['user', 'correct', 'eva@example.com', '--phone', '1'])).code, 2)
  })
})
