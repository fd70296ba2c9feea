import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { listAudit } from '../../../src/audit/index.ts'
import { hiddenFlow } from '../../support/browser.ts'
import { oneDatabase } from '../../support/databases.ts'
import { PASSWORD, startForSuite, type TestService } from '../../support/service.ts'
import {
  assertOwnRedirect,
  assertPage,
  assertRefused,
  EXTERNAL,
  INTERNAL,
  loginAddress,
  setCookies,
  signedIn,
} from '../../support/users/sign-in-steps.ts'

/** As a client that shows no pages asks. */
const ask = (service: TestService, path: string) => service.browser().request('GET', path, { headers: { accept: 'application/json' } })

oneDatabase('GET /auth/login', (database) => {
  const started = startForSuite(database)
  let products: Promise<{ pk: string; otherPk: string; sk: string; id: string }> | undefined
  const ready = async () => {
    const service = started()
    products ??= (async () => {
      const loja = await service.product({ slug: 'loja', name: 'Loja & Cia', audience: 'external', uris: [EXTERNAL] })
      const painel = await service.product({ slug: 'painel', uris: [INTERNAL, 'http://localhost:4001/callback?from=menu&x=%20'] })
      return { pk: loja.product.publishableKey, otherPk: painel.product.publishableKey, sk: loja.apiKey, id: loja.product.id }
    })()
    return { service, ...(await products) }
  }

  it('renders the form for redirect_to, with 200', async () => {
    const { service } = await ready()
    const page = await service.browser().get(loginAddress({ redirect_to: INTERNAL }))
    assertPage(page, 200)
    assert.match(page.text, /<form method="post" action="\/login">/)
    assert.match(page.text, /name="email"/)
    assert.match(page.text, /name="password" type="password"/)
    assert.ok(hiddenFlow(page.text).length > 50)
    assert.deepEqual(Object.keys(setCookies(page)), ['portaria_flow'])
  })

  it('shows the name of the product on the form', async () => {
    const { service, pk } = await ready()
    const page = await service.browser().get(loginAddress({ redirect_to: EXTERNAL, api_key: pk }))
    assertPage(page, 200)
    assert.match(page.text, /<h1>Entrar em Loja &(?:amp|#38); Cia<\/h1>/)
  })

  it('sends redirect_uri to the form address with both pending cookies', async () => {
    const { service } = await ready()
    const browser = service.browser()
    const answer = await browser.get(loginAddress({ redirect_uri: INTERNAL, state: 'a/b c&d' }))
    const form = assertOwnRedirect(answer, '/login')
    const cookies = setCookies(answer)
    assert.equal(
      cookies.pending_redirect_uri,
      'pending_redirect_uri=http%3A%2F%2Flocalhost%3A4001%2Fcallback; Path=/; Max-Age=600; HttpOnly; SameSite=Lax',
    )
    assert.equal(cookies.pending_state, 'pending_state=a%2Fb%20c%26d; Path=/; Max-Age=600; HttpOnly; SameSite=Lax')
    assert.equal(answer.headers.get('cache-control'), 'no-store')
    assertPage(await browser.get(form), 200)
  })

  it('clears pending_state where redirect_uri comes without a state', async () => {
    const { service } = await ready()
    const answer = await service.browser().get(loginAddress({ redirect_uri: INTERNAL }))
    assert.equal(setCookies(answer).pending_state, 'pending_state=; Path=/; Max-Age=0; HttpOnly; SameSite=Lax')
  })

  it('never reads the pending cookies: another target in them changes nothing', async () => {
    const { service } = await ready()
    const user = await service.user('pendente@exemplo.com.br')
    const browser = service.browser()
    const form = assertOwnRedirect(await browser.get(loginAddress({ redirect_uri: INTERNAL, state: 'mine' })), '/login')
    browser.cookies.set('pending_redirect_uri', encodeURIComponent('https://evil.example/'))
    browser.cookies.set('pending_state', 'theirs')
    const page = await browser.get(form)
    const end = await browser.follow(await browser.submit('/login', { flow: hiddenFlow(page.text), email: user.email, password: PASSWORD }))
    assert.equal(end.location?.origin + (end.location?.pathname ?? ''), INTERNAL)
    assert.equal(end.location?.searchParams.get('state'), 'mine')
  })

  it('echoes the state untouched in both variants', async () => {
    const { service } = await ready()
    const user = await service.user('estado@exemplo.com.br')
    const state = `${'é+%20&=#"<>/?\u{1f511}'.repeat(8)} end`
    for (const name of ['redirect_to', 'redirect_uri']) {
      const browser = service.browser()
      const end = await browser.follow(
        await browser.signIn(loginAddress({ [name]: INTERNAL, state }), { email: user.email, password: PASSWORD }),
      )
      assert.equal(end.location?.searchParams.get('state'), state)
      assert.deepEqual(end.location?.searchParams.getAll('state').length, 1)
    }
  })

  it('keeps the query of the target itself', async () => {
    const { service } = await ready()
    const user = await service.user('consulta@exemplo.com.br')
    const browser = service.browser()
    const target = 'http://localhost:4001/callback?from=menu&x=%20'
    const end = await browser.follow(await browser.signIn(loginAddress({ redirect_to: target }), { email: user.email, password: PASSWORD }))
    assert.ok(end.headers.get('location')?.startsWith(`${target}&eg_session=`))
  })

  describe('refuses with 400, never with a redirect,', () => {
    it('a request with neither redirect_to nor redirect_uri: redirect_to ausente', async () => {
      const { service } = await ready()
      assertRefused(await ask(service, '/auth/login'), 400, 'redirect_to ausente')
      assertRefused(await ask(service, '/auth/login?state=x'), 400, 'redirect_to ausente')
    })

    it('an unregistered redirect_to: redirect_to nao autorizado', async () => {
      const { service } = await ready()
      for (const uri of [
        'https://evil.example/',
        '',
        `${INTERNAL}/`,
        `${INTERNAL}?`,
        INTERNAL.toUpperCase(),
        `${INTERNAL}#x`,
        ` ${INTERNAL}`,
      ]) {
        const answer = await ask(service, loginAddress({ redirect_to: uri }))
        assertRefused(answer, 400, 'redirect_to nao autorizado')
        assert.equal(answer.location, undefined)
        assert.deepEqual(setCookies(answer), {})
      }
    })

    it('an unregistered redirect_uri: redirect_uri nao autorizado', async () => {
      const { service } = await ready()
      const answer = await ask(service, loginAddress({ redirect_uri: 'https://evil.example/', state: 'x' }))
      assertRefused(answer, 400, 'redirect_uri nao autorizado')
      assert.deepEqual(setCookies(answer), {})
    })

    it('both targets at once, or a parameter given twice: parametros invalidos', async () => {
      const { service, pk } = await ready()
      const to = `redirect_to=${encodeURIComponent(INTERNAL)}`
      const uri = `redirect_uri=${encodeURIComponent(INTERNAL)}`
      for (const query of [`${to}&${uri}`, `${to}&${to}`, `${uri}&${uri}`, `${to}&state=a&state=b`, `${to}&api_key=${pk}&api_key=${pk}`]) {
        assertRefused(await ask(service, `/auth/login?${query}`), 400, 'parametros invalidos')
      }
    })

    it('a state over 512 characters: state invalido', async () => {
      const { service } = await ready()
      assertRefused(await ask(service, loginAddress({ redirect_to: INTERNAL, state: 'x'.repeat(513) })), 400, 'state invalido')
      assert.equal((await ask(service, loginAddress({ redirect_to: INTERNAL, state: 'x'.repeat(512) }))).status, 200)
    })

    it("a key that is unknown, mistyped or not that target's product's: api_key invalida", async () => {
      const { service, pk, otherPk } = await ready()
      for (const key of [otherPk, `${pk.slice(0, -1)}${pk.endsWith('0') ? '1' : '0'}`, 'pk_x', '']) {
        assertRefused(await ask(service, loginAddress({ redirect_to: EXTERNAL, api_key: key })), 400, 'api_key invalida')
        assertRefused(await ask(service, loginAddress({ redirect_uri: EXTERNAL, api_key: key })), 400, 'api_key invalida')
      }
    })

    it('a secret key in the place of a publishable one, and leaves an audit entry that says to rotate it', async () => {
      const { service, sk, id } = await ready()
      assertRefused(await ask(service, loginAddress({ redirect_to: EXTERNAL, api_key: sk })), 400, 'api_key invalida')
      const entries = await listAudit(service.context.storage.db, { limit: 50 })
      const [entry] = entries.filter(({ action }) => action === 'product.key_leaked')
      assert.equal(entry?.target, id)
      assert.ok(!JSON.stringify(entries).includes(sk))
    })

    it('with a page, for a browser', async () => {
      const { service } = await ready()
      const page = await service.browser().get(loginAddress({ redirect_uri: 'https://evil.example/' }))
      assertPage(page, 400)
      assert.match(page.text, /<code>redirect_uri nao autorizado<\/code>/)
      assert.equal(page.location, undefined)
    })
  })

  it('sends whoever is signed in straight on, without a splash', async () => {
    const { service } = await ready()
    const user = await service.user('calada@exemplo.com.br')
    const browser = await signedIn(service, user.email)
    for (const name of ['redirect_to', 'redirect_uri']) {
      const next = assertOwnRedirect(await browser.get(loginAddress({ [name]: INTERNAL, state: 's' })), '/auth/continue')
      const end = await browser.get(next)
      assert.equal(end.status, 302)
      assert.ok(end.headers.get('location')?.startsWith(`${INTERNAL}?eg_session=`))
    }
  })

  it('asks for the password again with prompt=login', async () => {
    const { service } = await ready()
    const user = await service.user('denovo@exemplo.com.br')
    const browser = await signedIn(service, user.email)
    assertPage(await browser.get(loginAddress({ redirect_to: INTERNAL, prompt: 'login' })), 200)
    assertOwnRedirect(await browser.get(loginAddress({ redirect_uri: INTERNAL, prompt: 'login' })), '/login')
  })

  it('takes eg_session without the bound cookie, and the bound cookie without eg_session, for nobody signed in', async () => {
    const { service } = await ready()
    const user = await service.user('metade@exemplo.com.br')
    for (const missing of ['portaria', 'eg_session']) {
      const browser = await signedIn(service, user.email)
      assert.ok(browser.cookies.delete(missing))
      assertPage(await browser.get(loginAddress({ redirect_to: INTERNAL })), 200)
    }
  })
})
