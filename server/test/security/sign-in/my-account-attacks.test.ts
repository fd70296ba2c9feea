import assert from 'node:assert/strict'
import { it } from 'node:test'
import { deleteDue, findUser } from '../../../src/admin/index.ts'
import { forgetDeadMails } from '../../../src/outbox/index.ts'
import { hiddenFlow } from '../../support/browser.ts'
import { eachDatabase } from '../../support/databases.ts'
import { completed, notify, WEBHOOKS } from '../../support/gateways/purchases.ts'
import { startMailbox } from '../../support/mailbox.ts'
import { assertNothingInside, dumpDatabase } from '../../support/routes/raw-requests.ts'
import { cheapPasswords, PASSWORD, startService, type TestService } from '../../support/service.ts'
import { codeOf, giveSecondFactor, openSecondStep, wrongCode } from '../../support/users/authenticator.ts'
import { times } from '../../support/users/mailed-service.ts'
import { creationOptions, keyHolder, ownerOf, postPasskey } from '../../support/users/passkeys.ts'
import { assertOwnRedirect, assertRefused, signedIn } from '../../support/users/sign-in-steps.ts'

const MINUTE_MS = 60_000
const WEEK = 7 * 86_400_000
const mailbox = await startMailbox()

eachDatabase('Whoever attacks a page of one’s own', (database) => {
  let users = 0
  const address = () => `dona${++users}.${database.name}@exemplo.com.br`
  async function begin(more: Record<string, string> = {}) {
    const environment = { ...WEBHOOKS, PORTARIA_SMTP_URL: mailbox.url, PORTARIA_TRUST_PROXY: '1', ...more }
    return startService(await database.fresh(), { environment, passwords: cheapPasswords, clock: { now: Date.now() } })
  }
  /** A user who has given the password, with the network and a browser that is known or not. */
  async function atSecondStep(service: TestService, email: string, { from = '203.0.113.1', device = '' } = {}) {
    const browser = service.browser({ 'x-forwarded-for': from })
    if (device !== '') browser.cookies.set('portaria_device', device)
    const flow = await openSecondStep(browser, await browser.signIn('/login', { email, password: PASSWORD }))
    return { browser, flow, type: (code: string, as = flow) => browser.submit('/second-factor', { flow: as, code }) }
  }
  const deviceOf = ({ cookies }: { cookies: ReadonlyMap<string, string> }) => cookies.get('portaria_device') ?? ''
  /** The secret that waits to be confirmed on the page. */
  const secretIn = (page: string) => /id="secret">([^<]+)</.exec(page)?.[1]?.replaceAll(' ', '') ?? assert.fail('no secret')
  async function leave(service: TestService, email = address()) {
    const user = await service.user(email)
    assert.equal((await (await signedIn(service, email)).submit('/account/delete', { email })).status, 200)
    return user
  }

  it('27 (a lock that miscounts): tries thirty codes a day in all, however many browsers it had signed in with the password before', async () => {
    const service = await begin()
    const ana = await service.user(address())
    const gathered = [deviceOf(await signedIn(service, ana.email)), deviceOf(await signedIn(service, ana.email))]
    service.clock.now += MINUTE_MS
    const app = await giveSecondFactor(service, ana)
    const statuses: number[] = []
    for (const n of times(33)) {
      service.clock.now += 2 * MINUTE_MS
      const { type } = await atSecondStep(service, ana.email, { from: `198.51.100.${n}`, device: gathered[n % 2] ?? '' })
      statuses.push((await type(wrongCode(app))).status)
    }
    assert.deepEqual(statuses, [...times(30).map(() => 401), 429, 429, 429])
  })

  it('27: but locks out neither the browser in which the factor was turned on nor one in which it was shown', async () => {
    const service = await begin()
    const ana = await service.user(address())
    const browser = await signedIn(service, ana.email)
    const before = deviceOf(browser)
    service.clock.now += MINUTE_MS
    await browser.submit('/account/second-factor/begin', {})
    const secret = secretIn((await browser.get('/account/second-factor')).text)
    const on = await browser.submit('/account/second-factor', { code: codeOf(secret, service.clock.now) })
    assert.equal(on.status, 200)
    assert.notEqual(deviceOf(browser), before)
    for (const n of times(30)) {
      service.clock.now += 2 * MINUTE_MS
      const { type } = await atSecondStep(service, ana.email, { from: `198.51.100.${n}` })
      assert.equal((await type('2222-2222-2222-2222')).status, 401)
    }
    assert.equal((await (await atSecondStep(service, ana.email)).type('2222-2222-2222-2222')).status, 429)
    for (const _ of times(2)) {
      service.clock.now += MINUTE_MS
      const own = await atSecondStep(service, ana.email, { device: deviceOf(browser) })
      assert.equal((await own.type(codeOf(secret, service.clock.now))).status, 302)
      browser.cookies.set('portaria_device', deviceOf(own.browser))
    }
  })

  it('12 (an old proof): can not keep a first factor good for longer than half an hour by opening its page again', async () => {
    const service = await begin()
    const ana = await service.user(address())
    const app = await giveSecondFactor(service, ana)
    const { browser, flow, type } = await atSecondStep(service, ana.email)
    service.clock.now += 29 * MINUTE_MS
    const anew = hiddenFlow((await browser.get(`/second-factor?flow=${encodeURIComponent(flow)}`)).text)
    const again = hiddenFlow((await type(wrongCode(app), anew)).text)
    service.clock.now += MINUTE_MS
    for (const one of [flow, anew, again]) assert.equal((await type(app.code(), one)).status, 400)
    assert.ok(!browser.cookies.has('eg_session'))
  })

  it('12: signs in with no code alone, where somebody has shown both and signed out', async () => {
    const service = await begin()
    const ana = await service.user(address())
    const app = await giveSecondFactor(service, ana)
    const { browser, type } = await atSecondStep(service, ana.email)
    assertOwnRedirect(await type(app.code()), '/auth/welcome')
    await browser.get('/auth/signout')
    assert.equal((await type(app.code(30))).status, 400)
    assert.equal((await type(app.recoveryCodes[0] ?? '')).status, 400)
    assert.ok(!browser.cookies.has('eg_session'))
  })

  it('12: begins one session with one first factor, however many right codes race', async () => {
    const service = await begin()
    const ana = await service.user(address())
    const app = await giveSecondFactor(service, ana)
    const { type } = await atSecondStep(service, ana.email)
    const answers = await Promise.all([app.code(), ...app.recoveryCodes.slice(0, 4)].map((code) => type(code)))
    assert.deepEqual(answers.map(({ status }) => status).sort(), [302, 400, 400, 400, 400])
  })

  it('15 (forms of other sites): is refused where a browser does not say which page a form is of, since nothing else could', async () => {
    const service = await begin()
    const { email } = await service.user(address())
    const browser = await signedIn(service, email)
    const forms: Array<[string, Record<string, string>]> = [
      ['/account/sessions/end-others', {}],
      ['/account/language', { language: 'en' }],
      ['/account/second-factor/begin', {}],
      ['/account/password', { password: 'girassol azul no telhado' }],
      ['/account/data', {}],
      ['/account/delete', { email }],
    ]
    for (const [path, fields] of forms) {
      const headers = { 'content-type': 'application/x-www-form-urlencoded' }
      const answer = await browser.request('POST', path, { headers, body: new URLSearchParams(fields).toString() })
      assertRefused(answer, 403, 'origem nao permitida')
    }
  })

  it('24 (sessions that live on): gets nothing that asks for a recent authentication with a session that has ended, before the node has heard of it', async () => {
    const service = await begin()
    const { id, email } = await service.user(address())
    const browser = await signedIn(service, email)
    assert.equal((await browser.get('/account/data')).status, 200)
    // As another node does, whose change has not arrived yet.
    await service.context.storage.db.updateTable('sessions').set({ ended_at: service.clock.now }).where('user_id', '=', id).execute()
    for (const path of ['/account/data', '/account/passkeys/options']) assertOwnRedirect(await browser.submit(path, {}), '/login')
  })

  it('(an address that changes hands): downloads nothing of what an account has bought that had the address before', async () => {
    const service = await begin()
    const shared = address()
    const bia = await service.user(shared)
    const buy = (name: string) => notify(service.url, { ...completed({ email: shared }), customer: { email: shared, name } })
    assert.equal((await buy('Bia Segredo')).status, 200)
    await service.context.storage.db.updateTable('users').set({ email: address() }).where('id', '=', bia.id).execute()
    const browser = await signedIn(service, (await service.user(shared)).email)
    assert.equal((await buy('Davi Claro')).status, 200)
    const { text } = await browser.submit('/account/data', {})
    assert.ok(text.includes('Davi Claro'))
    assert.ok(!text.includes('Bia Segredo') && !text.includes(bia.id))
  })

  it('holds up nobody’s deletion by an account that can not go', async () => {
    const service = await begin()
    const stuck = await leave(service)
    service.clock.now += 1
    const free = await leave(service)
    service.clock.now += WEEK
    const { context } = service
    const { transaction } = context.changes
    let nth = 0
    const sick: typeof transaction = (work) => (nth++ === 0 ? Promise.reject(new Error('this one is stuck')) : transaction(work))
    await assert.rejects(deleteDue({ ...context, changes: { ...context.changes, transaction: sick } }), /stuck/)
    assert.ok(await findUser(context.storage.db, stuck.id))
    assert.equal(await findUser(context.storage.db, free.id), undefined)
    assert.equal(await deleteDue(context), 1)
  })

  it('reads in no mail that could not be delivered who was here: it is kept for a month, and removed', async () => {
    const service = await begin({ PORTARIA_SMTP_URL: 'smtp://127.0.0.1:9' })
    const { email } = await leave(service)
    const { db } = service.context.storage
    await db.updateTable('outbox').set({ dead_at: service.clock.now }).execute()
    const holds = async () => (await db.selectFrom('outbox').select('id').execute()).length
    await forgetDeadMails(db, service.clock.now)
    assert.equal(await holds(), 1)
    await forgetDeadMails(db, service.clock.now + 1)
    assert.equal(await holds(), 0)
    service.clock.now += WEEK
    assert.equal(await deleteDue(service.context), 1)
    assert.ok(!(await dumpDatabase(service)).includes(email))
  })

  it('finds no fault with an id that no passkey can have', async () => {
    const service = await begin()
    const { browser } = await keyHolder(service, address())
    const answers = [
      await browser.get('/account/passkeys/change?id=%00'),
      await browser.submit('/account/passkeys/rename', { id: '\0', name: 'x' }),
      await browser.submit('/account/passkeys/remove', { id: '\0' }),
    ]
    assert.deepEqual(
      answers.map(({ status }) => status),
      [404, 404, 404],
    )
  })

  it('finds no fault with a passkey that is no passkey, however it is folded, and is refused at once', async () => {
    const service = await begin()
    const { browser } = await ownerOf(service, address())
    const objects = {
      'a number': [1],
      'a list': [0x80],
      'an empty map': [0xa0],
      'a format without its statement': [0xa1, 0x63, ...Buffer.from('fmt'), 0x66, ...Buffer.from('packed')],
      'a statement that is no map': [0xa2, 0x63, ...Buffer.from('fmt'), 0x64, ...Buffer.from('none'), 0x67, ...Buffer.from('attStmt'), 1],
      'a list of four milliards': [0x9b, 0, 0, 0, 0, 255, 255, 255, 255],
      'a map of four milliards': [0xbb, 0, 0, 0, 0, 255, 255, 255, 255],
      'bytes of four milliards': [0x5b, 0, 0, 0, 0, 255, 255, 255, 255],
      'fourteen thousand lists in each other': times(14_000).map(() => 0x81),
    }
    for (const [what, bytes] of Object.entries(objects)) {
      const { challenge } = await creationOptions(browser)
      const client = { type: 'webauthn.create', challenge, origin: service.url }
      const response = {
        clientDataJSON: Buffer.from(JSON.stringify(client)).toString('base64url'),
        attestationObject: Buffer.from(bytes).toString('base64url'),
      }
      const answer = await postPasskey(browser, JSON.stringify({ id: 'AAAA', rawId: 'AAAA', type: 'public-key', response }))
      assert.equal(answer.status, 400, what)
      assertNothingInside(answer.text, what)
    }
  })

  it('buries the mail that matters under no more than thirty others in an hour', async () => {
    const service = await begin()
    const { id, email } = await service.user(address())
    const browser = await signedIn(service, email)
    const statuses: number[] = []
    for (const _ of times(18)) {
      await browser.submit('/account/second-factor/begin', {})
      const secret = secretIn((await browser.get('/account/second-factor')).text)
      const code = codeOf(secret, service.clock.now)
      statuses.push((await browser.submit('/account/second-factor', { code })).status)
      statuses.push((await browser.submit('/account/second-factor/off', {})).status)
      if (statuses.at(-1) === 429) break
    }
    assert.deepEqual(
      statuses.slice(0, 30),
      times(30).map(() => 200),
    )
    assert.deepEqual(statuses.slice(30), [429, 429])
    for (const [path, fields] of [
      ['/account/password', { password: 'girassol azul no telhado' }],
      ['/account/passkeys', { credential: '{}', name: '' }],
      ['/account/passkeys/remove', { id: 'x' }],
      ['/account/second-factor/recovery-codes', {}],
      ['/account/providers/unlink', { issuer: 'x', subject: 'y' }],
    ] as const) {
      const answer = await browser.submit(path, fields, { accept: 'application/json' })
      assertRefused(answer, 429, 'muitas tentativas')
      assert.ok(Number(answer.headers.get('retry-after')) > 0)
    }
    const mails = await service.context.storage.db.selectFrom('sent_mails').select('id').where('user_id', '=', id).execute()
    assert.ok(mails.length <= 31, String(mails.length))
    service.clock.now += 60 * MINUTE_MS
    const later = await signedIn(service, email)
    assert.equal((await later.submit('/account/password', { password: 'girassol azul no telhado' })).status, 200)
  })
})
