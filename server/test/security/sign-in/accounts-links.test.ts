import assert from 'node:assert/strict'
import { it } from 'node:test'
import { findUser, setUserPassword } from '../../../src/admin/index.ts'
import { listAudit } from '../../../src/audit/index.ts'
import type { TicketPurpose } from '../../../src/users/tickets/ticket-purpose.ts'
import { hiddenFlow } from '../../support/browser.ts'
import { eachDatabase } from '../../support/databases.ts'
import { codeIn } from '../../support/mailbox.ts'
import { assertNothingInside, dumpDatabase, mint } from '../../support/routes/raw-requests.ts'
import { PASSWORD, type TestService } from '../../support/service.ts'
import { ANA, canSignIn, mailedService, NEW, userOf } from '../../support/users/mailed-service.ts'

eachDatabase('What a mailed link opens', (database) => {
  const begin = mailedService(database)

  it('22, 39 (a ticket for another purpose): each opens its own page alone, and no other use of it changes anything', async () => {
    const { service, ana } = await begin()
    const payload = { name: 'Ana', flow: 'x', passwordHash: `plain:${NEW}`, from: ANA }
    const places = {
      sign_up: '/verify',
      reset_password: '/reset-password',
      invitation: '/invitation',
      change_email: '/confirm-email',
      report_sign_in: '/report-sign-in',
      undo_deletion: '/undo-deletion',
    } satisfies Record<TicketPurpose, string>
    for (const purpose of Object.keys(places) as TicketPurpose[]) {
      const { id, secret, code } = await mint(service, { purpose, userId: ana.id, email: ANA, payload })
      const before = await dumpDatabase(service)
      for (const [other, path] of Object.entries(places)) {
        const tickets = other === purpose ? [id, code, '', secret.slice(0, -1), `${secret}x`, secret.toUpperCase()] : [secret]
        for (const ticket of tickets) {
          const browser = service.browser()
          assert.equal((await browser.get(`${path}?ticket=${ticket}`)).status, 400, `${purpose} at GET ${path}`)
          const posted = await browser.submit(path, { ticket, password: NEW })
          assert.equal(posted.status, 400, `${purpose} at POST ${path}`)
          assertNothingInside(posted.text, path)
          assert.equal(await userOf(service, browser.cookies.get('eg_session')), undefined)
        }
      }
      for (const token of [secret, id]) {
        assert.equal(await userOf(service, token), undefined)
        const me = await fetch(`${service.url}/api/me`, { headers: { authorization: `Bearer ${token}` } })
        assert.equal(me.status, 401)
      }
      const without = (dump: string) => dump.replace(/"limits":\[.*?\]/g, '')
      assert.equal(without(await dumpDatabase(service)), without(before), purpose)
      // A new address is confirmed by its account alone: anyone else is asked to sign in to it.
      const opened = (await service.browser().get(`${places[purpose]}?ticket=${secret}`)).status
      assert.equal(opened, purpose === 'change_email' ? 302 : 200)
    }
  })

  it('39: a code typed for another ticket, or another kind of ticket, is wrong', async () => {
    const { mailbox, browser, service, ana, signUp } = await begin()
    const first = await signUp('bia@exemplo.com.br')
    const second = await signUp('caio@exemplo.com.br')
    const [bia, caio] = [await mailbox.find('bia@exemplo.com.br'), await mailbox.find('caio@exemplo.com.br')]
    const flowOf = async (url: URL | undefined) => hiddenFlow((await browser.get(url?.href ?? '')).text)
    if (codeIn(bia) !== codeIn(caio)) {
      assert.equal((await browser.submit('/check-mail', { flow: await flowOf(first.location), code: codeIn(caio) })).status, 400)
      assert.equal((await browser.submit('/check-mail', { flow: await flowOf(second.location), code: codeIn(bia) })).status, 400)
    }
    const { code } = await mint(service, { purpose: 'reset_password', userId: ana.id, email: ANA })
    const answer = await browser.submit('/check-mail', { flow: await flowOf(first.location), code })
    assert.equal(answer.status, code === codeIn(bia) ? 302 : 400)
  })

  for (const [what, change] of [
    ['a new password', (service: TestService) => changePassword(service)],
    ['a password set by the operator', (service: TestService, id: string) => setByOperator(service, id)],
    ['a password set by link', (service: TestService, id: string) => useTicket(service, id, 'reset_password', '/reset-password')],
    ['an accepted invitation', (service: TestService, id: string) => useTicket(service, id, 'invitation', '/invitation')],
    [
      'a new address',
      (service: TestService, id: string) => useTicket(service, id, 'change_email', '/confirm-email', 'nova@exemplo.com.br'),
    ],
    ['"this was not me"', (service: TestService, id: string) => useTicket(service, id, 'report_sign_in', '/report-sign-in')],
  ] as const) {
    it(`25 (old links live on): ${what} voids every link that was mailed before`, async () => {
      const { service, ana } = await begin()
      const elsewhere = service.browser()
      await elsewhere.signIn('/login', { email: ANA, password: PASSWORD })
      const old = [
        ['/reset-password', (await mint(service, { purpose: 'reset_password', userId: ana.id, email: ANA })).secret],
        ['/invitation', (await mint(service, { purpose: 'invitation', userId: ana.id, email: ANA })).secret],
        ['/confirm-email', (await mint(service, { purpose: 'change_email', userId: ana.id, email: 'velha@exemplo.com.br' })).secret],
      ] as const
      await change(service, ana.id)
      for (const [path, ticket] of old)
        assert.equal((await service.browser().submit(path, { ticket, password: `${NEW} 2` })).status, 400, path)
      assert.equal(await userOf(service, elsewhere.cookies.get('eg_session')), undefined, 'a session of before lives')
      const { email } = await service.context.storage.db.selectFrom('users').select('email').executeTakeFirstOrThrow()
      assert.notEqual(email, 'velha@exemplo.com.br')
    })
  }

  async function changePassword(service: TestService) {
    const browser = service.browser()
    await browser.signIn('/login', { email: ANA, password: PASSWORD })
    assert.equal((await browser.submit('/account/password', { password: NEW })).status, 200)
  }

  async function setByOperator({ context }: TestService, id: string) {
    const user = await findUser(context.storage.db, id)
    assert.ok(user && !('refusal' in (await setUserPassword(user, NEW, { ...context, actor: 'operator:test' }))))
  }

  async function useTicket(service: TestService, userId: string, purpose: TicketPurpose, path: string, email = ANA) {
    const { secret } = await mint(service, { purpose, userId, email })
    const browser = service.browser()
    if (purpose === 'change_email') await browser.signIn('/login', { email: ANA, password: PASSWORD })
    const { status, location } = await browser.submit(path, { ticket: secret, password: NEW })
    assert.ok(status < 400 && location?.pathname !== '/login', `${status} ${location}`)
  }

  it('25: "this was not me" closes the ways in that a stranger may have made: the password and every link to a provider', async () => {
    const { service, ana } = await begin()
    const identity = { issuer: 'https://idp.example', subject: 'attacker', user_id: ana.id, email: null, created_at: 1 }
    await service.context.storage.db.insertInto('identities').values(identity).execute()
    await useTicket(service, ana.id, 'report_sign_in', '/report-sign-in')
    assert.ok(!(await canSignIn(service, PASSWORD)))
    assert.equal(await service.context.storage.db.selectFrom('identities').selectAll().executeTakeFirst(), undefined)
  })

  it('25: a link to an address that is not the account’s any more sets no password', async () => {
    const { service, ana } = await begin()
    const { secret } = await mint(service, { purpose: 'reset_password', userId: ana.id, email: 'antiga@exemplo.com.br' })
    assert.equal((await service.browser().submit('/reset-password', { ticket: secret, password: NEW })).status, 400)
    assert.ok(await canSignIn(service, PASSWORD))
  })

  it('an invitation stands in the audit log once it is accepted, and as nothing else', async () => {
    const { service } = await begin()
    const { db } = service.context.storage
    const { id, email } = await service.user('bia@exemplo.com.br')
    const actionsOf = async () => (await listAudit(db, { limit: 99, target: id })).filter(({ action }) => action.startsWith('user.'))
    for (const verifiedAt of [null, 1]) {
      await db.updateTable('users').set({ email_verified_at: verifiedAt }).where('id', '=', id).execute()
      const before = new Set((await actionsOf()).map((action) => action.id))
      await useTicket(service, id, 'invitation', '/invitation', email)
      const made = (await actionsOf()).filter((action) => !before.has(action.id))
      const recorded = made.map(({ actor, action, ip }) => [actor, action, ip !== undefined])
      assert.deepEqual(recorded, [[`user:${id}`, 'user.accept_invitation', true]])
    }
  })

  it('23 (a disabled user is served): no ticket opens a disabled account, and no mail is sent to it', async () => {
    const { mailbox, service, ana, recover } = await begin()
    await service.context.storage.db.updateTable('users').set({ disabled_at: 1 }).where('id', '=', ana.id).execute()
    for (const [purpose, path] of [
      ['reset_password', '/reset-password'],
      ['invitation', '/invitation'],
      ['change_email', '/confirm-email'],
    ] as const) {
      const email = purpose === 'change_email' ? 'nova@exemplo.com.br' : ANA
      const { secret } = await mint(service, { purpose, userId: ana.id, email })
      assert.equal((await service.browser().submit(path, { ticket: secret, password: NEW })).status, 400, path)
    }
    await recover(ANA)
    await recover((await service.user('caio@exemplo.com.br')).email)
    await mailbox.find('caio@exemplo.com.br')
    assert.ok(!mailbox.mails.some(({ recipient }) => recipient === ANA))
  })

  it('39: a change of address ends at nobody else’s account, though it was free when it began', async () => {
    const { service, ana } = await begin()
    const { secret } = await mint(service, {
      purpose: 'change_email',
      userId: ana.id,
      email: 'caio@exemplo.com.br',
      payload: { from: ANA },
    })
    const caio = await service.user('caio@exemplo.com.br')
    const browser = service.browser()
    await browser.signIn('/login', { email: ANA, password: PASSWORD })
    const gone = await browser.submit('/confirm-email', { ticket: secret })
    assert.equal(gone.status, 400)
    assert.match(gone.text, /Peça outro link na sua conta/, 'a confirmation of one’s own address was no change')
    assert.match(gone.text, /<a class="button" href="\/account">/)
    const rows = await service.context.storage.db.selectFrom('users').select(['id', 'email']).execute()
    assert.deepEqual(
      new Map(rows.map(({ id, email }) => [id, email])),
      new Map([
        [ana.id, ANA],
        [caio.id, caio.email],
      ]),
    )
  })

  it('W2: a mailed link has twenty passwords judged in an hour, whatever network asks, and is as good afterwards', async () => {
    const { service, ana, clock, passwords } = await begin({ PORTARIA_TRUST_PROXY: '1' })
    for (const [purpose, path] of [
      ['reset_password', '/reset-password'],
      ['invitation', '/invitation'],
    ] as const) {
      const { secret } = await mint(service, { purpose, userId: ana.id, email: ANA })
      const post = (n: number, password: string) =>
        service.browser({ 'x-forwarded-for': `198.51.${purpose.length}.${n}` }).submit(path, { ticket: secret, password })
      const statuses = await Promise.all(Array.from({ length: 30 }, async (_, n) => (await post(n, '12345678')).status))
      assert.deepEqual([statuses.filter((one) => one === 400).length, statuses.filter((one) => one === 429).length], [20, 10])
      const hashed = passwords.hashed()
      const refused = await post(99, NEW)
      assert.equal(refused.status, 429)
      assert.ok(Number(refused.headers.get('retry-after')) > 0)
      assert.equal(passwords.hashed(), hashed)
      await service.context.storage.db
        .updateTable('tickets')
        .set({ expires_at: clock.now + 7_200_000 })
        .execute()
      clock.now += 3_600_000
      assert.equal((await post(1, NEW)).status, 302)
    }
  })

  it('W2: a network has a hundred passwords judged in an hour by mailed links', async () => {
    const { service, ana } = await begin()
    const statuses: number[] = []
    for (let n = 0; n < 6; n++) {
      const { secret } = await mint(service, { purpose: 'reset_password', userId: ana.id, email: ANA })
      for (let i = 0; i < 18; i++)
        statuses.push((await service.browser().submit('/reset-password', { ticket: secret, password: 'x' })).status)
    }
    assert.deepEqual([statuses.slice(0, 100).every((one) => one === 400), statuses.slice(100).every((one) => one === 429)], [true, true])
  })
})
