import assert from 'node:assert/strict'
import { it } from 'node:test'
import { fetchUserInfo } from 'openid-client'
import { findUser, setUser } from '../../../src/admin/index.ts'
import { listAudit } from '../../../src/audit/index.ts'
import { findTaxId, profileVersion, userStore } from '../../../src/users/index.ts'
import type { Answer, Browser } from '../../support/browser.ts'
import { eachDatabase } from '../../support/databases.ts'
import { addEndpoint } from '../../support/events/endpoints.ts'
import { startEventReceiver } from '../../support/events/event-receiver.ts'
import { linkIn, startMailbox } from '../../support/mailbox.ts'
import { openIdApp, signInTo } from '../../support/openid/apps.ts'
import { wantPng } from '../../support/routes/brand-files.ts'
import { cheapPasswords, startForSuite, startService, type TestService } from '../../support/service.ts'
import { until } from '../../support/until.ts'
import { impersonateUser } from '../../support/users/impersonation.ts'
import { freshCpf } from '../../support/users/newcomer.ts'
import { assertOwnRedirect, assertPage, check, sessionOf, signedIn } from '../../support/users/sign-in-steps.ts'
import { giveTaxId } from '../../support/users/tax-ids.ts'

const TEN_MINUTES = 600_000

eachDatabase('What a user edits of their own data', (database) => {
  const suite = startForSuite(database)
  let serial = 0
  async function someone() {
    const service = suite()
    const user = await service.user(`dados${++serial}.${database.name}@exemplo.com.br`)
    return { service, ...user, browser: await signedIn(service, user.email) }
  }
  const fields = (name: string, phone = '', company = '') => ({ full_name: name, phone, company_name: company })
  async function edit(browser: Browser, change: Record<string, string>): Promise<Answer> {
    const page = await browser.get('/account/profile')
    assertPage(page, 200)
    return browser.submit('/account/profile', { version: versionIn(page), ...change })
  }
  const stored = async (service: TestService, id: string) =>
    (await userStore(service.context.storage.db).findById(id)) ?? assert.fail('the user is gone')
  const actionsOn = async (service: TestService, id: string) =>
    (await listAudit(service.context.storage.db, { target: id, limit: 50 })).filter(({ action }) => action.startsWith('user.'))

  it('is name, phone and company: the next check, the cookie, the profile of the API and endpoints have them', async () => {
    const { service, id, browser } = await someone()
    const receiver = await startEventReceiver()
    await addEndpoint(service, { url: receiver.url, types: ['user.updated'] })
    const before = sessionOf(browser)
    const saved = await edit(browser, fields('Ana Maria Souza', '(21) 98765-4321', 'Padaria & Filhos'))
    assertOwnRedirect(saved, '/account/profile')
    const { name, phone, companyName } = await stored(service, id)
    assert.deepEqual([name, phone, companyName], ['Ana Maria Souza', '+5521987654321', 'Padaria & Filhos'])
    for (const token of [before, sessionOf(browser)]) {
      const { session } = (await check(service, `eg_session=${token}`)) as { session: { name: string } }
      assert.equal(session.name, 'Ana Maria Souza')
    }
    const payload = JSON.parse(Buffer.from(sessionOf(browser).split('.')[1] ?? '', 'base64url').toString())
    assert.deepEqual([payload.name, payload.company_name], ['Ana Maria Souza', 'Padaria & Filhos'])
    const reported = () => receiver.received.find(({ event }) => event.data.user_id === id)?.event.data
    await until(async () => reported() !== undefined, 10_000)
    assert.deepEqual([reported()?.name, reported()?.company_name], ['Ana Maria Souza', 'Padaria & Filhos'])
    const [entry] = (await actionsOn(service, id)).filter(({ action }) => action === 'user.edit_profile')
    assert.equal(entry?.actor, `user:${id}`)
    assert.deepEqual(entry?.after, { name: 'Ana Maria Souza', company_name: 'Padaria & Filhos', phone: '+55***21' })
    assertPage(await browser.get('/account/profile?saved=profile'), 200)
  })

  it('keeps markup as text, and takes neither a name of nothing, nor one too long, nor a phone that is none', async () => {
    const { service, id, browser } = await someone()
    const markup = '"><script>alert(1)</script>'
    assert.equal((await edit(browser, fields(markup, '', markup))).status, 302)
    for (const path of ['/account', '/account/profile']) {
      const { text } = await browser.get(path)
      assert.doesNotMatch(text, /<script>alert/)
      assert.match(text, /&#60;script&#62;alert/)
    }
    for (const wrong of [
      fields(''),
      fields('\u200b'),
      fields('a'.repeat(101)),
      fields('Ana\u202e'),
      fields('Ana', '12345'),
      fields('Ana', '', '\u0000x'),
    ]) {
      const refused = await edit(browser, wrong)
      assert.equal(refused.status, 400, JSON.stringify(wrong))
      assert.match(refused.text, /aria-invalid="true"/)
    }
    assert.equal((await stored(service, id)).name, markup)
  })

  it('can lose its phone and company, but not the company of a CNPJ', async () => {
    const { service, id, browser } = await someone()
    await edit(browser, fields('Ana', '(21) 98765-4321', 'Loja'))
    assert.equal((await edit(browser, fields('Ana'))).status, 302)
    const { phone, companyName } = await stored(service, id)
    assert.deepEqual([phone, companyName], [undefined, undefined])
    await giveTaxId(service.context, id, '11.222.333/0001-81')
    await edit(browser, fields('Ana', '', 'Loja'))
    assert.equal((await edit(browser, fields('Ana'))).status, 400)
    assert.equal((await stored(service, id)).companyName, 'Loja')
  })

  it('is not overwritten by a tab that was opened before: 412 with both, and the second try saves', async () => {
    const { service, id, browser } = await someone()
    const version = versionIn(await browser.get('/account/profile'))
    assert.equal((await edit(browser, fields('De outra aba'))).status, 302)
    const stale = await browser.submit('/account/profile', { version, ...fields('Desta aba') })
    assert.equal(stale.status, 412)
    for (const text of ['De outra aba', 'value="Desta aba"']) assert.ok(stale.text.includes(text), text)
    assert.equal((await stored(service, id)).name, 'De outra aba')
    const again = await browser.submit('/account/profile', { version: versionIn(stale), ...fields('Desta aba') })
    assert.equal(again.status, 302)
    assert.equal((await stored(service, id)).name, 'Desta aba')
    const race = await Promise.all(
      Array.from({ length: 6 }, (_, n) => browser.submit('/account/profile', { version: versionIn2(), ...fields(`Corrida ${n}`) })),
    )
    assert.deepEqual(race.map(({ status }) => status).sort(), [302, 412, 412, 412, 412, 412])
    function versionIn2() {
      return profileVersion({ name: 'Desta aba', phone: undefined, companyName: undefined })
    }
  })

  it('answers programs in words, and refuses a form of another site and one of nobody', async () => {
    const { service, id, browser } = await someone()
    const version = versionIn(await browser.get('/account/profile'))
    const plain = { accept: 'application/json' }
    const stale = await browser.submit('/account/profile', { version: 'x', ...fields('Ana') }, plain)
    assert.deepEqual([stale.status, stale.json()], [412, { error: 'dados alterados em outra aba' }])
    for (const path of ['/account/profile', '/account/profile/picture', '/account/profile/picture/remove', '/account/tax-id']) {
      const foreign = await browser.submit(
        path,
        { version, ...fields('Mallory') },
        { origin: 'https://evil.example', 'sec-fetch-site': 'cross-site' },
      )
      assert.equal(foreign.status, 403, path)
      const nobody = await service.browser().submit(path, { version, ...fields('Mallory') })
      assertOwnRedirect(nobody, '/login')
    }
    assert.notEqual((await stored(service, id)).name, 'Mallory')
  })

  it('changes thirty times in an hour, the picture included, and then again an hour later', async () => {
    const { service, browser } = await someone()
    for (let n = 0; n < 29; n++) assert.equal((await browser.submit('/account/profile', fields('Ana'))).status, 412)
    assert.equal((await browser.submit('/account/profile/picture/remove', {})).status, 302)
    const refused = await edit(browser, fields('Ana'))
    assert.equal(refused.status, 429)
    assert.ok(Number(refused.headers.get('retry-after')) > 0)
    service.clock.now += 3_600_000
    assert.equal((await edit(browser, fields('Ana'))).status, 302)
  })

  const send = (browser: Browser, file: Buffer, type = 'image/png') => upload(suite(), browser, file, type)

  it('is a picture: written anew, under an address that nobody guesses, in claims and API; the one before is gone', async () => {
    const { service, id, browser } = await someone()
    const first = wantPng(64, 64)
    assertOwnRedirect(await send(browser, Buffer.concat([first, Buffer.from('GPS')])), '/account/profile')
    const { avatarUrl = '' } = await stored(service, id)
    assert.match(avatarUrl, new RegExp(`^${service.config.baseUrl}/assets/pictures/[0-9a-f]{32}\\.png$`))
    const path = new URL(avatarUrl).pathname
    const served = await fetch(service.url + path)
    assert.deepEqual(Buffer.from(await served.arrayBuffer()), first)
    for (const [name, value] of [
      ['content-type', 'image/png'],
      ['x-content-type-options', 'nosniff'],
      ['cache-control', 'private, max-age=86400'],
      ['content-security-policy', "default-src 'none'; frame-ancestors 'none'; sandbox"],
    ] as const)
      assert.equal(served.headers.get(name), value)
    assert.ok((await browser.get('/account')).text.includes(`src="${path}"`))
    const me = await service
      .browser()
      .request('GET', '/api/me', { headers: { authorization: `Bearer ${await accessToken(service, browser)}` } })
    assert.equal(me.json<{ avatar_url: string }>().avatar_url, avatarUrl)
    const { profile } = (await browser.submit('/account/data', {})).json<{ profile: { picture: string } }>()
    assert.equal(profile.picture, `data:image/png;base64,${first.toString('base64')}`)
    await send(browser, wantPng(32, 32))
    assert.equal((await fetch(service.url + path)).status, 404)
    const second = new URL((await stored(service, id)).avatarUrl ?? '').pathname
    assertOwnRedirect(await browser.submit('/account/profile/picture/remove', {}), '/account/profile')
    assert.equal((await stored(service, id)).avatarUrl, undefined)
    assert.equal((await fetch(service.url + second)).status, 404)
    assert.doesNotMatch((await browser.get('/account')).text, /assets\/pictures/)
  })

  it('is what an app that speaks OpenID Connect gets at its next question', async () => {
    const { service, id, email, browser } = await someone()
    const app = await openIdApp(service)
    const tokens = await signInTo(app, browser, email, { scope: 'openid profile' })
    await edit(browser, fields('Nome Novo'))
    await send(browser, wantPng(12, 12))
    const { name, picture } = await fetchUserInfo(app.client, tokens.access_token, id)
    assert.deepEqual([name, picture], ['Nome Novo', (await stored(service, id)).avatarUrl])
  })

  it('is no drawing with a script, no other file, nothing damaged, too large or too wide, and no file at all', async () => {
    const { service, id, browser } = await someone()
    const svg = Buffer.from('<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 9 9"><script>alert(1)</script></svg>')
    const plain = Buffer.from('<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 9 9"><path d="M0 0h9v9z"/></svg>')
    const damaged = wantPng(9, 9)
    damaged[40] = 255 - (damaged[40] ?? 0)
    const large = Buffer.concat([wantPng(9, 9), Buffer.alloc(210 * 1024)])
    for (const file of [svg, plain, damaged, large, wantPng(2_001, 1), Buffer.from('GIF89a'), Buffer.alloc(0)]) {
      const refused = await send(browser, file)
      assert.equal(refused.status, 400, file.subarray(0, 60).toString('latin1'))
      assert.match(refused.text, /role="alert"/)
    }
    assert.equal((await browser.submit('/account/profile/picture', { picture: 'x' })).status, 400)
    const huge = await send(browser, Buffer.alloc(10 * 1024 * 1024)).then(
      ({ status }) => status,
      () => 'closed',
    )
    assert.ok(huge === 413 || huge === 'closed', String(huge))
    assert.equal((await stored(service, id)).avatarUrl, undefined)
    assert.equal((await fetch(`${service.url}/assets/pictures/${'0'.repeat(32)}.png`)).status, 404)
  })

  it('gives way to the operator: another address, or none, takes the picture out of the service', async () => {
    const { service, id, email, browser } = await someone()
    await send(browser, wantPng(16, 16))
    const { avatarUrl = '' } = await stored(service, id)
    const deps = { ...service.context, actor: 'operator:test' as const }
    const user = (await findUser(service.context.storage.db, email)) ?? assert.fail()
    assert.ok(!('refusal' in (await setUser(user, { rankName: 'Ouro', avatarUrl }, deps))))
    assert.equal((await fetch(service.url + new URL(avatarUrl).pathname)).status, 200)
    assert.ok(!('refusal' in (await setUser(user, { avatarUrl: null }, deps))))
    assert.equal((await fetch(service.url + new URL(avatarUrl).pathname)).status, 404)
  })

  it('is a tax id, corrected once with a recent authentication, in the audit log masked; after that only support changes it', async () => {
    const { service, id, browser } = await someone()
    const [wrong, right, third] = [freshCpf(), freshCpf(), freshCpf()]
    await giveTaxId(service.context, id, wrong)
    assertPage(await browser.get('/account/tax-id'), 200)
    for (const typed of ['', '123', wrong]) assert.equal((await browser.submit('/account/tax-id', { tax_id: typed })).status, 400, typed)
    assertOwnRedirect(await browser.submit('/account/tax-id', { tax_id: right }), '/account/tax-id')
    assert.deepEqual(await findTaxId({ id }, service.context), { kind: 'cpf', digits: right })
    const [entry] = (await actionsOn(service, id)).filter(({ action }) => action === 'user.correct_tax_id')
    const masked = (cpf: string) => ({ tax_id: `***.${cpf.slice(3, 6)}.${cpf.slice(6, 9)}-**` })
    assert.deepEqual([entry?.actor, entry?.before, entry?.after], [`user:${id}`, masked(wrong), masked(right)])
    assert.doesNotMatch((await browser.get('/account/tax-id')).text, /name="tax_id"/)
    const second = await browser.submit('/account/tax-id', { tax_id: third })
    assert.equal(second.status, 409)
    assert.deepEqual(await findTaxId({ id }, service.context), { kind: 'cpf', digits: right })
  })

  it('is notified by mail, in the user’s language, of a corrected tax id, masked, with the device and a way to object', async () => {
    const mailbox = await startMailbox()
    const environment = { PORTARIA_SMTP_URL: mailbox.url }
    const service = await startService(await database.fresh(), { environment, passwords: cheapPasswords })
    const subjects = {
      'pt-BR': 'Seu CPF ou CNPJ foi corrigido',
      en: 'Your CPF or CNPJ has been corrected',
      es: 'Se corrigió tu CPF o CNPJ',
    }
    for (const [language, subject] of Object.entries(subjects)) {
      const { id, email } = await service.user(`corrigido.${language.toLowerCase()}@exemplo.com.br`)
      const right = freshCpf()
      await giveTaxId(service.context, id, freshCpf())
      const browser = await signedIn(service, email)
      await browser.submit('/account/language', { language })
      assertOwnRedirect(await browser.submit('/account/tax-id', { tax_id: right }), '/account/tax-id')
      const mail = await mailbox.find(email, (one) => one.subject === subject)
      assert.ok(mail.text?.includes(`***.${right.slice(3, 6)}.${right.slice(6, 9)}-**`), mail.text)
      for (const part of [mail.text, mail.html]) assert.ok(!part?.replaceAll(/\D/g, '').includes(right))
      assert.match(mail.text ?? '', /127\.0\.0\.1/)
      assert.equal((await browser.submit('/account/tax-id', { tax_id: freshCpf() })).status, 409)
      const ticket = new URL(linkIn(mail, '/report-sign-in'), service.url).searchParams.get('ticket') ?? ''
      assertPage(await service.browser().submit('/report-sign-in', { ticket }), 200)
      assert.equal((await browser.get('/account')).status, 302)
      assert.equal(mailbox.mails.filter((one) => one.recipient === email && one.subject === subject).length, 1)
    }
  })

  it('asks for a sign-in first where the last was more than ten minutes ago, and changes nothing', async () => {
    const { service, id, browser } = await someone()
    const [wrong, right] = [freshCpf(), freshCpf()]
    await giveTaxId(service.context, id, wrong)
    service.clock.now += TEN_MINUTES
    assertOwnRedirect(await browser.get('/account/tax-id'), '/login')
    assertOwnRedirect(await browser.submit('/account/tax-id', { tax_id: right }), '/login')
    assert.deepEqual(await findTaxId({ id }, service.context), { kind: 'cpf', digits: wrong })
  })

  it('is corrected once, however many tabs try at once', async () => {
    const { service, id, browser } = await someone()
    await giveTaxId(service.context, id, freshCpf())
    const tries = await Promise.all(Array.from({ length: 3 }, () => browser.submit('/account/tax-id', { tax_id: freshCpf() })))
    assert.deepEqual(tries.map(({ status }) => status).sort(), [302, 409, 409])
    assert.equal((await actionsOn(service, id)).filter(({ action }) => action === 'user.correct_tax_id').length, 1)
  })

  it('never says whose a number is: the same words for anyone’s, and it leaves the one correction', async () => {
    const { service, id, browser } = await someone()
    const own = freshCpf()
    await giveTaxId(service.context, id, own)
    const answers: string[] = []
    for (const disabled of [false, true]) {
      const other = await someone()
      const theirs = freshCpf()
      await giveTaxId(service.context, other.id, theirs)
      if (disabled) await service.context.storage.db.updateTable('users').set({ disabled_at: 1 }).where('id', '=', other.id).execute()
      const refused = await browser.submit('/account/tax-id', { tax_id: theirs })
      assert.equal(refused.status, 400)
      assert.ok(!refused.text.includes(other.email))
      answers.push(refused.text.replaceAll(theirs, ''))
      const json = await browser.submit('/account/tax-id', { tax_id: theirs }, { accept: 'application/json' })
      if (json.status === 400) assert.deepEqual(json.json(), { error: 'Nao foi possivel usar este numero' })
      await service.context.storage.db.deleteFrom('rate_limits').execute()
    }
    assert.equal(answers[0], answers[1])
    assert.equal((await browser.submit('/account/tax-id', { tax_id: freshCpf() })).status, 302)
  })

  it('stops after three numbers in a day, those that are taken too', async () => {
    const { service, id, browser } = await someone()
    await giveTaxId(service.context, id, freshCpf())
    const other = await someone()
    const theirs = freshCpf()
    await giveTaxId(service.context, other.id, theirs)
    for (let n = 0; n < 3; n++) assert.equal((await browser.submit('/account/tax-id', { tax_id: theirs })).status, 400)
    assert.equal((await browser.submit('/account/tax-id', { tax_id: freshCpf() })).status, 429)
  })

  it('can be entered where there is none, which is not the one correction', async () => {
    const { service, id, browser } = await someone()
    await service.context.storage.db.updateTable('users_company').set({ tax_id_kind: null }).where('user_id', '=', id).execute()
    assertOwnRedirect(await browser.submit('/account/tax-id', { tax_id: freshCpf() }), '/account/tax-id')
    assert.match((await browser.get('/account/tax-id')).text, /name="tax_id"/)
    assert.equal((await actionsOn(service, id)).filter(({ action }) => action === 'user.enter_tax_id').length, 1)
  })

  it('is nobody else’s to edit: who acts for the user sees it on the first page, and every form refuses', async () => {
    const service = suite()
    const { browser, user } = await impersonateUser(service, `agindo${++serial}.${database.name}`)
    await giveTaxId(service.context, user.id, freshCpf())
    const { text } = await browser.get('/account')
    assert.match(text, /\+55 11 98765-4321/)
    assert.doesNotMatch(text, /href="\/account\/(profile|tax-id|language)"/)
    for (const path of ['/account/profile', '/account/tax-id']) assert.equal((await browser.get(path)).status, 403, path)
    const version = profileVersion(await stored(service, user.id))
    for (const [path, form] of [
      ['/account/profile', { version, ...fields('Mallory') }],
      ['/account/profile/picture/remove', {}],
      ['/account/tax-id', { tax_id: freshCpf() }],
    ] as const)
      assert.equal((await browser.submit(path, form)).status, 403, path)
    assert.equal((await send(browser, wantPng(9, 9))).status, 403)
    assert.equal((await stored(service, user.id)).name, 'Bia Prado')
  })

  it('leads password managers to the form for another password', async () => {
    const found = await suite().browser().get('/.well-known/change-password')
    assertOwnRedirect(found, '/account/password')
  })
})

function versionIn({ text }: Answer): string {
  return /name="version" value="([^"]+)"/.exec(text)?.[1] ?? assert.fail('no version in the page')
}

async function upload(service: TestService, browser: Browser, file: Buffer, type: string): Promise<Answer> {
  const form = new FormData()
  form.set('picture', new File([new Uint8Array(file)], 'foto.png', { type }))
  const packed = new Response(form)
  const body = Buffer.from(await packed.arrayBuffer())
  const answer = await fetch(`${service.url}/account/profile/picture`, {
    method: 'POST',
    redirect: 'manual',
    headers: {
      accept: 'text/html',
      cookie: [...browser.cookies].map(([name, value]) => `${name}=${value}`).join('; '),
      'content-type': packed.headers.get('content-type') ?? '',
      origin: service.config.baseUrl,
      'sec-fetch-site': 'same-origin',
    },
    body,
  })
  const location = answer.headers.get('location')
  const text = await answer.text()
  return {
    status: answer.status,
    headers: answer.headers,
    text,
    location: location === null ? undefined : new URL(location, service.url),
    json: <T>() => JSON.parse(text) as T,
  }
}

async function accessToken(service: TestService, browser: Browser): Promise<string> {
  const body = {
    grant_type: 'urn:ietf:params:oauth:grant-type:token-exchange',
    subject_token: sessionOf(browser),
    subject_token_type: 'urn:portaria:token-type:session',
  }
  const answer = await service.browser().request('POST', '/auth/token', {
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body),
  })
  return answer.json<{ access_token: string }>().access_token
}
