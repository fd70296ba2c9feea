import assert from 'node:assert/strict'
import { it } from 'node:test'
import { findUser, setUser } from '../../../src/admin/index.ts'
import { changeProduct } from '../../../src/products/index.ts'
import { eachDatabase, oneDatabase } from '../../support/databases.ts'
import { PASSWORD, startForSuite, startService, type TestService } from '../../support/service.ts'
import {
  accessToken,
  check,
  decode,
  INVALID,
  isLive,
  me,
  parameter,
  pass,
  sessionOf,
  signedIn,
  verify,
} from '../../support/users/sign-in-steps.ts'

const MISSING = { authenticated: false, reason: 'missing_session' }
const DAY_MS = 86_400_000

let products = 0
/** A user's session in an external product, with the product. */
async function inProduct(service: TestService, browser: Awaited<ReturnType<typeof signedIn>>, options: { scopes?: ['read:profile'] } = {}) {
  const uri = `https://product-${++products}.example/callback`
  const made = await service.product({ slug: `product-${products}`, audience: 'external', uris: [uri], ...options })
  const handoff = parameter(await pass(browser, { redirect_to: uri, api_key: made.product.publishableKey }), 'eg_token')
  const { eg_session } = (await verify(service, handoff, made.apiKey)).json<{ eg_session: string }>()
  return { ...made, uri, handoff, token: eg_session }
}

oneDatabase('GET /auth/check', (database) => {
  const started = startForSuite(database)

  it('answers a valid cookie with the six fields of the session and no more', async () => {
    const service = started()
    const user = await service.user('valida@exemplo.com.br', { name: 'Válida Só' })
    const token = sessionOf(await signedIn(service, user.email))
    const body = {
      authenticated: true,
      session: { sub: user.id, email: user.email, name: 'Válida Só', is_producer: false, is_beta: false, plan_slug: null },
    }
    for (const cookie of [`eg_session=${token}`, `a=b; eg_session=${token}; c=d`, `eg_session="${token}"`])
      assert.deepEqual(await check(service, cookie), body)
  })

  it('answers missing_session without the cookie, and with an empty one', async () => {
    const service = started()
    for (const cookie of [undefined, '', 'other=1', 'eg_session=', 'eg_session=""', 'xeg_session=abc', 'eg_session']) {
      const answer = await check(service, cookie)
      assert.deepEqual(answer, MISSING, String(cookie))
    }
  })

  it('answers invalid_session for anything that is no live session of the domain', async () => {
    const service = started()
    const user = await service.user('invalida@exemplo.com.br')
    const browser = await signedIn(service, user.email)
    const token = sessionOf(browser)
    const external = await inProduct(service, browser)
    const [head = '', payload = '', signature = ''] = token.split('.')
    const none = Buffer.from('{"alg":"none","typ":"eg-session+jwt"}').toString('base64url')
    for (const forged of [
      'x',
      `${none}.${payload}.`,
      `${head}.${payload}.${signature.slice(0, -4)}AAAA`,
      `${head}.${Buffer.from('{"sub":"x"}').toString('base64url')}.${signature}`,
      'x'.repeat(4_000),
      external.token,
      external.handoff,
      await accessToken(service, token),
    ]) {
      assert.deepEqual(await check(service, `eg_session=${forged}`), INVALID)
    }
    assert.equal(await isLive(service, token), true)
  })

  it('never redirects, is never cached, sets no cookie and takes Accept: text/html for JSON', async () => {
    const service = started()
    const answer = await service.browser().get('/auth/check')
    assert.equal(answer.status, 200)
    assert.equal(answer.text, JSON.stringify(MISSING))
    assert.equal(answer.headers.get('content-type'), 'application/json; charset=utf-8')
    assert.equal(answer.headers.get('cache-control'), 'no-store')
    assert.deepEqual(answer.headers.getSetCookie(), [])
    assert.equal(answer.headers.get('access-control-allow-origin'), null)
  })

  it('is never rate limited', async () => {
    const service = started()
    const answers = await Promise.all(Array.from({ length: 300 }, () => check(service, 'eg_session=wrong')))
    assert.ok(answers.every((answer) => JSON.stringify(answer) === JSON.stringify(INVALID)))
  })

  it("shows today's claims, whatever the token says", async () => {
    const service = started()
    const made = await service.user('hoje@exemplo.com.br')
    const token = sessionOf(await signedIn(service, made.email))
    assert.equal(await isLive(service, token), true)
    const user = await findUser(service.context.storage.db, made.id)
    assert.ok(user)
    await setUser(user, { name: 'Nome Novo', isProducer: true }, { ...service.context, actor: 'operator:test' })
    assert.deepEqual(await check(service, `eg_session=${token}`), {
      authenticated: true,
      session: { sub: made.id, email: made.email, name: 'Nome Novo', is_producer: true, is_beta: false, plan_slug: null },
    })
  })

  it("takes with an external product's key only that product's sessions", async () => {
    const service = started()
    const user = await service.user('chave@exemplo.com.br')
    const browser = await signedIn(service, user.email)
    const one = await inProduct(service, browser)
    const other = await inProduct(service, browser)
    assert.deepEqual(await check(service, `eg_session=${one.token}`, one.apiKey), {
      authenticated: true,
      session: { sub: user.id, email: user.email, name: 'Ana Flávia Conceição', is_producer: false, is_beta: false, plan_slug: null },
    })
    assert.deepEqual(await check(service, `eg_session=${one.token}`, other.apiKey), INVALID)
    assert.deepEqual(await check(service, `eg_session=${sessionOf(browser)}`, one.apiKey), INVALID)
    assert.deepEqual(await check(service, `eg_session=${one.handoff}`, one.apiKey), INVALID, 'its handoff is no session')
    assert.deepEqual(await check(service, `eg_session=${one.token}`), INVALID)
  })

  it("takes with an internal product's key the domain's sessions", async () => {
    const service = started()
    const user = await service.user('chaveinterna@exemplo.com.br')
    const browser = await signedIn(service, user.email)
    const external = await inProduct(service, browser)
    const { apiKey } = await service.product({ slug: 'chave-interna' })
    assert.equal(await isLive(service, sessionOf(browser), apiKey), true)
    assert.equal(await isLive(service, external.token, apiKey), false)
  })

  it('answers a wrong key with invalid_session, still 200, and no session with missing_session', async () => {
    const service = started()
    const user = await service.user('chaveerrada@exemplo.com.br')
    const browser = await signedIn(service, user.email)
    const { product, apiKey } = await inProduct(service, browser)
    for (const key of [product.publishableKey, `${apiKey.slice(0, -1)}x`, 'sk_x', '']) {
      assert.deepEqual(await check(service, `eg_session=${sessionOf(browser)}`, key), INVALID)
    }
    const basic = await fetch(`${service.url}/auth/check`, {
      headers: { cookie: `eg_session=${sessionOf(browser)}`, authorization: 'Basic eDp5' },
    })
    assert.deepEqual([basic.status, await basic.json()], [200, INVALID])
    assert.deepEqual(await check(service, undefined, apiKey), MISSING)
  })

  it('takes several cookies of one session, and refuses those of two sessions', async () => {
    const service = started()
    const user = await service.user('varios@exemplo.com.br')
    const uri = 'http://localhost:8101/callback'
    await service.product({ slug: 'varios', uris: [uri] })
    const browser = await signedIn(service, user.email)
    const first = sessionOf(browser)
    const second = parameter(await pass(browser, { redirect_to: uri }), 'eg_session')
    assert.notEqual(first, second)
    for (const cookie of [`eg_session=${first}; eg_session=${second}`, `eg_session=${second}; eg_session=${first}`]) {
      assert.equal(((await check(service, cookie)) as { authenticated: boolean }).authenticated, true)
    }
    const other = sessionOf(await signedIn(service, user.email))
    assert.deepEqual(await check(service, `eg_session=${first}; eg_session=${other}`), INVALID)
    assert.deepEqual(await check(service, `eg_session=${other}; eg_session=${first}`), INVALID)
  })

  it('refuses a session 30 days after the sign-in, however often it was used', async () => {
    const service = await startService(await database.fresh())
    const user = await service.user('trinta@exemplo.com.br')
    const token = sessionOf(await signedIn(service, user.email))
    for (let day = 0; day < 30; day++) {
      assert.equal(await isLive(service, token), true, `day ${day}`)
      service.clock.now += DAY_MS
    }
    assert.equal(await isLive(service, token), false)
    const browser = service.browser()
    assert.equal((await browser.signIn('/login', { email: user.email, password: PASSWORD })).status, 302)
  })
})

eachDatabase('The address that an external product reads of a user', (database) => {
  const started = startForSuite(database)
  const both = ['read:email', 'read:profile'] as const

  it('is left out, as null, without read:email, and until the user has agreed to a scope that the product got later', async () => {
    const service = started()
    const user = await service.user('semescopo@exemplo.com.br')
    const browser = await signedIn(service, user.email)
    const { token, apiKey, product, uri } = await inProduct(service, browser, { scopes: ['read:profile'] })
    const emails = async () => {
      const checked = (await check(service, `eg_session=${token}`, apiKey)) as { session: { email: string | null } }
      const profile = (await me(service, await accessToken(service, token, apiKey))).json<{ email: string | null }>()
      return [checked.session.email, profile.email]
    }
    assert.deepEqual(await emails(), [null, null])
    await changeProduct(product.slug, { scopes: [...both] }, { ...service.context, actor: 'operator:test' })
    assert.deepEqual(await emails(), [null, null], 'the user was never asked')
    const handoff = parameter(await pass(browser, { redirect_to: uri, api_key: product.publishableKey }), 'eg_token')
    assert.deepEqual(await emails(), [user.email, user.email], 'agreed, and every node knows at once')
    const verified = (await verify(service, handoff, apiKey)).json<{ user: { email?: string }; eg_session: string }>()
    assert.deepEqual([verified.user.email, decode(verified.eg_session).claims.email], [user.email, user.email])
    await changeProduct(product.slug, { scopes: ['read:profile'] }, { ...service.context, actor: 'operator:test' })
    assert.deepEqual(await emails(), [null, null])
  })

  it('is left out of a redemption, where the product got the scope after the user had gone on', async () => {
    const service = started()
    const user = await service.user('tarde@exemplo.com.br')
    const browser = await signedIn(service, user.email)
    const { apiKey, product, uri } = await inProduct(service, browser, { scopes: ['read:profile'] })
    const handoff = parameter(await pass(browser, { redirect_to: uri, api_key: product.publishableKey }), 'eg_token')
    await changeProduct(product.slug, { scopes: [...both] }, { ...service.context, actor: 'operator:test' })
    const { user: shown, eg_session } = (await verify(service, handoff, apiKey)).json<{ user: object; eg_session: string }>()
    assert.deepEqual(['email' in shown, 'email' in decode(eg_session).claims], [false, false])
  })
})
