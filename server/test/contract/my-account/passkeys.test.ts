import assert from 'node:assert/strict'
import { it } from 'node:test'
import { disableUser, findUser } from '../../../src/admin/index.ts'
import { passkeyChallengeStore } from '../../../src/users/index.ts'
import { eachDatabase } from '../../support/databases.ts'
import { startMailbox } from '../../support/mailbox.ts'
import { holdNextAnswer } from '../../support/routes/asked-queries.ts'
import { mint } from '../../support/routes/raw-requests.ts'
import { cheapPasswords, PASSWORD, startForSuite, startService, type TestService } from '../../support/service.ts'
import { until } from '../../support/until.ts'
import { assertSignedOut, bends, MINUTE, REFUSED } from '../../support/users/passkey-answers.ts'
import type { Bend, PasskeyDevice } from '../../support/users/passkey-device.ts'
import {
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
  isLive,
  parameter,
  pass,
  sessionOf,
  signedIn,
  verify,
} from '../../support/users/sign-in-steps.ts'
import { ATTESTATION } from '../../vectors/attestation.ts'

/** Answers that make no passkey: those above, and what comes with a certificate. */
const badCreations: Readonly<Record<string, Bend>> = {
  ...bends,
  'with a certificate, unread': { attestation: ATTESTATION },
}

eachDatabase('Adding a passkey', (database) => {
  const suite = startForSuite(database, { environment: { PORTARIA_TRUST_PROXY: '1' } })
  let users = 0
  const someone = () => `dono${++users}@exemplo.com.br`

  for (const [wrong, bend] of Object.entries(badCreations)) {
    it(`keeps nothing of an answer ${wrong}`, async () => {
      const service = suite()
      const owner = await ownerOf(service, someone())
      assertRefused(await addPasskey(owner, bend), 400, 'campos invalidos')
      assert.deepEqual(await passkeysOf(service, owner.user), [])
    })
  }

  it('takes one answer to one challenge, within five minutes, of that user in that session, and none for signing in', async () => {
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

  it('needs an authentication, ten minutes old at most, as looking at them, renaming and removing do', async () => {
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

  it('is possible again after an authentication by a passkey, which ends where it was asked for', async () => {
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

eachDatabase('A user’s passkeys', (database) => {
  const suite = startForSuite(database, { environment: { PORTARIA_TRUST_PROXY: '1' } })
  let users = 0
  const someone = () => `lista${++users}@exemplo.com.br`
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
    await until(async () => !(await isLive(node, sessionOf(thief.browser))) && !(await isLive(node, outside, apiKey)), 2_000)
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
    assert.match(text.replace(/\s+/g, ' '), /os navegadores que entraram com ela saíram, menos o que a removeu/)
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
    const provider = { id: `idp-${users}`, name: 'IdP', issuer: identity.issuer, client_id: 'x', client_secret_sealed: 'x' }
    const rest = { authoritative_for: '', access_token_audience: null, kind: null, created_at: 1, updated_at: 1 }
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

  it('are gone when the account’s address is verified by somebody else', async () => {
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
