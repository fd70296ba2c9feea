import assert from 'node:assert/strict'
import { it } from 'node:test'
import { addJob } from '../../../src/outbox/index.ts'
import { queueInvitation } from '../../../src/users/index.ts'
import type { TicketPurpose } from '../../../src/users/tickets/ticket-purpose.ts'
import { hiddenFlow } from '../../support/browser.ts'
import { eachDatabase } from '../../support/databases.ts'
import { codeIn, linkIn } from '../../support/mailbox.ts'
import { stopOutbox } from '../../support/routes/asked-queries.ts'
import { dumpDatabase, mint, request } from '../../support/routes/raw-requests.ts'
import { PASSWORD } from '../../support/service.ts'
import { until } from '../../support/until.ts'
import { ANA, canSignIn, mailedService, NEW, ticketOf, times, userOf } from '../../support/users/mailed-service.ts'

eachDatabase('Mails and the sign-ups they begin', (database) => {
  const begin = mailedService(database)

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
    await post('/account/email', { email: 'nova@exemplo.com.br' })
    await post('/account/password', { password: NEW })
    const { secret } = await mint(service, {
      purpose: 'change_email',
      userId: ana.id,
      email: 'nova@exemplo.com.br',
      payload: { from: ANA },
    })
    await post('/confirm-email', { ticket: secret })
    for (const path of ['/verify', '/login', '/reset-password', '/recover', '/confirm-email', '/report-sign-in']) await findLinkTo(path)
    async function findLinkTo(path: string) {
      await until(() => {
        const text = mailbox.mails.map((mail) => `${mail.text}${mail.html}`).join()
        assert.doesNotMatch(text, /evil\.example|:6666/)
        return text.includes(`${service.url}${path}`)
      })
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

  it('15 (a form of another site): nothing is begun, verified, set or changed by a post from elsewhere', async () => {
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
      ['/report-sign-in', { ticket: await secret('report_sign_in') }],
      ['/confirm-email', { ticket: await secret('change_email') }],
      ['/account/password', { password: NEW }],
      ['/account/email', { email: 'nova@exemplo.com.br' }],
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
    const sessions = await service.context.storage.db.selectFrom('sessions').select('user_id').execute()
    assert.equal(sessions.length, 2)
  })

  it('keeps no address, link, code or password of a waiting mail in clear, in the database or in the log', async () => {
    const { mailbox, service, ana, signUp, recover } = await begin()
    stopOutbox(service)
    await signUp('segredo-um@exemplo.com.br')
    await recover('segredo-dois@exemplo.com.br')
    const { storage, sealer, masterKeys, now } = service.context
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
