import assert from 'node:assert/strict'
import { it } from 'node:test'
import type { PasswordHasher } from '../../../src/users/index.ts'
import { hiddenFlow } from '../../support/browser.ts'
import { eachDatabase } from '../../support/databases.ts'
import { codeIn, linkIn, startMailbox } from '../../support/mailbox.ts'
import { holdNextAnswer } from '../../support/routes/asked-queries.ts'
import { countedPasswords, mint } from '../../support/routes/raw-requests.ts'
import { PASSWORD, startService, type TestService } from '../../support/service.ts'
import { giveSecondFactor, typeCode } from '../../support/users/authenticator.ts'
import { assertOwnRedirect } from '../../support/users/sign-in-steps.ts'

const ANA = 'ana@exemplo.com.br'
const THEIRS = 'atacante@exemplo.com.br'
const NEW = 'girassol azul no telhado'
const WORSE = 'girassol roxo no porao'
const times = (n: number) => Array.from({ length: n }, (_, i) => i)
const ticketOf = (link: string) => new URL(link, 'http://x').searchParams.get('ticket') ?? ''

eachDatabase('Whoever knows the password of somebody else', (database) => {
  async function begin({
    environment = {},
    passwords = countedPasswords(),
  }: {
    environment?: Record<string, string>
    passwords?: PasswordHasher
  } = {}) {
    const mailbox = await startMailbox()
    const options = { environment: { PORTARIA_SMTP_URL: mailbox.url, ...environment }, passwords, clock: { now: Date.now() } }
    const service = await startService(await database.fresh(), options)
    const ana = await service.user(ANA)
    const enter = async (email = ANA, headers: Record<string, string> = {}) => {
      const browser = service.browser(headers)
      assert.equal((await browser.signIn('/login', { email, password: PASSWORD })).status, 302)
      return browser
    }
    return { mailbox, service, ana, enter }
  }
  const emailOf = async (service: TestService, id: string) =>
    (await service.context.storage.db.selectFrom('users').select('email').where('id', '=', id).executeTakeFirst())?.email
  const canSignIn = async (service: TestService, password: string) =>
    (await service.browser().signIn('/login', { email: ANA, password })).status === 302
  const count = async (service: TestService, purpose: string) =>
    (await service.context.storage.db.selectFrom('tickets').select('id').where('purpose', '=', purpose).execute()).length

  it('25: and moved the account to an own mailbox can’t void the way back of the owner from there', async () => {
    const { mailbox, service, ana, enter } = await begin()
    const attacker = await enter()
    assert.equal((await attacker.submit('/account/email', { email: THEIRS })).status, 200)
    const confirm = ticketOf(linkIn(await mailbox.find(THEIRS), '/confirm-email'))
    assert.equal((await attacker.submit('/confirm-email', { ticket: confirm })).status, 200)
    const back = ticketOf(linkIn(await mailbox.find(ANA, ({ text }) => text?.includes('/report-sign-in') ?? false), '/report-sign-in'))
    await enter(THEIRS)
    const own = ticketOf(linkIn(await mailbox.find(THEIRS, ({ text }) => text?.includes('/report-sign-in') ?? false), '/report-sign-in'))
    assert.equal((await attacker.submit('/report-sign-in', { ticket: own })).status, 200)
    assert.equal((await service.browser().submit('/report-sign-in', { ticket: back })).status, 200)
    assert.equal(await emailOf(service, ana.id), ANA)
    assert.equal(await count(service, 'report_sign_in'), 0, 'the way back voids all that came after it')
  })

  it('25: sets no password with a request begun before the owner’s new one and finished after it', async () => {
    const held = Promise.withResolvers<void>()
    const hashing = Promise.withResolvers<void>()
    const plain = countedPasswords()
    const hash = async (password: string) => {
      if (password === WORSE) {
        hashing.resolve()
        await held.promise
      }
      return plain.hash(password)
    }
    const { service, ana, enter } = await begin({ passwords: { ...plain, hash } })
    const attacker = await enter()
    const changing = attacker.submit('/account/password', { password: WORSE })
    await hashing.promise
    const { secret } = await mint(service, { purpose: 'reset_password', userId: ana.id, email: ANA })
    assert.equal((await service.browser().submit('/reset-password', { ticket: secret, password: NEW })).status, 302)
    held.resolve()
    assert.equal((await changing).location?.pathname, '/login')
    assert.ok(!(await canSignIn(service, WORSE)))
    assert.ok(await canSignIn(service, NEW))
  })

  it('25: begins no change of address with a request begun before the owner’s new password and finished after it', async () => {
    const { service, ana, enter } = await begin()
    const attacker = await enter()
    const { asked, goOn } = holdNextAnswer(service, /"rate_limits"/)
    const changing = attacker.submit('/account/email', { email: THEIRS })
    await asked
    const { secret } = await mint(service, { purpose: 'reset_password', userId: ana.id, email: ANA })
    assert.equal((await service.browser().submit('/reset-password', { ticket: secret, password: NEW })).status, 302)
    goOn()
    assert.equal((await changing).location?.pathname, '/login')
    assert.equal(await count(service, 'change_email'), 0)
  })

  it('11: gets no address proven by a click of its owner: a change confirmed elsewhere asks to sign in to the account', async () => {
    const { mailbox, service, enter } = await begin()
    const other = await service.user('outra@exemplo.com.br')
    const attacker = await enter(other.email)
    const victim = 'vitima@exemplo.com.br'
    assert.equal((await attacker.submit('/account/email', { email: victim })).status, 200)
    const link = linkIn(await mailbox.find(victim), '/confirm-email')
    const ticket = ticketOf(link)
    for (const browser of [service.browser(), await enter(ANA)]) {
      for (const sent of [await browser.get(link), await browser.submit('/confirm-email', { ticket, current_password: PASSWORD })]) {
        const page = await browser.get(assertOwnRedirect(sent, '/login'))
        assert.match(page.text, /Entre para confirmar o e-mail/)
        assert.doesNotMatch(page.text, /outra@exemplo/)
        assert.ok(!page.text.includes(ticket))
      }
      // Signing in to an account of one's own does not help: it has to be that one.
      const own = await browser.follow(await browser.signIn(link, { email: ANA, password: PASSWORD }))
      assert.match(own.text, /Entre para confirmar o e-mail/)
      assert.equal((await browser.submit('/confirm-email', { ticket })).status, 302)
      assert.equal(await emailOf(service, other.id), other.email)
    }
    const elsewhere = service.browser()
    const shown = await elsewhere.follow(await elsewhere.signIn(link, { email: other.email, password: PASSWORD }))
    assert.equal(shown.status, 200)
    assert.equal(await emailOf(service, other.id), other.email, 'coming back alone changes nothing')
    assert.equal((await elsewhere.submit('/confirm-email', { ticket })).status, 200)
    assert.equal(await emailOf(service, other.id), victim)
  })

  it('11: gets no unverified address of theirs proven either: its link is good in a session of that very account alone', async () => {
    const { mailbox, service, ana, enter } = await begin()
    const { db } = service.context.storage
    await db.updateTable('users').set({ email_verified_at: null }).where('id', '=', ana.id).execute()
    const other = await service.user('outra@exemplo.com.br')
    const attacker = await enter()
    assert.equal((await attacker.submit('/account/email/confirm', {})).status, 200)
    const link = linkIn(await mailbox.find(ANA, ({ text }) => text?.includes('/confirm-email') ?? false), '/confirm-email')
    const verified = async () =>
      (await db.selectFrom('users').select('email_verified_at').where('id', '=', ana.id).executeTakeFirstOrThrow()).email_verified_at
    for (const browser of [service.browser(), await enter(other.email)]) {
      assertOwnRedirect(await browser.get(link), '/login')
      assertOwnRedirect(await browser.submit('/confirm-email', { ticket: ticketOf(link) }), '/login')
      assert.equal(await verified(), null)
    }
    assertOwnRedirect(await service.browser().submit('/account/email/confirm', {}), '/login')
    assert.equal(await count(service, 'change_email'), 1, 'the link is still good')
  })

  it('writes three mails an hour to the account’s own address, by the button and by the form together, and none to a verified one', async () => {
    const { mailbox, service, ana, enter } = await begin()
    const browser = await enter()
    const sent = async (path: string) => (await browser.submit(path, { email: ANA })).status
    const known = await browser.submit('/account/email', { email: ANA.toUpperCase() })
    assert.equal(known.status, 400)
    assert.match(known.text, /Este já é o e-mail da sua conta/)
    assertOwnRedirect(await browser.submit('/account/email/confirm', {}), '/account')
    assert.equal(await count(service, 'change_email'), 0)
    await service.context.storage.db.updateTable('users').set({ email_verified_at: null }).where('id', '=', ana.id).execute()
    const [button, form] = ['/account/email/confirm', '/account/email']
    assert.deepEqual(
      [await sent(button), await sent(form), await sent(button), await sent(button), await sent(form)],
      [200, 200, 200, 429, 429],
    )
    await mailbox.find(ANA, ({ subject }) => subject === 'Confirme o e-mail da sua conta')
    assert.equal(await count(service, 'change_email'), 1, 'of several mails the last link is good')
  })

  it('24: voids no link of the owner’s by the button, with a session alone, and uses up none of their changes of address', async () => {
    const { service, ana, enter } = await begin()
    const { db } = service.context.storage
    await db.updateTable('users').set({ email_verified_at: null }).where('id', '=', ana.id).execute()
    const browser = await enter()
    const change = async (email: string) => (await browser.submit('/account/email', { email })).status
    assert.equal(await change(THEIRS), 200)
    for (const purpose of ['reset_password', 'invitation'] as const) await mint(service, { purpose, userId: ana.id, email: ANA })
    const pressed: number[] = []
    for (const _ of times(4)) pressed.push((await browser.submit('/account/email/confirm', {})).status)
    assert.deepEqual(pressed, [200, 200, 200, 429])
    const left = await db.selectFrom('tickets').select(['purpose', 'email']).where('user_id', '=', ana.id).execute()
    assert.deepEqual(
      left
        .filter(({ purpose }) => purpose !== 'report_sign_in')
        .map(({ purpose, email }) => `${purpose} ${email}`)
        .sort(),
      [`change_email ${ANA}`, `change_email ${THEIRS}`, `invitation ${ANA}`, `reset_password ${ANA}`],
    )
    assert.deepEqual([await change('um@exemplo.com.br'), await change('dois@exemplo.com.br')], [200, 200])
    assert.equal(await change('tres@exemplo.com.br'), 429)
    assert.equal(await count(service, 'change_email'), 1, 'a change of address voids what was mailed before')
  })

  it('11, 26: confirms a new address elsewhere with no password alone, where the account has a second factor', async () => {
    const { mailbox, service, ana } = await begin()
    const app = await giveSecondFactor(service, ana)
    const owner = service.browser()
    assert.equal((await typeCode(owner, await owner.signIn('/login', { email: ANA, password: PASSWORD }), app.code())).status, 302)
    assert.equal((await owner.submit('/account/email', { email: THEIRS })).status, 200)
    const link = linkIn(await mailbox.find(THEIRS), '/confirm-email')
    const ticket = ticketOf(link)
    const elsewhere = service.browser()
    const first = await elsewhere.signIn(link, { email: ANA, password: PASSWORD })
    assertOwnRedirect(first, '/second-factor')
    assertOwnRedirect(await elsewhere.submit('/confirm-email', { ticket, current_password: PASSWORD }), '/login')
    assertOwnRedirect(await elsewhere.get(link), '/login')
    assert.equal(await emailOf(service, ana.id), ANA)
    const shown = await elsewhere.follow(await typeCode(elsewhere, first, app.code(30)))
    assert.match(shown.text, /action="\/confirm-email"/)
    assert.equal((await elsewhere.submit('/confirm-email', { ticket })).status, 200)
    assert.equal(await emailOf(service, ana.id), THEIRS)
  })

  it('24: changes no address with a session that ended while its page was open', async () => {
    const { service, enter, ana } = await begin()
    const { secret } = await mint(service, { purpose: 'change_email', userId: ana.id, email: THEIRS, payload: { from: ANA } })
    const browser = await enter()
    // From here on this node remembers the session, and does not know yet that it ended.
    assert.equal((await browser.get(`/confirm-email?ticket=${secret}`)).status, 200)
    await service.context.storage.db.updateTable('sessions').set({ ended_at: 1 }).execute()
    assertOwnRedirect(await browser.submit('/confirm-email', { ticket: secret }), '/login')
    assert.equal(await emailOf(service, ana.id), ANA)
    assert.equal(await count(service, 'change_email'), 1, 'the link is still good')
  })

  it('writes three mails an hour to a stranger’s address at most, however many accounts ask, and stops nobody beside them', async () => {
    const { service, enter } = await begin({ environment: { PORTARIA_TRUST_PROXY: '1' } })
    const users = await Promise.all(times(5).map((n) => service.user(`pessoa${n}@exemplo.com.br`)))
    const change = async ({ email }: { email: string }, to: string, from: string) =>
      (await (await enter(email, { 'x-forwarded-for': from })).submit('/account/email', { email: to })).status
    const flood: number[] = []
    for (const [n, one] of users.entries()) flood.push(await change(one, 'vitima@exemplo.com.br', `198.51.100.${n}`))
    assert.deepEqual(flood, [200, 200, 200, 429, 429])
    const neighbours: number[] = []
    for (const [n, one] of users.entries()) neighbours.push(await change(one, `nova${n}@exemplo.com.br`, '203.0.113.7'))
    assert.deepEqual(neighbours, [200, 200, 200, 200, 200])
  })

  it('39: of two accounts that confirm one address at once gets it for one, and the other hears that the link is no good', async () => {
    const { service, ana, enter } = await begin()
    const users = [ana, ...(await Promise.all(times(7).map((n) => service.user(`pessoa${n}@exemplo.com.br`))))]
    const tickets = await Promise.all(
      users.map(({ id, email }) => mint(service, { purpose: 'change_email', userId: id, email: THEIRS, payload: { from: email } })),
    )
    const answers = await Promise.all(
      tickets.map(async ({ secret }, n) => (await enter(users[n]?.email)).submit('/confirm-email', { ticket: secret })),
    )
    assert.deepEqual(answers.map(({ status }) => status).sort(), [200, 400, 400, 400, 400, 400, 400, 400])
  })

  it('8 (a text of others in our mail): puts no words of their own into the warning of a new device', async () => {
    const { mailbox, enter } = await begin()
    await enter()
    for (const agent of ['Conta bloqueada: ligue ja para evil.example/1.0 (x)', 'evil.example/2', 'Mozilla/5.0 (evil.example; x) y/1 z']) {
      mailbox.mails.length = 0
      await enter(ANA, { 'user-agent': agent })
      const { text = '', html = '' } = await mailbox.find(ANA)
      assert.match(text, /aparelho novo/i)
      assert.doesNotMatch(`${text}${html}`, /evil|bloqueada/i)
    }
  })

  it('buries no warning under others: ten new browsers an hour are reported', async () => {
    const { service, enter } = await begin()
    await enter()
    for (const _ of times(12)) await enter()
    assert.equal(await count(service, 'report_sign_in'), 10)
  })

  it('is reported to the owner also when the owner has not signed in for so long that no session is kept', async () => {
    const { mailbox, service, enter } = await begin()
    await enter()
    await service.context.storage.db.deleteFrom('sessions').execute()
    await enter()
    await mailbox.find(ANA, ({ text }) => text?.includes('/report-sign-in') ?? false)
  })
})

eachDatabase('Who had an account before its owner came', (database) => {
  it('11: leaves no agreement behind: the NDA is asked of the owner, and nobody is a beta user before', async () => {
    const mailbox = await startMailbox()
    const options = { environment: { PORTARIA_SMTP_URL: mailbox.url }, passwords: countedPasswords() }
    const service = await startService(await database.fresh(), options)
    const { id } = await service.user(ANA, { beta: true })
    const { db } = service.context.storage
    await db.updateTable('users').set({ email_verified_at: null }).where('id', '=', id).execute()
    await db.updateTable('beta_users').set({ nda_accepted_at: 1, nda_ip: '192.0.2.1', nda_version: 'x' }).execute()
    const owner = service.browser()
    const { secret } = await mint(service, { purpose: 'reset_password', userId: id, email: ANA })
    assert.equal((await owner.submit('/reset-password', { ticket: secret, password: NEW })).location?.pathname, '/complete-profile')
    const check = await owner.get('/auth/check')
    assert.equal(check.json<{ session: { is_beta: boolean } }>().session.is_beta, false)
    assert.deepEqual(
      { ...(await db.selectFrom('beta_users').select(['nda_accepted_at', 'nda_ip', 'nda_version']).executeTakeFirst()) },
      {
        nda_accepted_at: null,
        nda_ip: null,
        nda_version: null,
      },
    )
  })
})

eachDatabase('A stranger', (database) => {
  it('sends a hundred sign-up forms an hour from a network, right or wrong: to judge a password is work that all others wait for', async () => {
    const service = await startService(await database.fresh(), {
      environment: { PORTARIA_TRUST_PROXY: '1' },
      passwords: countedPasswords(),
    })
    const form = async (from: string) => {
      const browser = service.browser({ 'x-forwarded-for': from })
      const flow = hiddenFlow((await browser.get('/sign-up')).text)
      return async () => (await browser.submit('/sign-up', { flow, email: 'bia@exemplo.com.br', name: 'Bia', password: '12345678' })).status
    }
    const post = await form('198.51.100.1')
    const seen: number[] = []
    for (const _ of times(102)) seen.push(await post())
    assert.deepEqual(seen, [...times(100).map(() => 400), 429, 429])
    assert.equal(await (await form('198.51.100.2'))(), 400)
  })

  it('27: past the limit of their own network fills the counter of nobody else’s address', async () => {
    const mailbox = await startMailbox()
    const environment = { PORTARIA_SMTP_URL: mailbox.url, PORTARIA_TRUST_PROXY: '1' }
    const service = await startService(await database.fresh(), { environment, passwords: countedPasswords() })
    const post = async (path: '/sign-up' | '/recover', email: string, from: string) => {
      const browser = service.browser({ 'x-forwarded-for': from })
      const flow = hiddenFlow((await browser.get(path)).text)
      return (await browser.submit(path, { flow, email, name: 'Bia Souza', password: NEW })).status
    }
    for (const path of ['/sign-up', '/recover'] as const) {
      for (const n of times(20)) await post(path, `alguem${n}@exemplo.com.br`, '198.51.100.1')
      for (const _ of times(5)) assert.equal(await post(path, 'vitima@exemplo.com.br', '198.51.100.1'), 429)
      assert.ok((await post(path, 'vitima@exemplo.com.br', '198.51.100.2')) < 400, path)
    }
  })
})

eachDatabase('A sign-up', (database) => {
  it('is finished by its code or its link in the browser that began it until the hour of the mail is over', async () => {
    const mailbox = await startMailbox()
    const clock = { now: Date.now() }
    const options = { environment: { PORTARIA_SMTP_URL: mailbox.url }, passwords: countedPasswords(), clock }
    const service = await startService(await database.fresh(), options)
    const begun = async (email: string) => {
      const browser = service.browser()
      const flow = hiddenFlow((await browser.get('/sign-up')).text)
      const sent = await browser.submit('/sign-up', { flow, email, name: 'Bia Souza', password: NEW })
      const page = await browser.get(sent.location?.href ?? '')
      const mail = await mailbox.find(email)
      return { browser, flow: hiddenFlow(page.text), code: codeIn(mail), ticket: ticketOf(linkIn(mail, '/verify')) }
    }
    const [bia, caio, davi] = [await begun('bia@exemplo.com.br'), await begun('caio@exemplo.com.br'), await begun('davi@exemplo.com.br')]
    clock.now += 59 * 60_000
    assert.equal((await bia.browser.submit('/check-mail', { flow: bia.flow, code: bia.code })).status, 302)
    assert.equal((await caio.browser.submit('/verify', { ticket: caio.ticket })).status, 302)
    clock.now += 2 * 60_000
    assert.equal((await davi.browser.submit('/check-mail', { flow: davi.flow, code: davi.code })).status, 400)
    assert.equal((await davi.browser.submit('/verify', { ticket: davi.ticket })).status, 400)
  })
})
