import assert from 'node:assert/strict'
import { it } from 'node:test'
import { eachDatabase } from '../../../../test/support/databases.ts'
import { completed, notify, WEBHOOKS } from '../../../../test/support/gateways/purchases.ts'
import { linkIn, startMailbox } from '../../../../test/support/mailbox.ts'
import { startForSuite, type TestService } from '../../../../test/support/service.ts'
import { codeOf, typeCode } from '../../../../test/support/users/authenticator.ts'
import { ticketOf } from '../../../../test/support/users/mailed-service.ts'
import { check, sessionOf } from '../../../../test/support/users/sign-in-steps.ts'
import { createPasswordHasher } from '../../../users/passwords/passwords.ts'
import { readUsersFile } from './files/read-users-file.ts'
import { importUsers } from './import-users.ts'
import type { LineResult } from './judge-line.ts'

const PASSWORD = 'senha de Ana 1ç'
const HASH = '$P$Babcdefgh.xFw/fkCt8DTYfNHlBveV/'
const SECRET = 'GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ'
const mailbox = await startMailbox()

eachDatabase('An imported user', (database) => {
  const environment = { ...WEBHOOKS, PORTARIA_SMTP_URL: mailbox.url }
  const started = startForSuite(database, { environment, passwords: createPasswordHasher({ cores: 2 }) })

  async function importLine({ context }: TestService, user: object): Promise<LineResult[]> {
    const results: LineResult[] = []
    const file = new TextEncoder().encode(`${JSON.stringify(user)}\n`)
    const read = await readUsersFile(async function* () {
      yield file
    })
    if ('refused' in read) assert.fail(read.refused)
    const onLine = (result: LineResult) => results.push(result)
    const deps = { ...context, taxIdKey: context.masterKeys.taxIdIndex, actor: 'operator:cli', onLine } as const
    await importUsers(read.records, { mode: 'write', identities: 'import' }, deps)
    return results
  }

  it('signs in with the old password and the codes of the old app, each code once', async () => {
    const service = started()
    const ana = { email: 'ana@exemplo.com.br', email_verified: true, password_hash: HASH, totp_secret: SECRET, language: 'es' }
    const [line] = await importLine(service, ana)
    assert.equal(line?.outcome, 'added')
    const browser = service.browser()
    const first = await browser.signIn('/login', { email: ana.email, password: PASSWORD })
    assert.equal(first.location?.pathname, '/second-factor')
    const wrong = await typeCode(browser, first, codeOf(SECRET, service.clock.now - 600_000))
    assert.notEqual(wrong.status, 302)
    const code = codeOf(SECRET, service.clock.now)
    const entered = await typeCode(browser, first, code)
    assert.equal(entered.location?.pathname, '/complete-profile')
    const other = service.browser()
    const again = await typeCode(other, await other.signIn('/login', { email: ana.email, password: PASSWORD }), code)
    assert.notEqual(again.status, 302)
  })
  it('whose address was not verified confirms it by one click and a mail, keeps password and phone, and gets what was bought', async () => {
    const service = started()
    const email = `bia.${database.name}@exemplo.com.br`
    await notify(service.url, completed({ email, plan: 'easy-pro' }))
    assert.equal((await importLine(service, { email, password_hash: HASH, phone: '+5511912345678' }))[0]?.outcome, 'added')
    const { db } = service.context.storage
    const row = () => db.selectFrom('users').selectAll().where('email', '=', email).executeTakeFirstOrThrow()
    const browser = service.browser()
    assert.equal((await browser.signIn('/login', { email, password: PASSWORD })).status, 302)
    const planOf = async () =>
      ((await check(service, `eg_session=${sessionOf(browser)}`)) as { session?: { plan_slug: unknown } }).session?.plan_slug
    const before = await row()
    assert.deepEqual([before.email_verified_at, await planOf()], [null, null])
    for (const page of ['/account', '/account/purchases', '/account/email'])
      assert.match((await browser.get(page)).text, /<form method="post" action="\/account\/email\/confirm">/, page)
    const sent = await browser.submit('/account/email/confirm', {})
    assert.match(sent.text, /<h1>Confirme seu e-mail<\/h1>/)
    const mail = await mailbox.find(email, ({ subject }) => subject === 'Confirme o e-mail da sua conta')
    const ticket = ticketOf(linkIn(mail, '/confirm-email'))
    assert.match((await browser.get(`/confirm-email?ticket=${ticket}`)).text, /<h1>Confirme seu e-mail<\/h1>/)
    assert.deepEqual([(await row()).email_verified_at, await planOf()], [null, null], 'looking confirms nothing')
    const done = await browser.submit('/confirm-email', { ticket })
    assert.equal(done.status, 200)
    assert.match(done.text, /<h1>E-mail confirmado<\/h1>/)
    const after = await row()
    assert.deepEqual([after.email_verified_at, await planOf()], [service.clock.now, 'easy-pro'])
    assert.deepEqual([after.email, after.password_hash], [email, before.password_hash])
    const { phone } = await db.selectFrom('users_company').select('phone').where('user_id', '=', after.id).executeTakeFirstOrThrow()
    assert.equal(phone, '+5511912345678')
    const entries = await db.selectFrom('audit').select(['action', 'actor']).where('target', '=', after.id).execute()
    assert.deepEqual(entries.at(-1), { action: 'user.change', actor: `user:${after.id}` })
    assert.equal((await browser.submit('/confirm-email', { ticket })).status, 400, 'the link is good once')
    assert.doesNotMatch((await browser.get('/account')).text, /account\/email\/confirm/)
    assert.equal((await service.browser().signIn('/login', { email, password: PASSWORD })).status, 302)
  })
})
