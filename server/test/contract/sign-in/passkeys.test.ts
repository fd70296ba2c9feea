import assert from 'node:assert/strict'
import { it } from 'node:test'
import { setTimeout as wait } from 'node:timers/promises'
import { disableUser, enableUser, findUser } from '../../../src/admin/index.ts'
import { passkeyChallengeStore, requestDeletion } from '../../../src/users/index.ts'
import { eachDatabase } from '../../support/databases.ts'
import { startMailbox } from '../../support/mailbox.ts'
import { holdNextAnswer, mint } from '../../support/routes/raw-requests.ts'
import { cheapPasswords, PASSWORD, startForSuite, startService, type TestService } from '../../support/service.ts'
import { giveSecondFactor } from '../../support/users/authenticator.ts'
import { type Bend, type PasskeyDevice, passkeyDevice } from '../../support/users/passkey-device.ts'
import {
  type Asked,
  addPasskey,
  auditOf,
  creationOptions,
  elsewhere,
  enterWith,
  type KeyHolder,
  keyHolder,
  openLogin,
  ownerOf,
  passkeysOf,
  postPasskey,
  postSignIn,
} from '../../support/users/passkeys.ts'
import {
  assertOwnRedirect,
  assertPage,
  assertRefused,
  EXTERNAL,
  INTERNAL,
  isLive,
  loginAddress,
  parameter,
  pass,
  sessionOf,
  signedIn,
  verify,
} from '../../support/users/sign-in-steps.ts'
import { ATTESTATION } from '../../vectors/attestation.ts'

const REFUSED = 'credenciais invalidas'
const UNVERIFIED = 0b001
const ABSENT = 0b100
const MINUTE = 60_000

/** Answers to a challenge that are wrong in one way. */
const bends: Readonly<Record<string, Bend>> = {
  'from a page of another app of the domain': { origin: 'http://painel.localhost' },
  'from the same host on another port': { origin: 'http://localhost:1' },
  'for another relying party': { rpId: 'exemplo.com.br' },
  'of the other kind': { type: 'webauthn.other' },
  'of a device that saw nobody': { flags: ABSENT },
  'of a device that did not verify who was there': { flags: UNVERIFIED },
  'to a challenge that nobody made': { challenge: Buffer.alloc(32, 7).toString('base64url') },
}

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

function assertSignedOut({ browser }: Pick<Asked, 'browser'>): void {
  for (const name of ['eg_session', 'portaria']) assert.equal(browser.cookies.has(name), false, name)
}

eachDatabase('A passkey', (database) => {
  const suite = startForSuite(database, { environment: { PORTARIA_TRUST_PROXY: '1' } })
  let people = 0
  const someone = () => `passkey${++people}@exemplo.com.br`

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

  it('has a challenge that is good for its purpose and its person alone, and stays for them until it is taken', async () => {
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

  it('of an account that is about to be deleted tells its person so, and nobody else', async () => {
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

/** Answers that make no passkey: those above, and what comes with a certificate. */
const badCreations: Readonly<Record<string, Bend>> = {
  ...bends,
  'with a certificate, unread': { attestation: ATTESTATION },
}

eachDatabase('Adding a passkey', (database) => {
  const suite = startForSuite(database, { environment: { PORTARIA_TRUST_PROXY: '1' } })
  let people = 0
  const someone = () => `dono${++people}@exemplo.com.br`

  for (const [wrong, bend] of Object.entries(badCreations)) {
    it(`keeps nothing of an answer ${wrong}`, async () => {
      const service = suite()
      const owner = await ownerOf(service, someone())
      assertRefused(await addPasskey(owner, bend), 400, 'campos invalidos')
      assert.deepEqual(await passkeysOf(service, owner.user), [])
    })
  }

  it('takes one answer to one challenge, within five minutes, of that person in that session, and none for signing in', async () => {
    const service = suite()
    const owner = await ownerOf(service, someone())
    const { browser, device } = owner
    const credential = device.make(await creationOptions(browser))
    assert.equal((await postPasskey(browser, credential)).status, 200)
    assertRefused(await postPasskey(browser, credential), 400, 'campos invalidos')

    const late = device.make(await creationOptions(browser))
    service.clock.now += 5 * MINUTE
    assertRefused(await postPasskey(browser, late), 400, 'campos invalidos')

    const other = await ownerOf(service, someone())
    const theirs = other.device.make(await creationOptions(other.browser))
    assertRefused(await postPasskey(browser, theirs), 400, 'campos invalidos')

    const second = elsewhere(service)
    await second.signIn('/login', { email: owner.user.email, password: PASSWORD })
    const ofThatSession = device.make(await creationOptions(second))
    assertRefused(await postPasskey(browser, ofThatSession), 400, 'campos invalidos')

    const asked = await openLogin(service)
    const toSignIn = device.make({ challenge: asked.options.challenge, rp: { id: asked.options.rpId }, user: { id: 'AAAA' } })
    assertRefused(await postPasskey(browser, toSignIn), 400, 'campos invalidos')
    assert.equal((await passkeysOf(service, owner.user)).length, 1)
    assert.deepEqual(await passkeysOf(service, other.user), [])
  })

  it('happens once, however many requests race with one answer', async () => {
    const service = suite()
    const { browser, device, user } = await ownerOf(service, someone())
    const credential = device.make(await creationOptions(browser))
    const answers = await Promise.all(Array.from({ length: 20 }, () => postPasskey(browser, credential)))
    assert.equal(answers.filter(({ status }) => status === 200).length, 1)
    assert.equal((await passkeysOf(service, user)).length, 1)
    assert.equal((await auditOf(service, user, 'user.passkey_added')).length, 1)
  })

  it('refuses a key that an account has, and the twenty-first of one', async () => {
    const service = suite()
    const [ana, bia] = [await keyHolder(service, someone()), await ownerOf(service, someone())]
    const { db } = service.context.storage
    const credential = bia.device.make(await creationOptions(bia.browser))
    const [key] = await passkeysOf(service, ana.user)
    assert.ok(key)
    await db.updateTable('passkeys').set({ id: bia.device.credentialId() }).where('id', '=', key.id).execute()
    assertRefused(await postPasskey(bia.browser, credential), 400, 'campos invalidos')
    assert.deepEqual(await passkeysOf(service, bia.user), [])
    assert.equal((await passkeysOf(service, ana.user)).length, 1)
    const more = Array.from({ length: 18 }, (_, i) => ({ ...key, id: `mais-${ana.user.id}-${i}` }))
    await db.insertInto('passkeys').values(more).execute()
    assert.equal((await addPasskey(ana)).status, 200)
    assertRefused(await addPasskey(ana), 400, 'campos invalidos')
    assert.equal((await passkeysOf(service, ana.user)).length, 20)
  })

  it('needs a proof of who one is, ten minutes old at most, as looking at them, renaming and removing do', async () => {
    const service = suite()
    const owner = await keyHolder(service, someone())
    const { browser, device, user } = owner
    const id = device.credentialId()
    const credential = device.make(await creationOptions(browser))
    const before = await passkeysOf(service, user)
    service.clock.now += 10 * MINUTE
    const posts = { '': { credential, name: 'x' }, '/options': {}, '/rename': { id, name: 'x' }, '/remove': { id } }
    for (const [path, fields] of Object.entries(posts))
      assertOwnRedirect(await browser.submit(`/account/passkeys${path}`, fields), '/login')
    assertOwnRedirect(await browser.get(`/account/passkeys/change?id=${id}`), '/login')
    const sent = await browser.get('/account/passkeys')
    const login = assertOwnRedirect(sent, '/login')
    assert.deepEqual(await passkeysOf(service, user), before)
    // The device made another key just now: the first one is the one that signs.
    const asked = await openLogin(service, browser, login)
    assertRefused(await postSignIn(asked, device.sign(asked.options)), 401, REFUSED)
    const nobody = elsewhere(service)
    for (const path of ['', '/options', '/rename', '/remove'])
      assertOwnRedirect(await nobody.submit(`/account/passkeys${path}`, {}), '/login')
  })

  it('is possible again after a proof by a passkey, which ends where it was asked for', async () => {
    const service = suite()
    const { browser, device } = await keyHolder(service, someone())
    service.clock.now += 10 * MINUTE
    const login = assertOwnRedirect(await browser.get('/account/passkeys'), '/login')
    const asked = await openLogin(service, browser, login)
    const ended = await browser.follow(await postSignIn(asked, device.sign(asked.options)))
    assertPage(ended, 200)
    assert.match(ended.text, /action="\/account\/passkeys"/)
    assert.equal((await browser.get('/account/passkeys')).status, 200)
  })

  it('keeps the name in one line of sixty characters, or the browser’s own where there is none', async () => {
    const service = suite()
    const { browser, device, user } = await ownerOf(service, someone())
    for (const name of ['  Meu\r\n celular \u202e ', 'a'.repeat(80), ' \n '])
      assert.equal((await postPasskey(browser, device.make(await creationOptions(browser)), name)).status, 200)
    const names = (await passkeysOf(service, user)).map(({ name }) => name).sort()
    assert.deepEqual(names, ['Meu celular', 'Passkey', 'a'.repeat(60)])
  })
})

eachDatabase('A person’s passkeys', (database) => {
  const suite = startForSuite(database, { environment: { PORTARIA_TRUST_PROXY: '1' } })
  let people = 0
  const someone = () => `lista${++people}@exemplo.com.br`
  const change = ({ browser }: Pick<KeyHolder, 'browser'>, action: 'rename' | 'remove', fields: Record<string, string>) =>
    browser.submit(`/account/passkeys/${action}`, fields, { accept: 'application/json' })
  const dropPassword = (service: TestService, { id }: { id: string }) =>
    service.context.storage.db.updateTable('users').set({ password_hash: null }).where('id', '=', id).execute()

  it('are listed with name and times, and renamed', async () => {
    const service = suite()
    const owner = await keyHolder(service, someone())
    const id = owner.device.credentialId()
    assert.equal((await change(owner, 'rename', { id, name: 'Notebook <b>' })).status, 200)
    const page = await owner.browser.get('/account/passkeys')
    assertPage(page, 200)
    assert.match(page.text, /<strong>Notebook &[#\w]+;b/)
    assert.match(page.text, /Ainda não usada/)
    assertPage(await owner.browser.get(`/account/passkeys/change?id=${id}`), 200)
    await enterWith(service, owner.device)
    assert.match((await owner.browser.get('/account/passkeys')).text, /Usada em \d/)
  })

  it('that are another’s can be neither renamed nor removed', async () => {
    const service = suite()
    const [ana, bia] = [await keyHolder(service, someone()), await keyHolder(service, someone())]
    const id = ana.device.credentialId()
    assertPage(await bia.browser.get(`/account/passkeys/change?id=${id}`), 404)
    assertRefused(await change(bia, 'rename', { id, name: 'x' }), 404, 'campos invalidos')
    assertRefused(await change(bia, 'remove', { id }), 404, 'campos invalidos')
    assert.equal((await passkeysOf(service, ana.user))[0]?.name, 'Celular')
  })

  it('that were removed sign nobody in, not even with a signature made before', async () => {
    const service = suite()
    const owner = await keyHolder(service, someone())
    const { device, user } = owner
    const asked = await openLogin(service)
    const credential = device.sign(asked.options)
    assert.equal((await change(owner, 'remove', { id: device.credentialId() })).status, 200)
    assertRefused(await postSignIn(asked, credential), 401, REFUSED)
    assertRefused(await enterWith(service, device), 401, REFUSED)
    assert.equal((await auditOf(service, user, 'user.passkey_removed')).length, 1)
    assertRefused(await change(owner, 'remove', { id: device.credentialId() }), 404, 'campos invalidos')
  })

  it('that are removed end what they began, products too, on every node within 2 s: but neither this browser nor what began otherwise', async () => {
    const place = await database.fresh()
    const environment = { PORTARIA_TRUST_PROXY: '1' }
    const service = await startService(place, { environment, passwords: cheapPasswords })
    const node =
      database.name === 'postgres'
        ? await startService(place, { environment: { ...environment, PORTARIA_URL: service.url }, passwords: cheapPasswords })
        : service
    const { product, apiKey } = await service.product({ slug: 'fora', audience: 'external', checkout: 'external', uris: [EXTERNAL] })
    const owner = await keyHolder(service, someone())
    const { device, user } = owner
    const key = device.credentialId()
    const thief = await enterWith(service, device)
    const handoff = parameter(await pass(thief.browser, { redirect_to: EXTERNAL, api_key: product.publishableKey }), 'eg_token')
    const outside = (await verify(service, handoff, apiKey)).json<{ eg_session: string }>().eg_session
    assert.equal((await addPasskey(owner)).status, 200)
    const byOther = (await enterWith(service, device)).browser
    const byPassword = await signedIn(service, user.email)
    const others = [byOther, byPassword, owner.browser].map(sessionOf)
    for (const one of [service, node]) assert.ok((await isLive(one, sessionOf(thief.browser))) && (await isLive(one, outside, apiKey)))
    assert.equal((await change(owner, 'remove', { id: key })).status, 200)
    await wait(2_000)
    for (const one of [service, node]) {
      assert.equal(await isLive(one, sessionOf(thief.browser)), false)
      assert.equal(await isLive(one, outside, apiKey), false)
      for (const session of others) assert.ok(await isLive(one, session))
    }
    const ended = await service.context.storage.db
      .selectFrom('sessions')
      .select('id')
      .where('ended_reason', '=', 'passkey_removed')
      .execute()
    assert.equal(ended.length, 2)
    await service.stop()
  })

  it('that are removed in a browser that signed in with them leave that one signed in, and end the others; page and mail say so', async () => {
    const mailbox = await startMailbox()
    const environment = { PORTARIA_TRUST_PROXY: '1', PORTARIA_SMTP_URL: mailbox.url }
    const service = await startService(await database.fresh(), { environment, passwords: cheapPasswords })
    const { device, user } = await keyHolder(service, someone())
    const [here, there] = [await enterWith(service, device), await enterWith(service, device)]
    const removed = await here.browser.submit('/account/passkeys/remove', { id: device.credentialId() })
    assertPage(removed, 200)
    assert.match(removed.text, /os outros navegadores que entraram com ela saíram/)
    assert.ok(await isLive(service, sessionOf(here.browser)))
    assert.equal(await isLive(service, sessionOf(there.browser)), false)
    const { text = '' } = await mailbox.find(user.email, ({ subject }) => subject === 'Passkey removida da sua conta')
    assert.match(text.replace(/\s+/g, ' '), /os navegadores que entraram com ela saíram da conta, menos o que a removeu/)
  })

  it('of others end nothing when someone asks for their removal, and the last one, which stays, ends nothing either', async () => {
    const service = suite()
    const [ana, bia] = [await keyHolder(service, someone()), await keyHolder(service, someone())]
    const hers = await enterWith(service, ana.device)
    assertRefused(await change(bia, 'remove', { id: ana.device.credentialId() }), 404, 'campos invalidos')
    await dropPassword(service, ana.user)
    assertRefused(await change(ana, 'remove', { id: ana.device.credentialId() }), 400, 'campos invalidos')
    assert.ok(await isLive(service, sessionOf(hers.browser)))
  })

  it('that are removed by a request that began before a sign-in with them end what that sign-in began', async () => {
    const service = await startService(await database.fresh(), { environment: { PORTARIA_TRUST_PROXY: '1' }, passwords: cheapPasswords })
    const owner = await keyHolder(service, someone())
    const read = holdNextAnswer(service, /"authenticated_at"(, "second_factor_at")? from "sessions"/)
    const removing = change(owner, 'remove', { id: owner.device.credentialId() })
    await read.asked
    const thief = await enterWith(service, owner.device)
    assert.ok(await isLive(service, sessionOf(thief.browser)))
    read.goOn()
    assert.equal((await removing).status, 200)
    assert.equal(await isLive(service, sessionOf(thief.browser)), false)
    assert.ok(await isLive(service, sessionOf(owner.browser)))
    await service.stop()
  })

  it('that are removed, or whose account is disabled, in the very moment of a sign-in begin no session', async () => {
    for (const end of ['removed', 'disabled'] as const) {
      const service = await startService(await database.fresh(), { environment: { PORTARIA_TRUST_PROXY: '1' }, passwords: cheapPasswords })
      const owner = await keyHolder(service, someone())
      const user = await findUser(service.context.storage.db, owner.user.id)
      assert.ok(user)
      const asked = await openLogin(service)
      const used = holdNextAnswer(service, /update "passkeys" set "counter"/)
      const answer = postSignIn(asked, owner.device.sign(asked.options))
      await used.asked
      if (end === 'disabled') await disableUser(user, undefined, { ...service.context, actor: 'operator:test' })
      else assert.equal((await change(owner, 'remove', { id: owner.device.credentialId() })).status, 200)
      used.goOn()
      assertRefused(await answer, 401, REFUSED)
      assertSignedOut(asked)
      await service.stop()
    }
  })

  it('keep the last way into the account: without password and provider one stays, also when two are removed at once', async () => {
    const service = suite()
    const owner = await keyHolder(service, someone())
    const first = owner.device.credentialId()
    await addPasskey(owner)
    const second = owner.device.credentialId()
    await dropPassword(service, owner.user)
    const removals = await Promise.all([first, second].map((id) => change(owner, 'remove', { id })))
    assert.deepEqual(removals.map(({ status }) => status).sort(), [200, 400])
    const [left] = await passkeysOf(service, owner.user)
    assert.ok(left)
    assertRefused(await change(owner, 'remove', { id: left.id }), 400, 'campos invalidos')
    const { db } = service.context.storage
    const identity = { issuer: 'https://idp.exemplo.com.br', subject: owner.user.id, user_id: owner.user.id, email: null, created_at: 1 }
    await db.insertInto('identities').values(identity).execute()
    // A provider that is no longer connected lets nobody in.
    assertRefused(await change(owner, 'remove', { id: left.id }), 400, 'campos invalidos')
    const provider = { id: `idp-${people}`, name: 'IdP', issuer: identity.issuer, client_id: 'x', client_secret_sealed: 'x' }
    const rest = { authoritative_for: '', access_token_audience: null, created_at: 1, updated_at: 1 }
    await db
      .insertInto('identity_providers')
      .values({ ...provider, ...rest })
      .execute()
    assert.equal((await change(owner, 'remove', { id: left.id })).status, 200)
    await db.deleteFrom('identity_providers').where('id', '=', provider.id).execute()
  })

  it('go with their account, challenges too; and challenges that nobody answered are forgotten', async () => {
    const service = suite()
    const { user, browser } = await keyHolder(service, someone())
    const { db } = service.context.storage
    await creationOptions(browser)
    const challenges = () => db.selectFrom('passkey_challenges').select('user_id').where('user_id', '=', user.id).execute()
    assert.equal((await challenges()).length, 1)
    await db.deleteFrom('users').where('id', '=', user.id).execute()
    assert.deepEqual(await passkeysOf(service, user), [])
    assert.deepEqual(await challenges(), [])
    await openLogin(service)
    const { now } = service.clock
    await passkeyChallengeStore(db).forgetExpired(now + 5 * MINUTE - 1)
    assert.ok((await db.selectFrom('passkey_challenges').select('hash').execute()).length > 0)
    await passkeyChallengeStore(db).forgetExpired(now + 5 * MINUTE)
    assert.deepEqual(await db.selectFrom('passkey_challenges').select('hash').execute(), [])
  })

  it('are gone when the account’s address is proven by somebody else', async () => {
    const service = suite()
    const { user, device } = await keyHolder(service, someone())
    await service.context.storage.db.updateTable('users').set({ email_verified_at: null }).where('id', '=', user.id).execute()
    const { secret } = await mint(service, { purpose: 'reset_password', userId: user.id, email: user.email })
    const answer = await elsewhere(service).submit('/reset-password', { ticket: secret, password: 'girassol azul no telhado' })
    assert.equal(answer.status, 302)
    assert.deepEqual(await passkeysOf(service, user), [])
    assertRefused(await enterWith(service, device satisfies PasskeyDevice), 401, REFUSED)
  })
})
