import assert from 'node:assert/strict'
import { it } from 'node:test'
import { deleteUser, findUser, setUserPassword } from '../../src/admin/index.ts'
import { revokeSigningKey, startSession } from '../../src/sessions/index.ts'
import { linkIdentity } from '../../src/users/index.ts'
import { hiddenFlow } from '../support/browser.ts'
import { eachDatabase } from '../support/databases.ts'
import { holdNextAnswer, holdNextAnswerInside } from '../support/routes/asked-queries.ts'
import { countedPasswords, cpf } from '../support/routes/raw-requests.ts'
import { PASSWORD, startForSuite, startService, type TestService } from '../support/service.ts'
import { codeOf } from '../support/users/authenticator.ts'
import {
  EXTERNAL,
  enter,
  INTERNAL,
  isLive,
  loginAddress,
  parameter,
  pass,
  sessionOf,
  shareLink,
  signedIn,
  verify,
} from '../support/users/sign-in-steps.ts'

const pause = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms))
const statusesOf = (answers: Array<{ status: number }>) =>
  Object.fromEntries(
    [...new Set(answers.map(({ status }) => status))]
      .sort()
      .map((status) => [status, answers.filter((one) => one.status === status).length]),
  )

eachDatabase('A race', (database) => {
  const suite = startForSuite(database)
  let products = 0
  const shop = (service: TestService) =>
    service.product({ slug: `loja-${++products}`, audience: 'external', checkout: 'external', uris: [`${EXTERNAL}/${products}`] })

  it('19 (replay race): of fifty redemptions of one handoff is won by exactly one, and the others are on record', async () => {
    const service = suite()
    const { product, apiKey } = await shop(service)
    await service.user('r1@exemplo.com.br')
    const uri = `${EXTERNAL}/${products}`
    const token = parameter(
      await enter(service.browser(), 'r1@exemplo.com.br', { redirect_to: uri, api_key: product.publishableKey }),
      'eg_token',
    )
    const answers = await Promise.all(Array.from({ length: 50 }, () => verify(service, token, apiKey)))
    assert.deepEqual(statusesOf(answers), { 200: 1, 401: 49 })
    for (const { status, text } of answers) if (status === 401) assert.equal(text, '{"error":"invalid_token"}')
    const children = await service.context.storage.db.selectFrom('sessions').select('id').where('product_id', '=', product.id).execute()
    assert.equal(children.length, 1)
    const replays = await service.context.storage.db
      .selectFrom('audit')
      .select('id')
      .where('action', '=', 'handoff.replay')
      .where('actor', '=', `product:${product.id}`)
      .execute()
    assert.equal(replays.length, 49)
  })

  it('24: between a redemption and the sign-out leaves no session of a product alive, whoever wins', async () => {
    const service = suite()
    const { product, apiKey } = await shop(service)
    const uri = `${EXTERNAL}/${products}`
    await service.user('r2@exemplo.com.br')
    for (let round = 0; round < 12; round++) {
      const browser = service.browser()
      const token = parameter(await enter(browser, 'r2@exemplo.com.br', { redirect_to: uri, api_key: product.publishableKey }), 'eg_token')
      const [redeemed] = await Promise.all([
        pause(round % 4).then(() => verify(service, token, apiKey)),
        pause((round * 3) % 5).then(() => browser.get('/auth/signout')),
      ])
      assert.ok(redeemed.status === 200 || redeemed.status === 401)
      if (redeemed.status === 200) assert.equal(await isLive(service, redeemed.json<{ eg_session: string }>().eg_session, apiKey), false)
    }
    const live = await service.context.storage.db
      .selectFrom('sessions')
      .select('id')
      .where('product_id', '=', product.id)
      .where('ended_at', 'is', null)
      .execute()
    assert.deepEqual(live, [])
  })

  it('23: between a redemption and the deletion of the user is a fault for neither, and leaves nothing alive', async () => {
    const service = suite()
    const { product, apiKey } = await shop(service)
    const uri = `${EXTERNAL}/${products}`
    for (let round = 0; round < 12; round++) {
      const { email } = await service.user(`gone-${round}@exemplo.com.br`)
      const browser = service.browser()
      await enter(browser, email, { redirect_to: uri, api_key: product.publishableKey })
      const tokens = await Promise.all(
        Array.from({ length: 4 }, async () =>
          parameter(await pass(browser, { redirect_to: uri, api_key: product.publishableKey }), 'eg_token'),
        ),
      )
      const user = (await findUser(service.context.storage.db, email)) ?? assert.fail()
      const [answers] = await Promise.all([
        Promise.all(tokens.map((token) => verify(service, token, apiKey))),
        pause(round % 6).then(() => deleteUser(user, { ...service.context, actor: 'operator:test' })),
      ])
      for (const { status, text } of answers) assert.ok(status === 200 || status === 401, `${status} ${text}`)
    }
    const live = await service.context.storage.db.selectFrom('sessions').select('id').where('product_id', '=', product.id).execute()
    assert.deepEqual(live, [])
  })

  it('25: between a change of the password and a sign-in with the old one leaves no session of the old one alive', async () => {
    const service = suite()
    const { email } = await service.user('r3@exemplo.com.br')
    const passwords = [PASSWORD, 'another long password']
    for (let round = 0; round < 8; round++) {
      const [old = '', fresh = ''] = round % 2 === 0 ? passwords : passwords.toReversed()
      const user = (await findUser(service.context.storage.db, email)) ?? assert.fail()
      const browsers = Array.from({ length: 3 }, () => service.browser())
      await Promise.all([
        setUserPassword(user, fresh, { ...service.context, actor: 'operator:test' }),
        ...browsers.map((browser, i) => pause(i * 15).then(() => browser.signIn('/login', { email, password: old }))),
      ])
      for (const browser of browsers) {
        const token = browser.cookies.get('eg_session')
        if (token !== undefined) assert.equal(await isLive(service, token), false, `round ${round}`)
      }
    }
  })

  it('between turning a second factor on and a sign-in by a provider leaves no session that began without it', async () => {
    const service = suite()
    const { storage } = service.context
    const { id, email } = await service.user('r6@exemplo.com.br')
    const owner = await signedIn(service, email)
    const identity = { issuer: 'https://idp.example', subject: 'r6' }
    await storage.transaction((tx) => linkIdentity(tx, id, { ...identity, email, providerId: 'um' }, service.context))
    await owner.submit('/account/second-factor/begin', {})
    const secret = /id="secret">([A-Z2-7 ]+)</.exec((await owner.get('/account/second-factor')).text)?.[1] ?? assert.fail()
    const held = holdNextAnswerInside(service, /from "totp_factors"/)
    const factor = { kind: 'identity', ...identity, saysSecondFactor: false } as const
    const origin = { ip: '192.0.2.1', userAgent: '' }
    const signingIn = startSession({ userId: id, factor, factors: 'one' }, { boundSecret: undefined, origin }, service.context)
    await held.asked
    const turningOn = owner.submit('/account/second-factor', { code: codeOf(secret.replaceAll(' ', ''), service.clock.now) })
    await pause(500)
    held.goOn()
    assert.equal((await turningOn).status, 200)
    await signingIn
    const live = storage.db.selectFrom('sessions').select('id').where('user_id', '=', id).where('ended_at', 'is', null)
    assert.equal((await live.execute()).length, 1)
    assert.ok(await isLive(service, sessionOf(owner)))
  })

  it('for one tax id is won by one of two accounts, and the other learns no more than that it cannot be used', async () => {
    const service = suite()
    await service.product({ slug: 'corrida', uris: [INTERNAL] })
    for (let round = 0; round < 4; round++) {
      const posts = await Promise.all(
        ['a', 'b'].map(async (name) => {
          const { email } = await service.user(`tax-${name}-${round}@exemplo.com.br`, { profile: 'missing' })
          const browser = service.browser({ 'x-forwarded-for': '203.0.113.9' })
          const answer = await browser.signIn(loginAddress({ redirect_uri: INTERNAL }), { email, password: PASSWORD })
          assert.equal(answer.location?.pathname, '/complete-profile')
          const flow = hiddenFlow((await browser.get(answer.location?.href ?? '')).text)
          return () =>
            browser.submit(
              '/complete-profile',
              { flow, full_name: 'Zé', tax_id: cpf(round), phone: '11 98765-4321' },
              { accept: 'application/json' },
            )
        }),
      )
      const answers = await Promise.all(posts.map((submit) => submit()))
      assert.deepEqual(statusesOf(answers), { 302: 1, 400: 1 })
      const refused = answers.find(({ status }) => status === 400)?.json()
      assert.deepEqual(refused, { error: 'Nao foi possivel usar este numero', fields: { tax_id: 'unusable' } })
      await service.context.storage.db.deleteFrom('rate_limits').execute()
    }
    const hashes = await service.context.storage.db
      .selectFrom('users_company')
      .select('tax_id_hash')
      .where('phone', 'is not', null)
      .execute()
    assert.equal(new Set(hashes.map(({ tax_id_hash }) => tax_id_hash)).size, hashes.length)
  })

  it('of fifty sign-outs of one session is a fault for none', async () => {
    const service = suite()
    await service.user('r4@exemplo.com.br')
    const browser = await signedIn(service, 'r4@exemplo.com.br')
    const token = sessionOf(browser)
    const cookie = [...browser.cookies].map(([name, value]) => `${name}=${value}`).join('; ')
    const answers = await Promise.all(Array.from({ length: 50 }, () => service.browser({ cookie }).get('/auth/signout')))
    assert.deepEqual(statusesOf(answers), { 200: 50 })
    assert.equal(await isLive(service, token), false)
  })

  it('of fifty first consents to one product ends in one, and a token for each', async () => {
    const service = suite()
    const { product } = await shop(service)
    const uri = `${EXTERNAL}/${products}`
    await service.user('r5@exemplo.com.br')
    const browser = await signedIn(service, 'r5@exemplo.com.br')
    const silent = await browser.get(loginAddress({ redirect_to: uri, api_key: product.publishableKey }))
    const splash = await browser.get((await browser.get(silent.location?.href ?? '')).location?.href ?? '')
    const click = shareLink(splash) ?? assert.fail(splash.text)
    const clicked = await Promise.all(Array.from({ length: 50 }, () => browser.get(click)))
    assert.deepEqual(statusesOf(clicked), { 302: 50 })
    const answers = await Promise.all(clicked.map((answer) => browser.follow(answer)))
    assert.equal(new Set(answers.map(({ location }) => parameter(location, 'eg_token'))).size, 50)
    assert.equal(
      (await service.context.storage.db.selectFrom('consents').select('product_id').where('product_id', '=', product.id).execute()).length,
      1,
    )
  })
})

eachDatabase('The lock', (database) => {
  it('27 (a count that races): lets exactly ten of fifty wrong passwords reach the hash, sent at once', async () => {
    const passwords = countedPasswords()
    const service = await startService(await database.fresh(), { passwords })
    await service.user('ana@exemplo.com.br')
    const browser = service.browser()
    const flow = hiddenFlow((await browser.get('/login')).text)
    const before = passwords.verified()
    const answers = await Promise.all(
      Array.from({ length: 50 }, () => browser.submit('/login', { flow, email: 'ana@exemplo.com.br', password: 'wrong' })),
    )
    assert.equal(passwords.verified() - before, 10)
    assert.deepEqual(statusesOf(answers), { 401: 10, 429: 40 })
  })
})

eachDatabase('A revoked signing key', (database) => {
  const start = async () => {
    const service = await startService(await database.fresh())
    await service.product({ slug: 'painel', uris: [INTERNAL] })
    await service.user('ana@exemplo.com.br')
    const token = parameter(await enter(service.browser(), 'ana@exemplo.com.br', { redirect_to: INTERNAL }), 'eg_session')
    const { kid } = JSON.parse(Buffer.from(token.split('.')[0] ?? '', 'base64url').toString())
    const revoke = () => revokeSigningKey(kid, { ...service.context, actor: 'operator:test' })
    return { service, token, kid, revoke }
  }

  it('31: is believed by no check that begins after its revocation, though one of the same token was under way meanwhile', async () => {
    const { service, token, revoke } = await start()
    // Makes the node forget the session, so that the check asks the database.
    await service.context.changes.transaction(async (_tx, announce) => announce({ kind: 'product_changed', subject: 'any' }))
    const held = holdNextAnswer(service, /^select .*from "sessions"/s)
    const underWay = isLive(service, token)
    await held.asked
    await revoke()
    await pause(150)
    held.goOn()
    await underWay
    assert.equal(await isLive(service, token), false)
  })

  it('31: is not brought back by a reading of the keys that began before the revocation and ended after it', async () => {
    const { service, token, kid, revoke } = await start()
    const held = holdNextAnswer(service, /^select .*from "signing_keys"/)
    await service.context.changes.transaction(async (_tx, announce) => announce({ kind: 'signing_keys_changed', subject: kid }))
    await held.asked
    await revoke()
    await pause(150)
    assert.equal(await isLive(service, token), false)
    held.goOn()
    await pause(150)
    assert.equal(await isLive(service, token), false)
  })
})
