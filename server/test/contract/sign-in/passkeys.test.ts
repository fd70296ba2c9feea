import assert from 'node:assert/strict'
import { it } from 'node:test'
import { disableUser, enableUser, findUser } from '../../../src/admin/index.ts'
import { passkeyChallengeStore, requestDeletion } from '../../../src/users/index.ts'
import { eachDatabase } from '../../support/databases.ts'
import { PASSWORD, startForSuite, startService } from '../../support/service.ts'
import { giveSecondFactor } from '../../support/users/authenticator.ts'
import { assertSignedOut, bends, MINUTE, REFUSED, UNVERIFIED } from '../../support/users/passkey-answers.ts'
import { type Bend, passkeyDevice } from '../../support/users/passkey-device.ts'
import {
  auditOf,
  creationOptions,
  elsewhere,
  enterWith,
  keyHolder,
  openLogin,
  ownerOf,
  passkeysOf,
  postPasskey,
  postSignIn,
} from '../../support/users/passkeys.ts'
import { assertOwnRedirect, assertPage, assertRefused, INTERNAL, loginAddress } from '../../support/users/sign-in-steps.ts'

/** The same for what only a signature can be. */
const badSignatures: Readonly<Record<string, Bend>> = {
  'with a signature of another key': {
    signature: (signature) => Buffer.concat([signature.subarray(0, -1), Buffer.from([signature.at(-1) === 0 ? 1 : 0])]),
  },
  'with a signature cut short': { signature: (signature) => signature.subarray(0, 20) },
  'of a key that nobody has': { credentialId: Buffer.alloc(32, 9).toString('base64url') },
  'in the name of another account': { userHandle: Buffer.alloc(16, 1).toString('base64url') },
  'in nobody’s name': { userHandle: null },
}

eachDatabase('A passkey', (database) => {
  const suite = startForSuite(database, { environment: { PORTARIA_TRUST_PROXY: '1' } })
  let users = 0
  const someone = () => `passkey${++users}@exemplo.com.br`

  it('is made for this host alone, known to the device, verified by it, without attestation, and once a device', async () => {
    const service = suite()
    const owner = await keyHolder(service, someone())
    const options = await creationOptions(owner.browser)
    const { id: rpId } = options.rp
    assert.equal(rpId, 'localhost')
    assert.equal(options.attestation, 'none')
    assert.deepEqual(options.authenticatorSelection, { residentKey: 'required', userVerification: 'required', requireResidentKey: true })
    assert.deepEqual(options.excludeCredentials, [
      { id: owner.device.credentialId(), type: 'public-key', transports: ['internal', 'hybrid'] },
    ])
    assert.equal(Buffer.from(options.user.id, 'base64url').toString('hex'), owner.user.id.replaceAll('-', ''))
  })

  it('is asked for without naming anyone, with a fresh challenge for each who asks', async () => {
    const service = suite()
    await keyHolder(service, someone())
    const [one, other] = [await openLogin(service), await openLogin(service)]
    assert.deepEqual(one.options.allowCredentials, [])
    assert.equal(one.options.userVerification, 'required')
    assert.equal(Buffer.from(one.options.challenge, 'base64url').length, 32)
    assert.notEqual(one.options.challenge, other.options.challenge)
  })

  it('is of the service’s own host, whatever the cookie domain', async () => {
    const environment = { PORTARIA_URL: 'https://entrar.exemplo.com.br', PORTARIA_COOKIE_DOMAIN: 'exemplo.com.br' }
    const service = await startService(await database.fresh(), { environment })
    const { options } = await openLogin(service, service.browser())
    assert.equal(options.rpId, 'entrar.exemplo.com.br')
  })

  it('signs in to an app, with all the cookies of a sign-in', async () => {
    const service = suite()
    await service.product({ slug: 'app-com-passkey', uris: [INTERNAL] })
    const { device, user } = await keyHolder(service, someone())
    const asked = await openLogin(service, elsewhere(service), loginAddress({ redirect_to: INTERNAL, state: 's1' }))
    const answer = await postSignIn(asked, device.sign(asked.options))
    assertOwnRedirect(answer, '/auth/welcome')
    const left = await asked.browser.follow(answer)
    assert.equal(left.location?.origin, new URL(INTERNAL).origin)
    assert.equal(left.location?.searchParams.get('state'), 's1')
    const account = await asked.browser.get('/account')
    assert.match(account.text, new RegExp(user.email.replaceAll('.', '\\.')))
    assert.ok((await passkeysOf(service, user))[0]?.last_used_at)
  })

  it('is both factors: who has a second one is not asked for it', async () => {
    const service = suite()
    const { device, user } = await keyHolder(service, someone())
    await giveSecondFactor(service, user)
    const byPassword = await elsewhere(service).signIn('/login', { email: user.email, password: PASSWORD })
    assertOwnRedirect(byPassword, '/second-factor')
    assertOwnRedirect(await enterWith(service, device), '/auth/welcome')
  })

  for (const [wrong, bend] of Object.entries({ ...bends, ...badSignatures })) {
    it(`signs nobody in by an answer ${wrong}`, async () => {
      const service = suite()
      const { device } = await keyHolder(service, someone())
      const answer = await enterWith(service, device, bend)
      assertRefused(answer, 401, REFUSED)
      assertSignedOut(answer)
      assert.equal((await enterWith(service, device)).status, 302)
    })
  }

  it('signs nobody in by what is no answer at all', async () => {
    const service = suite()
    const { device } = await keyHolder(service, someone())
    const { options } = await openLogin(service)
    const right = JSON.parse(device.sign(options))
    const clientless = { ...right, response: { ...right.response, clientDataJSON: Buffer.from('[]').toString('base64url') } }
    for (const credential of ['', 'null', '{', '[]', '{}', JSON.stringify(clientless), JSON.stringify({ ...right, id: 7 })]) {
      const asked = await openLogin(service)
      assertRefused(await postSignIn(asked, credential), 401, REFUSED)
    }
  })

  it('of another account signs nobody in as its owner', async () => {
    const service = suite()
    const [ana, bia] = [await keyHolder(service, someone()), await keyHolder(service, someone())]
    const answer = await enterWith(service, bia.device, { credentialId: ana.device.credentialId() })
    assertRefused(answer, 401, REFUSED)
    assertRefused(
      await enterWith(service, bia.device, { userHandle: Buffer.from(ana.user.id.replaceAll('-', ''), 'hex').toString('base64url') }),
      401,
      REFUSED,
    )
  })

  it('answers a challenge once, within five minutes, in the browser that asked, and only one for signing in', async () => {
    const service = suite()
    const { device } = await keyHolder(service, someone())
    const asked = await openLogin(service)
    const credential = device.sign(asked.options)
    assert.equal((await postSignIn(asked, credential)).status, 302)
    const again = elsewhere(service)
    for (const [name, value] of asked.browser.cookies) if (name === 'portaria_flow') again.cookies.set(name, value)
    assertRefused(await postSignIn({ ...asked, browser: again }, credential), 401, REFUSED)

    const late = await openLogin(service)
    service.clock.now += 5 * MINUTE
    assertRefused(await postSignIn(late, device.sign(late.options)), 401, REFUSED)
    service.clock.now -= 1
    const soon = await openLogin(service)
    service.clock.now += 5 * MINUTE - 1
    assert.equal((await postSignIn(soon, device.sign(soon.options))).status, 302)

    const [here, there] = [await openLogin(service), await openLogin(service)]
    assertRefused(await postSignIn(there, device.sign(here.options)), 401, REFUSED)
    const fresh = await ownerOf(service, someone())
    const toAdd = await creationOptions(fresh.browser)
    const login = await openLogin(service)
    assertRefused(await postSignIn(login, device.sign({ challenge: toAdd.challenge, rpId: toAdd.rp.id })), 401, REFUSED)
  })

  it('has a challenge that is good for its purpose and its user alone, and stays for them until it is taken', async () => {
    const service = suite()
    const [{ user }, other] = [await keyHolder(service, someone()), await keyHolder(service, someone())]
    const challenges = passkeyChallengeStore(service.context.storage.db)
    const { now } = service.clock
    const own = { hash: `hash-${user.id}`, purpose: 'add', userId: user.id } as const
    await challenges.insert({ ...own, expiresAt: now + 1 })
    assert.equal(await challenges.take({ ...own, purpose: 'sign_in' }, now), false)
    assert.equal(await challenges.take({ ...own, userId: other.user.id }, now), false)
    assert.equal(await challenges.take({ ...own, userId: undefined }, now), false)
    assert.equal(await challenges.take(own, now), true)
    assert.equal(await challenges.take(own, now), false)
  })

  it('signs in once, however many requests race with one answer', async () => {
    const service = suite()
    const { device } = await keyHolder(service, someone())
    const asked = await openLogin(service)
    const credential = device.sign(asked.options)
    const browsers = Array.from({ length: 20 }, () => {
      const one = elsewhere(service)
      for (const [name, value] of asked.browser.cookies) one.cookies.set(name, value)
      return one
    })
    const answers = await Promise.all(browsers.map((browser) => postSignIn({ ...asked, browser }, credential)))
    assert.equal(answers.filter(({ status }) => status === 302).length, 1)
    assert.equal(answers.filter(({ status }) => status === 401).length, 19)
  })

  it('whose count goes back is refused, and the audit log says so', async () => {
    const service = suite()
    const { device, user } = await keyHolder(service, someone(), { counts: true })
    assert.equal((await enterWith(service, device, { counter: 7 })).status, 302)
    for (const counter of [7, 6, 0]) assertRefused(await enterWith(service, device, { counter }), 401, REFUSED)
    assert.equal((await auditOf(service, user, 'user.passkey_counter_back')).length, 3)
    assert.equal((await enterWith(service, device, { counter: 8 })).status, 302)
    assert.equal((await passkeysOf(service, user))[0]?.counter, 8)
    assertRefused(await enterWith(service, device, { counter: 5, signature: (signature) => signature.subarray(1) }), 401, REFUSED)
    assert.equal((await auditOf(service, user, 'user.passkey_counter_back')).length, 3)
  })

  it('of which two devices have a copy signs in one of them, when both count alike at once', async () => {
    const service = suite()
    const { device } = await keyHolder(service, someone(), { counts: true })
    const asked = await Promise.all(Array.from({ length: 8 }, () => openLogin(service)))
    const answers = await Promise.all(asked.map((one) => postSignIn(one, device.sign(one.options, { counter: 40 }))))
    assert.equal(answers.filter(({ status }) => status === 302).length, 1)
  })

  it('28 (counters that a side channel skips): shares its failures with the password, both ways', async () => {
    const service = suite()
    const { device, user } = await keyHolder(service, someone())
    const from = elsewhere(service)
    const wrong = async () => {
      const asked = await openLogin(service, from)
      return postSignIn(asked, device.sign(asked.options, { flags: UNVERIFIED }))
    }
    const withPassword = (password: string) => from.signIn('/login', { email: user.email, password })
    for (let failures = 0; failures < 9; failures++) assert.equal((await wrong()).status, 401)
    assert.equal((await withPassword('errada')).status, 401)
    assert.equal((await withPassword(PASSWORD)).status, 429)
    const asked = await openLogin(service, from)
    const right = await postSignIn(asked, device.sign(asked.options))
    assertRefused(right, 429, 'muitas tentativas')
    assert.ok(Number(right.headers.get('retry-after')) > 0)
    assert.equal((await enterWith(service, device)).status, 302)
  })

  it('27 (a lock-out that miscounts): is not counted when it is right', async () => {
    const service = suite()
    const { device, user } = await keyHolder(service, someone())
    const from = elsewhere(service)
    for (let times = 0; times < 12; times++) {
      from.cookies.clear()
      const asked = await openLogin(service, from)
      assert.equal((await postSignIn(asked, device.sign(asked.options))).status, 302)
    }
    from.cookies.clear()
    assert.equal((await from.signIn('/login', { email: user.email, password: 'errada' })).status, 401)
  })

  it('that nobody has is limited like one that somebody has', async () => {
    const service = suite()
    const from = elsewhere(service)
    const stranger = passkeyDevice(service.url)
    stranger.make({ challenge: 'x', rp: { id: 'localhost' }, user: { id: Buffer.alloc(16).toString('base64url') } })
    const attempt = async () => {
      const asked = await openLogin(service, from)
      return postSignIn(asked, stranger.sign(asked.options))
    }
    for (let failures = 0; failures < 10; failures++) assertRefused(await attempt(), 401, REFUSED)
    assertRefused(await attempt(), 429, 'muitas tentativas')
  })

  it('is offered to a network 600 times in a quarter of an hour, and to be made there 60 times', async () => {
    const service = suite()
    const { browser } = await ownerOf(service, someone())
    const { db } = service.context.storage
    const key = (purpose: string) => db.updateTable('rate_limits').where('key', 'like', `passkey:${purpose}:%`)
    const visitor = elsewhere(service)
    const asked = await openLogin(service, visitor)
    await key('sign_in').set({ count: 600 }).execute()
    const refused = await visitor.submit('/passkeys/sign-in/options', { flow: asked.flow }, { accept: '*/*' })
    assertRefused(refused, 429, 'muitas tentativas')
    assert.ok(Number(refused.headers.get('retry-after')) > 0)
    await key('sign_in').set({ count: 1 }).execute()
    await creationOptions(browser)
    await key('add').set({ count: 60 }).execute()
    assertRefused(await browser.submit('/account/passkeys/options', {}, { accept: '*/*' }), 429, 'muitas tentativas')
    assertRefused(await postPasskey(browser, '{}'), 429, 'muitas tentativas')
    await key('add').set({ count: 1 }).execute()
  })

  it('of a disabled account signs nobody in, and does when it is enabled again', async () => {
    const service = suite()
    const { device, user } = await keyHolder(service, someone())
    const deps = { ...service.context, actor: 'operator:test' }
    const account = await findUser(service.context.storage.db, user.id)
    assert.ok(account)
    await disableUser(account, undefined, deps)
    assertRefused(await enterWith(service, device), 401, REFUSED)
    await enableUser(account, deps)
    assert.equal((await enterWith(service, device)).status, 302)
  })

  it('of an account that is about to be deleted says so to its user, and nobody else', async () => {
    const service = suite()
    const { device, user } = await keyHolder(service, someone())
    const { storage, sealer, masterKeys, now } = service.context
    const account = await findUser(storage.db, user.id)
    assert.ok(account)
    const deps = { now, ip: '192.0.2.1', sealer, codeKey: masterKeys.ticketCode }
    assert.ok(await storage.transaction((tx) => requestDeletion(tx, account, deps)))
    assertRefused(await enterWith(service, device), 403, 'conta em exclusao')
    assertRefused(await enterWith(service, device, { flags: UNVERIFIED }), 401, REFUSED)
  })

  it('comes from our own pages alone, in a flow of this browser', async () => {
    const service = suite()
    const { device, browser } = await keyHolder(service, someone())
    const asked = await openLogin(service)
    const credential = device.sign(asked.options)
    const foreign = { origin: 'https://evil.example', accept: 'application/json' }
    assertRefused(await asked.browser.submit('/passkeys/sign-in', { flow: asked.flow, credential }, foreign), 403, 'origem nao permitida')
    assertRefused(await asked.browser.submit('/passkeys/sign-in/options', { flow: asked.flow }, foreign), 403, 'origem nao permitida')
    const other = elsewhere(service)
    assertRefused(await postSignIn({ ...asked, browser: other }, credential), 400, 'fluxo invalido ou expirado')
    for (const path of ['', '/options', '/rename', '/remove'])
      assertRefused(await browser.submit(`/account/passkeys${path}`, {}, foreign), 403, 'origem nao permitida')
  })

  it('that was refused leaves the login page as it was, with what to do', async () => {
    const service = suite()
    const { device } = await keyHolder(service, someone())
    const asked = await openLogin(service)
    const credential = device.sign(asked.options, { flags: UNVERIFIED })
    const page = await asked.browser.submit('/passkeys/sign-in', { flow: asked.flow, credential })
    assertPage(page, 401)
    assert.match(page.text, /role="alert"/)
    assert.match(page.text, /name="password"/)
  })
})
