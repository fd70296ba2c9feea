import assert from 'node:assert/strict'
import { it } from 'node:test'
import { hiddenFlow } from '../../support/browser.ts'
import { eachDatabase } from '../../support/databases.ts'
import { codeIn, linkIn, startMailbox } from '../../support/mailbox.ts'
import { startService } from '../../support/service.ts'

const GOOD = 'girassol azul no telhado'

eachDatabase('A sign-up', (database) => {
  async function begin(environment: Record<string, string> = {}) {
    const mailbox = await startMailbox()
    const service = await startService(await database.fresh(), { environment: { PORTARIA_SMTP_URL: mailbox.url, ...environment } })
    const browser = service.browser()
    const signUp = async (fields: { name?: string; email: string; password?: string }) => {
      const page = await browser.get('/sign-up')
      return browser.submit('/sign-up', { flow: hiddenFlow(page.text), name: 'Bia Souza', password: GOOD, ...fields })
    }
    return { mailbox, service, browser, signUp }
  }
  const accountOf = async (service: Awaited<ReturnType<typeof startService>>, email: string) =>
    service.context.storage.db.selectFrom('users').selectAll().where('email', '=', email).executeTakeFirst()

  it('makes the account only when the code of the mail is typed, and signs in', async () => {
    const { mailbox, service, browser, signUp } = await begin()
    const sent = await signUp({ email: ' Bia@Exemplo.com.br ' })
    assert.equal(sent.status, 302)
    const page = await browser.get(sent.location?.href ?? '')
    assert.equal(page.status, 200)
    assert.equal(await accountOf(service, 'bia@exemplo.com.br'), undefined)

    const code = codeIn(await mailbox.find('bia@exemplo.com.br'))
    const wrong = await browser.submit('/check-mail', { flow: hiddenFlow(page.text), code: code === '000000' ? '111111' : '000000' })
    assert.equal(wrong.status, 400)
    const right = await browser.submit('/check-mail', { flow: hiddenFlow(wrong.text), code: `${code.slice(0, 3)} ${code.slice(3)}` })
    assert.equal(right.status, 302)
    assert.equal(right.location?.pathname, '/complete-profile')
    assert.notEqual((await accountOf(service, 'bia@exemplo.com.br'))?.email_verified_at, null)
    assert.equal(
      (
        (await (
          await fetch(`${service.url}/auth/check`, { headers: { cookie: `eg_session=${browser.cookies.get('eg_session')}` } })
        ).json()) as { authenticated: boolean }
      ).authenticated,
      true,
    )
  })

  it('says where its mail lies as a file to who develops on this machine, and to nobody else', async () => {
    const { mailbox, signUp: whereSent } = await begin()
    await whereSent({ email: 'bia@exemplo.com.br' })
    const cases = [
      { environment: {}, host: 'localhost', isSaid: true },
      { environment: {}, host: 'entrar.exemplo.com.br', isSaid: false },
      { environment: { PORTARIA_SMTP_URL: mailbox.url }, host: 'localhost', isSaid: false },
      { environment: { NODE_ENV: 'production' }, host: 'localhost', isSaid: false },
    ]
    for (const { environment, host, isSaid } of cases) {
      const options = { environment: { PORTARIA_TRUST_PROXY: '1', ...environment } }
      const service = await startService(await database.fresh(), options)
      const browser = service.browser({ 'x-forwarded-host': host })
      const form = await browser.get('/sign-up')
      const fields = { flow: hiddenFlow(form.text), name: 'Bia Souza', email: 'bia@exemplo.com.br', password: GOOD }
      const page = await browser.get((await browser.submit('/sign-up', fields)).location?.href ?? '')
      assert.equal(page.status, 200)
      assert.equal(page.text.includes('data/mail'), isSaid, JSON.stringify({ environment, host }))
      const recovery = await browser.submit('/recover', { flow: hiddenFlow(page.text), email: 'bia@exemplo.com.br' })
      assert.equal(recovery.text.includes('data/mail'), isSaid, `recovery ${JSON.stringify({ environment, host })}`)
    }
  })

  it('is finished by the link of the mail, whose page uses nothing up', async () => {
    const { mailbox, browser, signUp } = await begin()
    await signUp({ email: 'bia@exemplo.com.br' })
    const link = linkIn(await mailbox.find('bia@exemplo.com.br'), '/verify')
    for (let scans = 0; scans < 3; scans++) assert.equal((await browser.get(link)).status, 200)
    const ticket = new URL(link, 'http://x').searchParams.get('ticket') ?? ''
    const done = await browser.submit('/verify', { ticket })
    assert.equal(done.status, 302)
    assert.equal((await browser.submit('/verify', { ticket })).status, 400)
  })

  it('asks for the chosen password where its link is opened in another browser, so that a click gives nobody an account', async () => {
    const { mailbox, service, signUp } = await begin()
    await signUp({ email: 'vitima@exemplo.com.br' })
    const link = linkIn(await mailbox.find('vitima@exemplo.com.br'), '/verify')
    const ticket = new URL(link, 'http://x').searchParams.get('ticket') ?? ''
    const victim = service.browser()
    assert.match((await victim.get(link)).text, /type="password"/)
    assert.equal((await victim.submit('/verify', { ticket })).status, 401)
    assert.equal((await victim.submit('/verify', { ticket, password: 'not what was chosen' })).status, 401)
    assert.equal(await accountOf(service, 'vitima@exemplo.com.br'), undefined)
    assert.equal((await victim.submit('/verify', { ticket, password: GOOD })).status, 302)
  })

  it('answers a known and an unknown address alike, and notifies the owner by mail', async () => {
    const { mailbox, service, signUp } = await begin()
    const known = await service.user('ana@exemplo.com.br')
    const answers = [await signUp({ email: known.email }), await signUp({ email: 'nova@exemplo.com.br' })]
    assert.deepEqual(new Set(answers.map(({ status }) => status)), new Set([302]))
    const pages = await Promise.all(answers.map(async (answer) => (await service.browser().get(answer.location?.href ?? '')).status))
    assert.deepEqual(new Set(pages), new Set([400])) // another browser's flow
    const mail = await mailbox.find(known.email)
    assert.doesNotMatch(mail.text ?? '', /\b\d{6}\b/)
    await mailbox.find('nova@exemplo.com.br')
  })

  it('lets a code be tried five times', async () => {
    const { mailbox, browser, signUp } = await begin()
    const sent = await signUp({ email: 'bia@exemplo.com.br' })
    const code = codeIn(await mailbox.find('bia@exemplo.com.br'))
    const flow = hiddenFlow((await browser.get(sent.location?.href ?? '')).text)
    const wrong = String((Number(code) + 1) % 1_000_000).padStart(6, '0')
    for (let tries = 0; tries < 5; tries++) assert.equal((await browser.submit('/check-mail', { flow, code: wrong })).status, 400)
    assert.equal((await browser.submit('/check-mail', { flow, code })).status, 400)
  })

  it('makes one account of fifty clicks at once', async () => {
    const { mailbox, service, browser, signUp } = await begin()
    await signUp({ email: 'bia@exemplo.com.br' })
    const link = linkIn(await mailbox.find('bia@exemplo.com.br'), '/verify')
    const ticket = new URL(link, 'http://x').searchParams.get('ticket') ?? ''
    const cookies = new Map(browser.cookies)
    const clicks = await Promise.all(
      Array.from({ length: 50 }, () => {
        const tab = service.browser()
        for (const [name, value] of cookies) tab.cookies.set(name, value)
        return tab.submit('/verify', { ticket })
      }),
    )
    assert.equal(clicks.filter(({ status }) => status === 302).length, 1)
    assert.equal(clicks.filter(({ status }) => status === 400).length, 49)
  })

  for (const [password, why] of [
    ['12345678', 'a common one'],
    ['senha123', 'a common Brazilian one'],
    ['biasouza1', 'their own name'],
    ['curta', 'a short one'],
  ] as const) {
    it(`refuses ${why} as password`, async () => {
      const { mailbox, signUp } = await begin()
      const refused = await signUp({ email: 'bia@exemplo.com.br', password })
      assert.equal(refused.status, 400)
      assert.match(refused.text, /aria-invalid="true"/)
      assert.equal(mailbox.mails.length, 0)
    })
  }

  it('takes over an account that nobody had verified: old password and sessions are worth nothing', async () => {
    const { mailbox, service, signUp } = await begin()
    const squatter = await service.user('bia@exemplo.com.br')
    await service.context.storage.db.updateTable('users').set({ email_verified_at: null }).where('id', '=', squatter.id).execute()
    const thief = service.browser()
    assert.equal((await thief.signIn('/login', { email: squatter.email, password: 'correct horse battery' })).status, 302)

    const sent = await signUp({ email: 'bia@exemplo.com.br' })
    assert.equal(sent.status, 302)
    const owner = service.browser()
    const link = linkIn(await mailbox.find('bia@exemplo.com.br'), '/verify')
    const ticket = new URL(link, 'http://x').searchParams.get('ticket') ?? ''
    assert.equal((await owner.submit('/verify', { ticket, password: GOOD })).status, 302)
    const check = await fetch(`${service.url}/auth/check`, { headers: { cookie: `eg_session=${thief.cookies.get('eg_session')}` } })
    assert.deepEqual(await check.json(), { authenticated: false, reason: 'invalid_session' })
    assert.equal((await service.browser().signIn('/login', { email: squatter.email, password: 'correct horse battery' })).status, 401)
  })

  it('loses no mail while the mail server is away, and delays it', async () => {
    const { mailbox, service, signUp } = await begin()
    mailbox.isBusy = true
    await signUp({ email: 'bia@exemplo.com.br' })
    for (let tries = 0; tries < 100; tries++) {
      const row = await service.context.storage.db.selectFrom('outbox').selectAll().executeTakeFirst()
      if (row?.last_error) break
      await new Promise((resolve) => setTimeout(resolve, 50))
    }
    mailbox.isBusy = false
    service.clock.now += 11_000
    await mailbox.find('bia@exemplo.com.br')
  })
})
