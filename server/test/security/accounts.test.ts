import assert from 'node:assert/strict'
import { it } from 'node:test'
import { queueInvitation } from '../../src/accounts/index.ts'
import type { TicketPurpose } from '../../src/accounts/ticket.ts'
import { addJob } from '../../src/outbox/index.ts'
import { hiddenFlow } from '../browser.ts'
import { eachDatabase } from '../databases.ts'
import { codeIn, linkIn, startMailbox } from '../mailbox.ts'
import { PASSWORD, startService, type TestService } from '../service.ts'
import { assertNothingInside, countedPasswords, dumpDatabase, mint, openForm, recordQueries, request, stopOutbox } from './tools.ts'

const NEW = 'girassol azul no telhado'
const ANA = 'ana@exemplo.com.br'
const times = (n: number) => Array.from({ length: n }, (_, i) => i)
const ticketOf = (link: string) => new URL(link, 'http://x').searchParams.get('ticket') ?? ''

eachDatabase('Mails and what they open', (database) => {
  async function begin(environment: Record<string, string> = {}) {
    const mailbox = await startMailbox()
    const passwords = countedPasswords()
    const clock = { now: Date.now() }
    const options = { environment: { PORTARIA_SMTP_URL: mailbox.url, ...environment }, passwords, clock }
    const service = await startService(await database.fresh(), options)
    const ana = await service.user(ANA)
    const browser = service.browser()
    const signUp = async (email: string, { password = NEW, as = browser } = {}) =>
      as.submit('/sign-up', { flow: hiddenFlow((await as.get('/sign-up')).text), name: 'Bia Souza', email, password })
    const recover = async (email: string, as = browser) =>
      as.submit('/recover', { flow: hiddenFlow((await as.get('/recover')).text), email })
    return { mailbox, service, passwords, clock, ana, browser, signUp, recover }
  }
  const userOf = async (service: TestService, token: string | undefined) => {
    const check = await fetch(`${service.url}/auth/check`, { headers: { cookie: `eg_session=${token}` } })
    return ((await check.json()) as { session?: { sub: string } }).session?.sub
  }
  const canSignIn = async (service: TestService, password: string, email = ANA) =>
    (await service.browser().signIn('/login', { email, password })).status === 302

  it('9 (a forged host in a mail): all links are made from PORTARIA_URL, whatever host a request names', async () => {
    const { mailbox, service, ana, browser } = await begin()
    await browser.signIn('/login', { email: ANA, password: PASSWORD })
    const forged = {
      host: 'evil.example',
      'x-forwarded-host': 'evil.example',
      'x-forwarded-proto': 'http',
      'x-forwarded-port': '6666',
      'x-original-url': 'https://evil.example/',
      'x-host': 'evil.example',
      forwarded: 'for=1.2.3.4;host=evil.example;proto=http',
    }
    const post = async (path: string, fields: Record<string, string>) => {
      const cookie = [...browser.cookies].map(([name, value]) => `${name}=${value}`).join('; ')
      const own = { origin: service.url, 'sec-fetch-site': 'same-origin', 'content-type': 'application/x-www-form-urlencoded', cookie }
      const answer = await request(service, 'POST', path, { headers: { ...own, ...forged }, body: new URLSearchParams(fields).toString() })
      assert.ok(answer.status === 200 || answer.status === 302, `${path}: ${answer.status}`)
      assert.doesNotMatch(`${answer.head}${answer.body}`, /evil\.example/)
    }
    await post('/sign-up', {
      flow: hiddenFlow((await browser.get('/sign-up')).text),
      name: 'Bia',
      email: 'bia@exemplo.com.br',
      password: NEW,
    })
    await post('/sign-up', { flow: hiddenFlow((await browser.get('/sign-up')).text), name: 'Ana', email: ANA, password: NEW })
    await post('/recover', { flow: hiddenFlow((await browser.get('/recover')).text), email: ANA })
    await post('/account/email', { email: 'nova@exemplo.com.br', current_password: PASSWORD })
    await post('/account/password', { current_password: PASSWORD, password: NEW })
    const { secret } = await mint(service, {
      purpose: 'change_email',
      userId: ana.id,
      email: 'nova@exemplo.com.br',
      payload: { from: ANA },
    })
    await post('/confirm-email', { ticket: secret })
    for (const path of ['/verify', '/login', '/reset-password', '/recover', '/confirm-email', '/not-me']) await findLinkTo(path)
    async function findLinkTo(path: string) {
      for (let tries = 0; tries < 100; tries++) {
        const text = mailbox.mails.map((mail) => `${mail.text}${mail.html}`).join()
        assert.doesNotMatch(text, /evil\.example|:6666/)
        if (text.includes(`${service.url}${path}`)) return
        await new Promise((resolve) => setTimeout(resolve, 50))
      }
      assert.fail(`no mail links to ${path}`)
    }
  })

  it('11 (an account made in advance): who began a sign-up with the address of another has nothing once its owner has', async () => {
    const { mailbox, service, signUp } = await begin()
    const attacker = service.browser()
    const begun = await signUp('vitima@exemplo.com.br', { password: `${NEW} attacker`, as: attacker })
    const flow = hiddenFlow((await attacker.get(begun.location?.href ?? '')).text)
    const mail = await mailbox.find('vitima@exemplo.com.br')
    const victim = service.browser()
    const own = await signUp('vitima@exemplo.com.br', { as: victim })
    const second = await mailbox.find('vitima@exemplo.com.br', ({ text }) => text !== mail.text)
    const done = await victim.submit('/check-mail', {
      flow: hiddenFlow((await victim.get(own.location?.href ?? '')).text),
      code: codeIn(second),
    })
    assert.equal(done.status, 302)
    const ticket = ticketOf(linkIn(mail, '/verify'))
    assert.equal((await attacker.submit('/check-mail', { flow, code: codeIn(mail) })).status, 400)
    assert.equal((await attacker.submit('/verify', { ticket })).status, 400)
    assert.equal((await victim.submit('/verify', { ticket, password: `${NEW} attacker` })).status, 400)
    assert.equal(await userOf(service, attacker.cookies.get('eg_session')), undefined)
    assert.ok(!(await canSignIn(service, `${NEW} attacker`, 'vitima@exemplo.com.br')))
    assert.ok(await canSignIn(service, NEW, 'vitima@exemplo.com.br'))
  })

  it('11: a code is good in the browser that asked for it alone', async () => {
    const { mailbox, service, browser, signUp } = await begin()
    const begun = await signUp('bia@exemplo.com.br')
    const flow = hiddenFlow((await browser.get(begun.location?.href ?? '')).text)
    const code = codeIn(await mailbox.find('bia@exemplo.com.br'))
    const other = service.browser()
    await signUp('bia@exemplo.com.br', { as: other })
    assert.equal((await other.submit('/check-mail', { flow, code })).status, 400)
    assert.equal((await service.browser().submit('/check-mail', { flow, code })).status, 400)
    assert.equal((await browser.submit('/check-mail', { flow, code })).status, 302)
  })

  it('14 (session fixation): every way in by mail gives new cookies, and what was planted before opens nothing', async () => {
    const { service, ana } = await begin()
    const planted = service.browser()
    await planted.signIn('/login', { email: (await service.user('atacante@exemplo.com.br')).email, password: PASSWORD })
    for (const purpose of ['reset_password', 'invitation'] as const) {
      const victim = service.browser()
      for (const [name, value] of planted.cookies) victim.cookies.set(name, value)
      const { secret } = await mint(service, { purpose, userId: ana.id, email: ANA })
      const path = purpose === 'invitation' ? '/invitation' : '/reset-password'
      assert.equal((await victim.submit(path, { ticket: secret, password: NEW })).status, 302)
      assert.equal(await userOf(service, victim.cookies.get('eg_session')), ana.id)
      assert.notEqual(await userOf(service, planted.cookies.get('eg_session')), ana.id)
      const account = await planted.get('/account')
      assert.doesNotMatch(account.text, /ana@exemplo/)
    }
  })

  it('15 (a form of another site): nothing is begun, proven, set or changed by a post from elsewhere', async () => {
    const { mailbox, service, ana, browser } = await begin()
    await browser.signIn('/login', { email: ANA, password: PASSWORD })
    const flow = hiddenFlow((await browser.get('/sign-up')).text)
    const secret = async (purpose: TicketPurpose) => (await mint(service, { purpose, userId: ana.id, email: ANA })).secret
    const forms: Array<[string, Record<string, string>]> = [
      ['/sign-up', { flow, name: 'Bia', email: 'bia@exemplo.com.br', password: NEW }],
      ['/check-mail', { flow, code: '000000' }],
      ['/verify', { ticket: await secret('sign_up') }],
      ['/recover', { flow, email: ANA }],
      ['/reset-password', { ticket: await secret('reset_password'), password: NEW }],
      ['/invitation', { ticket: await secret('invitation'), password: NEW }],
      ['/not-me', { ticket: await secret('not_me') }],
      ['/confirm-email', { ticket: await secret('change_email') }],
      ['/account/password', { current_password: PASSWORD, password: NEW }],
      ['/account/email', { current_password: PASSWORD, email: 'nova@exemplo.com.br' }],
    ]
    const before = await dumpDatabase(service)
    for (const [path, fields] of forms) {
      for (const headers of [
        { origin: 'https://evil.example', 'sec-fetch-site': 'cross-site' },
        { origin: 'null', 'sec-fetch-site': 'cross-site' },
        { origin: `${service.url}.evil.example`, 'sec-fetch-site': 'cross-site' },
        { origin: 'https://app.exemplo.com.br', 'sec-fetch-site': 'same-site' },
      ])
        assert.equal((await browser.submit(path, fields, headers)).status, 403, `${path} ${JSON.stringify(headers)}`)
    }
    assert.equal(await dumpDatabase(service), before)
    assert.equal(mailbox.mails.length, 0)
  })

  it('20 (a link pressed many times at once): fifty posts of one code or link make one session', async () => {
    const { mailbox, service, ana, browser, signUp } = await begin()
    const begun = await signUp('bia@exemplo.com.br')
    const flow = hiddenFlow((await browser.get(begun.location?.href ?? '')).text)
    const code = codeIn(await mailbox.find('bia@exemplo.com.br'))
    const jar = new Map(browser.cookies)
    const posts = await Promise.all(
      times(50).map(() => {
        const tab = service.browser()
        for (const [name, value] of jar) tab.cookies.set(name, value)
        return tab.submit('/check-mail', { flow, code })
      }),
    )
    assert.equal(posts.filter(({ status }) => status === 302).length, 1)
    assert.equal(posts.filter(({ status }) => status === 400).length, 49)
    const { secret } = await mint(service, { purpose: 'invitation', userId: ana.id, email: ANA })
    const clicks = await Promise.all(times(50).map(() => service.browser().submit('/invitation', { ticket: secret, password: NEW })))
    assert.equal(clicks.filter(({ status }) => status === 302).length, 1)
    const sessions = await service.house.storage.db.selectFrom('sessions').select('user_id').execute()
    assert.equal(sessions.length, 2)
  })

  it('20: fifty wrong codes at once are five tries', async () => {
    const { mailbox, browser, signUp, service } = await begin()
    const begun = await signUp('bia@exemplo.com.br')
    const flow = hiddenFlow((await browser.get(begun.location?.href ?? '')).text)
    const code = codeIn(await mailbox.find('bia@exemplo.com.br'))
    const wrong = String((Number(code) + 1) % 1_000_000).padStart(6, '0')
    await Promise.all(times(50).map(() => browser.submit('/check-mail', { flow, code: wrong })))
    const { code_tries } = await service.house.storage.db.selectFrom('tickets').select('code_tries').executeTakeFirstOrThrow()
    assert.equal(code_tries, 5)
    assert.equal((await browser.submit('/check-mail', { flow, code })).status, 400)
  })

  it('22, 39 (a ticket for another purpose): each opens its own page alone, and no other use of it changes anything', async () => {
    const { service, ana } = await begin()
    const payload = { name: 'Ana', flow: 'x', passwordHash: `plain:${NEW}`, from: ANA }
    const places = {
      sign_up: '/verify',
      reset_password: '/reset-password',
      invitation: '/invitation',
      change_email: '/confirm-email',
      not_me: '/not-me',
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
      assert.equal((await service.browser().get(`${places[purpose]}?ticket=${secret}`)).status, 200)
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
    ['a password set by link', (service: TestService, id: string) => useTicket(service, id, 'reset_password', '/reset-password')],
    ['an accepted invitation', (service: TestService, id: string) => useTicket(service, id, 'invitation', '/invitation')],
    [
      'a new address',
      (service: TestService, id: string) => useTicket(service, id, 'change_email', '/confirm-email', 'nova@exemplo.com.br'),
    ],
    ['"this was not me"', (service: TestService, id: string) => useTicket(service, id, 'not_me', '/not-me')],
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
      const { email } = await service.house.storage.db.selectFrom('users').select('email').executeTakeFirstOrThrow()
      assert.notEqual(email, 'velha@exemplo.com.br')
    })
  }
  async function changePassword(service: TestService) {
    const browser = service.browser()
    await browser.signIn('/login', { email: ANA, password: PASSWORD })
    assert.equal((await browser.submit('/account/password', { current_password: PASSWORD, password: NEW })).status, 200)
  }
  async function useTicket(service: TestService, userId: string, purpose: TicketPurpose, path: string, email = ANA) {
    const { secret } = await mint(service, { purpose, userId, email })
    assert.ok((await service.browser().submit(path, { ticket: secret, password: NEW })).status < 400)
  }

  it('25: "this was not me" closes the ways in that a stranger may have made: the password and every link to a provider', async () => {
    const { service, ana } = await begin()
    const identity = { issuer: 'https://idp.example', subject: 'attacker', user_id: ana.id, email: null, created_at: 1 }
    await service.house.storage.db.insertInto('identities').values(identity).execute()
    await useTicket(service, ana.id, 'not_me', '/not-me')
    assert.ok(!(await canSignIn(service, PASSWORD)))
    assert.equal(await service.house.storage.db.selectFrom('identities').selectAll().executeTakeFirst(), undefined)
  })

  it('25: a link to an address that is not the account’s any more sets no password', async () => {
    const { service, ana } = await begin()
    const { secret } = await mint(service, { purpose: 'reset_password', userId: ana.id, email: 'antiga@exemplo.com.br' })
    assert.equal((await service.browser().submit('/reset-password', { ticket: secret, password: NEW })).status, 400)
    assert.ok(await canSignIn(service, PASSWORD))
  })

  it('23 (a disabled person is served): no ticket opens a disabled account, and no mail is sent to it', async () => {
    const { mailbox, service, ana, recover } = await begin()
    await service.house.storage.db.updateTable('users').set({ disabled_at: 1 }).where('id', '=', ana.id).execute()
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

  for (const path of ['/account/password', '/account/email'] as const) {
    it(`28 (a side entrance without the lock): wrong passwords at ${path} and at the login share their counters`, async () => {
      const { service, browser } = await begin()
      const fields = (password: string) => ({ current_password: password, password: NEW, email: 'nova@exemplo.com.br' })
      await browser.signIn('/login', { email: ANA, password: PASSWORD })
      for (const _ of times(5)) assert.equal((await browser.submit(path, fields('wrong'))).status, 401)
      const form = await openForm(service)
      for (const _ of times(5)) assert.equal((await form.attempt({ email: ANA, password: 'wrong' })).status, 401)
      assert.equal((await browser.submit(path, fields(PASSWORD))).status, 429)
      assert.equal((await form.attempt({ email: ANA })).status, 429)
      assert.ok(await userOf(service, browser.cookies.get('eg_session')))
    })
  }

  it('28: the password asked by a link opened elsewhere can be guessed five times', async () => {
    const { mailbox, service, passwords, signUp } = await begin()
    await signUp('bia@exemplo.com.br')
    const ticket = ticketOf(linkIn(await mailbox.find('bia@exemplo.com.br'), '/verify'))
    const answers = await Promise.all(times(50).map(() => service.browser().submit('/verify', { ticket, password: 'wrong' })))
    assert.equal(answers.filter(({ status }) => status === 401).length, 5)
    assert.equal(answers.filter(({ status }) => status === 429).length, 45)
    assert.equal(passwords.verified(), 5)
    assert.equal((await service.browser().submit('/verify', { ticket, password: NEW })).status, 429)
  })

  it('29 (who has an account shows): sign-up and recovery answer, ask and hash the same for every address', async () => {
    const { service, passwords } = await begin()
    stopOutbox(service)
    await service.user('caio@exemplo.com.br')
    for (const [column, value, email] of [
      ['disabled_at', 1, 'fechada@exemplo.com.br'],
      ['email_verified_at', null, 'nunca@exemplo.com.br'],
      ['password_hash', null, 'convidada@exemplo.com.br'],
    ] as const) {
      const { id } = await service.user(email)
      await service.house.storage.db
        .updateTable('users')
        .set({ [column]: value })
        .where('id', '=', id)
        .execute()
    }
    await service.user('dona@exemplo.com.br', { admin: true })
    const asked = recordQueries(service)
    const emails = [ANA, 'fechada@exemplo.com.br', 'nunca@exemplo.com.br', 'convidada@exemplo.com.br', 'dona@exemplo.com.br']
    for (const path of ['/sign-up', '/recover'] as const) {
      const look = async (email: string) => {
        const browser = service.browser()
        const flow = hiddenFlow((await browser.get(path)).text)
        asked.length = 0
        const hashed = passwords.hashed()
        const answer = await browser.submit(path, { flow, email, name: 'Bia Souza', password: NEW })
        const work = { sql: [...asked], hashes: passwords.hashed() - hashed, checks: passwords.verified() }
        const next = answer.location && (await browser.get(answer.location.href))
        const neutral = (text: string) =>
          text
            .replaceAll(email, '…')
            .replace(/flow(&#61;|=)[^"&]+/g, 'flow')
            .replace(/value="[^"]+"/g, '')
        const names = [...answer.headers.keys()].filter((name) => name !== 'content-length').sort()
        return {
          ...work,
          status: answer.status,
          names,
          cookies: [...browser.cookies.keys()],
          text: neutral(answer.text),
          next: neutral(next?.text ?? ''),
        }
      }
      const unknown = await look('ninguem@exemplo.com.br')
      assert.ok(unknown.sql.length > 0)
      assert.ok(!unknown.sql.some((sql) => sql.includes('"users"')), 'the answer looks for the account')
      for (const email of emails) assert.deepEqual(await look(email), unknown, `${path} ${email}`)
    }
  })

  it('29: the limits of sign-up and recovery fill alike for every address', async () => {
    const { service, signUp, recover } = await begin({ PORTARIA_TRUST_PROXY: '1' })
    stopOutbox(service)
    for (const act of [(email: string) => signUp(email), (email: string) => recover(email)]) {
      const statuses = async (email: string) => {
        const seen: number[] = []
        for (const _ of times(5)) seen.push((await act(email)).status)
        return seen
      }
      assert.deepEqual(await statuses(ANA), await statuses('ninguem@exemplo.com.br'))
    }
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
    assert.equal((await service.browser().submit('/confirm-email', { ticket: secret })).status, 400)
    const rows = await service.house.storage.db.selectFrom('users').select(['id', 'email']).execute()
    assert.deepEqual(
      new Map(rows.map(({ id, email }) => [id, email])),
      new Map([
        [ana.id, ANA],
        [caio.id, caio.email],
      ]),
    )
  })

  it('keeps no address, link, code or password of a waiting mail in clear, in the database or in the log', async () => {
    const { mailbox, service, ana, signUp, recover } = await begin()
    stopOutbox(service)
    await signUp('segredo-um@exemplo.com.br')
    await recover('segredo-dois@exemplo.com.br')
    const { storage, sealer, masterKeys, now } = service.house
    const deps = { sealer, codeKey: masterKeys.ticketCode, baseUrl: service.url, now }
    await storage.transaction((tx) =>
      queueInvitation(tx, { id: ana.id, email: 'segredo-tres@exemplo.com.br', name: 'Nome Secreto', language: undefined }, deps),
    )
    await storage.transaction((tx) => addJob(tx, { kind: 'mail', payload: { link: 'https://x/?ticket=SECRET' } }, { sealer, at: now() }))
    const outbox = JSON.stringify(await storage.db.selectFrom('outbox').selectAll().execute())
    assert.doesNotMatch(outbox, /segredo|Secreto|SECRET|exemplo|ticket=|http/)
    const dump = `${await dumpDatabase(service)}${service.log()}`
    assert.doesNotMatch(dump, /SECRET|ticket=|girassol/)
    assert.doesNotMatch(service.log(), /segredo|exemplo\.com/)
    assert.equal(mailbox.mails.length, 0)
  })
})
