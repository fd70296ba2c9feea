import assert from 'node:assert/strict'
import { it } from 'node:test'
import { hiddenFlow } from '../../support/browser.ts'
import { eachDatabase, oneDatabase, type TestDatabase } from '../../support/databases.ts'
import { linkIn, startMailbox } from '../../support/mailbox.ts'
import { PASSWORD, startService, type TestService } from '../../support/service.ts'

const NEW = 'girassol azul no telhado'

async function beginRecovery(database: TestDatabase) {
  const mailbox = await startMailbox()
  const service = await startService(await database.fresh(), { environment: { PORTARIA_SMTP_URL: mailbox.url } })
  const ana = await service.user('ana@exemplo.com.br')
  const browser = service.browser()
  const recover = async (email: string) => browser.submit('/recover', { flow: hiddenFlow((await browser.get('/recover')).text), email })
  return { mailbox, service, ana, browser, recover }
}
const ticketOf = (link: string) => new URL(link, 'http://x').searchParams.get('ticket') ?? ''
const isSignedIn = async (service: TestService, token: string | undefined) =>
  (
    (await (await fetch(`${service.url}/auth/check`, { headers: { cookie: `eg_session=${token}` } })).json()) as {
      authenticated: boolean
    }
  ).authenticated

eachDatabase('A link for a forgotten password', (database) => {
  it('gives fifty racing posts of one link one winner', async () => {
    const { mailbox, service, ana, recover } = await beginRecovery(database)
    await recover(ana.email)
    const ticket = ticketOf(linkIn(await mailbox.find(ana.email), '/reset-password'))
    const posts = await Promise.all(
      Array.from({ length: 20 }, (_, i) => service.browser().submit('/reset-password', { ticket, password: `${NEW} ${i}` })),
    )
    assert.equal(posts.filter(({ status }) => status === 302).length, 1)
  })
})

oneDatabase('A forgotten password', (database) => {
  const begin = () => beginRecovery(database)

  it('is replaced through the mailed link, once; every other session ends and the owner is notified', async () => {
    const { mailbox, service, ana, browser, recover } = await begin()
    const elsewhere = service.browser()
    await elsewhere.signIn('/login', { email: ana.email, password: PASSWORD })
    assert.equal((await recover(ana.email)).status, 200)
    const link = linkIn(await mailbox.find(ana.email), '/reset-password')
    for (let scans = 0; scans < 3; scans++) assert.equal((await browser.get(link)).status, 200)
    assert.equal((await browser.submit('/reset-password', { ticket: ticketOf(link), password: '12345678' })).status, 400)
    const done = await browser.submit('/reset-password', { ticket: ticketOf(link), password: NEW })
    assert.equal(done.status, 302)
    assert.equal(await isSignedIn(service, browser.cookies.get('eg_session')), true)
    assert.equal(await isSignedIn(service, elsewhere.cookies.get('eg_session')), false)
    await mailbox.find(ana.email, ({ text }) => text?.includes('/recover') ?? false)
    assert.equal((await service.browser().submit('/reset-password', { ticket: ticketOf(link), password: `${NEW} 2` })).status, 400)
    assert.equal((await service.browser().signIn('/login', { email: ana.email, password: PASSWORD })).status, 401)
    assert.equal((await service.browser().signIn('/login', { email: ana.email, password: NEW })).status, 302)
  })

  it('leaves a link good for thirty minutes', async () => {
    const { mailbox, service, ana, browser, recover } = await begin()
    await recover(ana.email)
    const link = linkIn(await mailbox.find(ana.email), '/reset-password')
    service.clock.now += 30 * 60_000 + 1
    assert.equal((await browser.get(link)).status, 400)
    assert.equal((await browser.submit('/reset-password', { ticket: ticketOf(link), password: NEW })).status, 400)
  })

  it('is not distinguished from an address without an account: same status, same page, same work', async () => {
    const { mailbox, ana, recover } = await begin()
    const known = await recover(ana.email)
    const unknown = await recover('ninguem@exemplo.com.br')
    assert.equal(known.status, unknown.status)
    const neutral = (text: string, email: string) =>
      text
        .replaceAll(email, '…')
        .replace(/flow(&#61;|=)[^"&]+/g, 'flow')
        .replace(/value="[^"]+"/g, '')
    assert.equal(neutral(known.text, ana.email), neutral(unknown.text, 'ninguem@exemplo.com.br'))
    await mailbox.find(ana.email)
    assert.equal(mailbox.mails.length, 1)
  })

  it('builds the link from PORTARIA_URL, whatever the request says of its host', async () => {
    const { mailbox, service, ana, browser } = await begin()
    const flow = hiddenFlow((await browser.get('/recover')).text)
    const forged = { 'x-forwarded-host': 'evil.example', forwarded: 'host=evil.example;proto=http', 'x-forwarded-proto': 'http' }
    assert.equal((await browser.submit('/recover', { flow, email: ana.email }, forged)).status, 200)
    const { text = '', html = '' } = await mailbox.find(ana.email)
    assert.ok(text.includes(`${service.url}/reset-password?ticket=`))
    assert.ok(!`${text}${html}`.includes('evil.example'))
  })

  it('voids links mailed before, when the password changes another way', async () => {
    const { mailbox, service, ana, browser, recover } = await begin()
    await recover(ana.email)
    const link = linkIn(await mailbox.find(ana.email), '/reset-password')
    await browser.signIn('/login', { email: ana.email, password: PASSWORD })
    const changed = await browser.submit('/account/password', { password: NEW })
    assert.equal(changed.status, 200)
    assert.equal((await service.browser().submit('/reset-password', { ticket: ticketOf(link), password: `${NEW} 2` })).status, 400)
  })
})

oneDatabase('A change of address', (database) => {
  it('needs the new mailbox, notifies the old one, and can be undone from there', async () => {
    const mailbox = await startMailbox()
    const service = await startService(await database.fresh(), { environment: { PORTARIA_SMTP_URL: mailbox.url } })
    const ana = await service.user('ana@exemplo.com.br')
    const browser = service.browser()
    await browser.signIn('/login', { email: ana.email, password: PASSWORD })
    assert.equal((await browser.submit('/account/email', { email: 'nova@exemplo.com.br' })).status, 200)
    const link = linkIn(await mailbox.find('nova@exemplo.com.br'), '/confirm-email')
    const ticket = new URL(link, 'http://x').searchParams.get('ticket') ?? ''
    assert.equal((await browser.get(link)).status, 200)
    assert.equal((await browser.submit('/confirm-email', { ticket })).status, 200)
    const check = async () =>
      (await fetch(`${service.url}/auth/check`, { headers: { cookie: `eg_session=${browser.cookies.get('eg_session')}` } })).json()
    assert.equal(((await check()) as { session: { email: string } }).session.email, 'nova@exemplo.com.br')

    const undo = linkIn(await mailbox.find(ana.email), '/report-sign-in')
    const owner = service.browser()
    assert.equal((await owner.get(undo)).status, 200)
    const undone = await owner.submit('/report-sign-in', { ticket: new URL(undo, 'http://x').searchParams.get('ticket') ?? '' })
    assert.equal(undone.status, 200)
    assert.deepEqual(await check(), { authenticated: false, reason: 'invalid_session' })
    await mailbox.find(ana.email, ({ text }) => text?.includes('/reset-password') ?? false)
    assert.equal((await service.browser().signIn('/login', { email: 'nova@exemplo.com.br', password: PASSWORD })).status, 401)
  })
})

oneDatabase('A sign-in from a browser not seen before', (database) => {
  it('is reported to the owner, who can say that it was not theirs; the very first one and a known browser are not', async () => {
    const mailbox = await startMailbox()
    const service = await startService(await database.fresh(), { environment: { PORTARIA_SMTP_URL: mailbox.url } })
    const ana = await service.user('ana@exemplo.com.br')
    const own = service.browser()
    await own.signIn('/login', { email: ana.email, password: PASSWORD })
    await own.get('/auth/signout')
    await own.signIn('/login', { email: ana.email, password: PASSWORD })
    const stranger = service.browser({
      'user-agent': 'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/150.0.0.0 Safari/537.36',
    })
    await stranger.signIn('/login', { email: ana.email, password: PASSWORD })
    const mail = await mailbox.find(ana.email)
    assert.match(mail.text ?? '', /Chrome/)
    assert.equal(mailbox.mails.length, 1)
    const ticket = new URL(linkIn(mail, '/report-sign-in'), 'http://x').searchParams.get('ticket') ?? ''
    assert.equal((await own.submit('/report-sign-in', { ticket })).status, 200)
    for (const browser of [own, stranger]) {
      const check = await fetch(`${service.url}/auth/check`, { headers: { cookie: `eg_session=${browser.cookies.get('eg_session')}` } })
      assert.deepEqual(await check.json(), { authenticated: false, reason: 'invalid_session' })
    }
  })
})
