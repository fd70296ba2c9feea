import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { createServer, type Server } from 'node:http'
import { createRequire } from 'node:module'
import { after, afterEach, before, describe, it } from 'node:test'
import { changeProduct } from '../../server/src/products/index.ts'
import { freePort } from '../../server/test/support/free-port.ts'
import { type Harness, startHarness } from '../harness/harness.ts'
import { signIn } from '../harness/steps.ts'

const library = readFileSync(
  createRequire(import.meta.url)
    .resolve('oidc-client-ts')
    .replace('/umd/oidc-client-ts.js', '/browser/oidc-client-ts.min.js'),
)
const ANA = 'ana@exemplo.com.br'

describe('A single-page app with oidc-client-ts', () => {
  let harness: Harness
  let server: Server
  let page = ''
  before(async () => {
    harness = await startHarness()
    const port = await freePort()
    page = `http://127.0.0.1:${port}`
    const { service } = harness
    const { product } = await service.product({ slug: 'spa', name: 'Painel da loja', uris: [`${page}/callback`] })
    const change = { openid: { kind: 'browser', postLogoutUris: [`${page}/`] } } as const
    const changed = await changeProduct('spa', change, { ...service.context, actor: 'operator:test' })
    assert.ok(!('refusal' in changed))
    server = createServer((request, response) => {
      const isScript = request.url === '/oidc.js'
      response.setHeader('content-type', isScript ? 'text/javascript' : 'text/html')
      response.end(isScript ? library : html(service.url, product.publishableKey, page))
    }).listen(port, '127.0.0.1')
  })
  after(async () => {
    server.close()
    await harness.close()
  })
  afterEach(() => assert.deepEqual(harness.complaints.splice(0), []))

  it('signs in, refreshes its tokens, and is signed out, from an origin of its own', async () => {
    const { service } = harness
    const { id } = await service.user(ANA)
    const tab = await harness.visitor()
    await tab.goto(page)
    await tab.getByRole('button', { name: 'Entrar' }).click()
    await signIn(tab, ANA)
    await tab.getByText(`sub ${id}`).waitFor()
    await tab.getByText('name Ana Flávia Conceição').waitFor()
    const before = await tab.evaluate(() => sessionStorage.length)
    assert.ok(before > 0)
    await tab.getByRole('button', { name: 'Renovar' }).click()
    await tab.getByText('renovado 1').waitFor()
    await tab.getByRole('button', { name: 'Sair' }).click()
    await tab.waitForURL(`${page}/`)
    await tab.getByText('ninguém').waitFor()
    // At Portaria the session is over too.
    await tab.getByRole('button', { name: 'Entrar' }).click()
    await tab.waitForURL(`${service.url}/login**`)
  })

  it('is refused its next refresh once the user has signed out at Portaria', async () => {
    const { service } = harness
    const tab = await harness.visitor()
    await tab.goto(page)
    await tab.getByRole('button', { name: 'Entrar' }).click()
    await signIn(tab, (await service.user('bia@exemplo.com.br')).email)
    await tab.getByText('name Ana Flávia Conceição').waitFor()
    const other = await tab.context().newPage()
    await other.goto(`${service.url}/auth/signout`)
    await tab.getByRole('button', { name: 'Renovar' }).click()
    await tab.getByText('recusado: invalid_grant').waitFor()
    // The browser itself reports the refusal.
    assert.match(harness.complaints.splice(0).join(), /^[^,]*400[^,]*$/)
  })
})

/** The app: a page with three buttons. */
function html(authority: string, clientId: string, url: string): string {
  return `<!doctype html><meta charset="utf-8"><title>Painel da loja</title><link rel="icon" href="data:,">
<button id="in">Entrar</button><button id="again">Renovar</button><button id="out">Sair</button><p id="who">…</p><p id="times"></p>
<script src="/oidc.js"></script>
<script>
const users = new oidc.UserManager({
  authority: ${JSON.stringify(authority)}, client_id: ${JSON.stringify(clientId)}, redirect_uri: ${JSON.stringify(`${url}/callback`)},
  post_logout_redirect_uri: ${JSON.stringify(`${url}/`)}, scope: 'openid profile email offline_access', automaticSilentRenew: false,
})
const by = (id) => document.getElementById(id)
const show = (user) => { by('who').textContent = user ? 'sub ' + user.profile.sub + ' · name ' + user.profile.name : 'ninguém' }
by('in').onclick = () => users.signinRedirect()
by('out').onclick = () => users.signoutRedirect()
let times = 0
by('again').onclick = () => users.signinSilent().then(
  (user) => { show(user); by('times').textContent = 'renovado ' + ++times },
  ({ error }) => { by('times').textContent = 'recusado: ' + error },
)
if (location.pathname === '/callback') users.signinRedirectCallback().then((user) => { history.replaceState({}, '', '/'); show(user) })
else users.getUser().then(show)
</script>`
}
