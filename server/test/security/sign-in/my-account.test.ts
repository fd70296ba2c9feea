import assert from 'node:assert/strict'
import { it } from 'node:test'
import type { Browser } from '../../support/browser.ts'
import { eachDatabase } from '../../support/databases.ts'
import { completed, notify, WEBHOOKS } from '../../support/gateways/purchases.ts'
import { linkIn, startMailbox } from '../../support/mailbox.ts'
import { assertNothingInside, dumpDatabase } from '../../support/routes/raw-requests.ts'
import { cheapPasswords, PASSWORD, startService } from '../../support/service.ts'
import { ticketOf } from '../../support/users/mailed-service.ts'
import { assertOwnRedirect, EXTERNAL, enter, isLive, sessionOf, signedIn } from '../../support/users/sign-in-steps.ts'

const mailbox = await startMailbox()
const MARKUP = '"><svg onload=alert(1)><b>x</b>'

eachDatabase('One’s own page under attack', (database) => {
  let users = 0
  async function begin() {
    const environment = { ...WEBHOOKS, PORTARIA_SMTP_URL: mailbox.url, PORTARIA_TRUST_PROXY: '1' }
    const service = await startService(await database.fresh(), { environment, passwords: cheapPasswords })
    const shop = { slug: 'fora', name: MARKUP, audience: 'external', checkout: 'external', uris: [EXTERNAL] } as const
    const { product } = await service.product({ ...shop, uris: [...shop.uris] })
    const someone = async (headers: Record<string, string> = {}) => {
      const user = await service.user(`alvo${++users}.${database.name}@exemplo.com.br`)
      const browser = service.browser(headers)
      await enter(browser, user.email, { redirect_to: EXTERNAL, api_key: product.publishableKey })
      const { sid } = JSON.parse(Buffer.from(sessionOf(browser).split('.')[1] ?? '', 'base64url').toString())
      return { ...user, browser, sid: String(sid) }
    }
    return { service, product, someone }
  }

  it('15 (forms of other sites): no POST of it is taken from another origin, and none changes anything', async () => {
    const { service, product, someone } = await begin()
    const ana = await someone()
    const there = await signedIn(service, ana.email)
    // Mails are on their way meanwhile.
    const dump = async () => (await dumpDatabase(service)).replace(/"outbox":\[.*?\]/, '')
    const before = await dump()
    const forms: Array<[string, Record<string, string>]> = [
      ['/account/sessions/end', { session: ana.sid }],
      ['/account/sessions/end-others', {}],
      ['/account/consents/withdraw', { product: product.id }],
      ['/account/email/confirm', {}],
      ['/account/language', { language: 'en' }],
      ['/account/providers/unlink', { issuer: 'x', subject: 'y' }],
      ['/account/data', {}],
      ['/account/delete', { email: ana.email }],
      ['/undo-deletion', { ticket: 'x' }],
    ]
    for (const [path, fields] of forms) {
      for (const headers of [
        { origin: 'https://evil.example', 'sec-fetch-site': 'cross-site' },
        { origin: 'null', 'sec-fetch-site': 'cross-site' },
      ]) {
        assert.equal((await there.submit(path, fields, headers)).status, 403, path)
      }
    }
    assert.equal(await dump(), before)
  })

  it('(ids of others): neither another user’s session, sharing nor purchase shows or ends, and the answer is as for one that never was', async () => {
    const { service, product, someone } = await begin()
    const [ana, eve] = [await someone(), await someone()]
    await notify(service.url, completed({ email: ana.email, plan: 'easy-pro' }))
    const purchase = await service.context.storage.db.selectFrom('subscriptions').select('id').executeTakeFirstOrThrow()
    const ends = [ana.sid, '00000000-0000-7000-8000-000000000000', '', 'x'.repeat(5_000), "' or 1=1 --", '\u0000']
    const answers = await Promise.all(ends.map((session) => eve.browser.submit('/account/sessions/end', { session })))
    for (const answer of answers) assertOwnRedirect(answer, '/account/sessions')
    assert.equal(new Set(answers.map(({ text }) => text)).size, 1)
    assert.ok(await isLive(service, sessionOf(ana.browser)))
    const nul = await eve.browser.submit('/account/providers/unlink', { issuer: '\u0000', subject: '\u0000' })
    assertOwnRedirect(nul, '/account/providers')
    const db = service.context.storage.db
    await db.deleteFrom('consents').where('user_id', '=', eve.id).execute()
    await eve.browser.submit('/account/consents/withdraw', { product: product.id })
    assert.equal((await db.selectFrom('consents').selectAll().where('user_id', '=', ana.id).execute()).length, 1)
    for (const cursor of [ana.sid, purchase.id, product.id, '￿', "'", '%00', '\u0000']) {
      for (const page of ['sessions', 'purchases', 'consents']) {
        const { status, text } = await eve.browser.get(`/account/${page}?cursor=${encodeURIComponent(cursor)}`)
        assert.equal(status, 200, `${page} ${cursor}`)
        for (const hers of [ana.sid, ana.email, purchase.id, 'Easy Pro'])
          assert.ok(!text.replace(/<footer.*/s, '').includes(hers), `${page} ${hers}`)
        assertNothingInside(text, page)
      }
    }
  })

  it('(an id of a product session): it can not be ended or shown as if it were a browser of one’s own', async () => {
    const { service, someone } = await begin()
    const ana = await someone()
    const { db } = service.context.storage
    const parent = await db.selectFrom('sessions').selectAll().where('user_id', '=', ana.id).executeTakeFirstOrThrow()
    const child = { ...parent, id: '00000000-0000-7000-8000-0000000000aa', parent_id: parent.id, bound_hash: null }
    await db.insertInto('sessions').values(child).execute()
    await ana.browser.submit('/account/sessions/end', { session: child.id })
    const row = await db.selectFrom('sessions').select('ended_at').where('id', '=', child.id).executeTakeFirstOrThrow()
    assert.equal(row.ended_at, null)
    assert.ok(!(await ana.browser.get('/account/sessions')).text.includes(child.id))
  })

  it('8 (stored markup): what a browser says of itself, a product of its name, and an address of its network come out as text', async () => {
    const { service, someone } = await begin()
    const ana = await someone({ 'user-agent': MARKUP })
    const db = service.context.storage.db
    await db.updateTable('sessions').set({ ip: MARKUP }).where('user_id', '=', ana.id).execute()
    await db.updateTable('consents').set({ ip: MARKUP, scopes: MARKUP }).where('user_id', '=', ana.id).execute()
    await db.updateTable('users_company').set({ name: MARKUP, phone: MARKUP, company_name: MARKUP }).where('user_id', '=', ana.id).execute()
    await db.insertInto('identities').values({ issuer: MARKUP, subject: MARKUP, user_id: ana.id, email: MARKUP, created_at: 1 }).execute()
    for (const page of ['', '/sessions', '/consents', '/providers', '/purchases', '/delete', '/data', '/language']) {
      const { status, text } = await ana.browser.get(`/account${page}`)
      assert.equal(status, 200, page)
      assert.ok(!text.includes('<svg onload') && !text.includes('<b>x</b>'), page)
    }
    const typed = await ana.browser.submit('/account/delete', { email: MARKUP })
    assert.ok(typed.status === 400 && !typed.text.includes('<svg onload'))
  })

  it('9 (host headers): the link that undoes a deletion is built from PORTARIA_URL', async () => {
    const { service, someone } = await begin()
    const ana = await someone()
    const forged = { 'x-forwarded-host': 'evil.example', forwarded: 'host=evil.example', 'x-forwarded-proto': 'https' }
    assert.equal((await ana.browser.submit('/account/delete', { email: ana.email }, forged)).status, 200)
    const { text = '', html = '' } = await mailbox.find(ana.email, (mail) => mail.text?.includes('/undo-deletion') ?? false)
    assert.ok(text.includes(`${service.url}/undo-deletion?ticket=`))
    assert.ok(!`${text}${html}`.includes('evil.example'))
  })

  it('23, 24, 25 (a closed account): sessions, sign-in, old links and recovery are dead at once, and the undo link opens nothing but itself', async () => {
    const { service, someone } = await begin()
    const ana = await someone()
    const browser = service.browser()
    const flow = await flowOf(browser, '/recover')
    await browser.submit('/recover', { flow, email: ana.email })
    const old = linkIn(await mailbox.find(ana.email, ({ text }) => text?.includes('/reset-password') ?? false), '/reset-password')
    const token = sessionOf(ana.browser)
    await ana.browser.submit('/account/delete', { email: ana.email })
    assert.equal(await isLive(service, token), false)
    assert.equal(
      (await service.browser().submit('/reset-password', { ticket: ticketOf(old), password: 'girassol azul no telhado' })).status,
      400,
    )
    assert.notEqual((await service.browser().signIn('/login', { email: ana.email, password: PASSWORD })).status, 302)
    const undo = ticketOf(linkIn(await mailbox.find(ana.email, ({ text }) => text?.includes('/undo-deletion') ?? false), '/undo-deletion'))
    for (const path of ['/reset-password', '/report-sign-in', '/confirm-email', '/verify', '/invitation']) {
      assert.equal((await service.browser().submit(path, { ticket: undo, password: 'girassol azul no telhado' })).status, 400, path)
    }
  })

  it('29 (limits on guessing): a right password of an account that is leaving uses up no tries, wrong ones count as ever', async () => {
    const { service, someone } = await begin()
    const ana = await someone()
    await ana.browser.submit('/account/delete', { email: ana.email })
    const attempt = (password: string) =>
      service.browser({ 'x-forwarded-for': '203.0.113.9' }).signIn('/login', { email: ana.email, password })
    for (let n = 0; n < 12; n++) assert.equal((await attempt(PASSWORD)).status, 403)
    for (let n = 0; n < 10; n++) assert.equal((await attempt('errada')).status, 401)
    assert.equal((await attempt(PASSWORD)).status, 429)
  })
})

async function flowOf(browser: Browser, path: string): Promise<string> {
  return /name="flow" value="([^"]+)"/.exec((await browser.get(path)).text)?.[1] ?? ''
}
