import assert from 'node:assert/strict'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { after, afterEach, before, describe, it } from 'node:test'
import { setTimeout as pause } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import type { Page } from 'playwright-core'
import { gatewayHealthStore } from '../../server/src/gateways/index.ts'
import { forwardAuthStore, productStore, redirectUriStore } from '../../server/src/products/index.ts'
import { freePort } from '../../server/test/support/free-port.ts'
import { openTerminal } from '../../server/test/support/terminal.ts'
import { until } from '../../server/test/support/until.ts'
import { adminOf, versionOf } from '../../server/test/support/users/admins.ts'
import { startProvider } from '../../server/test/support/users/openid-provider.ts'
import { heading, isKnown, signIn } from '../harness/steps.ts'
import { agreeTo, assertFits, type ConsoleHarness, showPage, startConsoleHarness } from './console-harness.ts'

const MARKUP = '<img src=x onerror="window.hacked=1"><b>Loja</b>'
const SECRETS = { webhook: 'webhook-secret-that-nobody-sees', access: 'access-token-that-nobody-sees' }
const PHONE = { viewport: { width: 390, height: 844 } }

describe('Products in the console', () => {
  let harness: ConsoleHarness
  let admin: string
  before(async () => {
    harness = await startConsoleHarness()
    admin = `${harness.service.url}/admin`
  })
  after(() => harness.close())
  afterEach(async () => {
    for (const page of opened.splice(0)) await harness.leave(page)
    assert.deepEqual(harness.complaints, [])
  })

  let owners = 0
  const opened: Page[] = []
  const owner = async (options: { context?: object } = {}) => {
    owners += 1
    const page = await harness.administrator('owner', { email: `dona${owners}@example.com`, ...options })
    opened.push(page)
    return page
  }
  const region = (page: Page, name: string) => page.getByRole('region', { name, exact: true })

  async function open(page: Page, id: string, name: string, tab = 'overview'): Promise<void> {
    await page.goto(`${admin}/products/${id}/show?tab=${tab}`)
    await heading(page, name)
  }

  /** An action by its button and its dialog, until that is gone. */
  async function doIt(page: Page, within: ReturnType<Page['locator']>, action: string): Promise<void> {
    await within.getByRole('button', { name: action, exact: true }).first().click()
    await agreeTo(page, action)
  }

  /** The wizard up to its last step. */
  async function connect(page: Page, { name, uri, audience }: { name: string; uri: string; audience?: RegExp }): Promise<void> {
    await page.getByRole('link', { name: 'Produtos', exact: true }).click()
    await page.getByRole('link', { name: 'Conectar um app' }).click()
    await page
      .getByLabel('Nome', { exact: true })
      .or(page.getByLabel('Nome *', { exact: true }))
      .fill(name)
    if (audience) await page.getByRole('radio', { name: audience }).check()
    await page.getByRole('button', { name: 'Continuar' }).click()
    await page.getByLabel('Endereço de retorno').fill(uri)
    await page.getByText('Este endereço pode ser registrado.').waitFor()
    await page.getByRole('button', { name: 'Criar o produto e as chaves' }).click()
    await page.getByText(`${name} está registrado`).waitFor()
  }

  it('go from a name to lines that, pasted into the example, make an app that somebody signs in to', async () => {
    const page = await owner()
    const app = `http://127.0.0.1:${await freePort()}`
    await connect(page, { name: 'Clube do Café & Prosa', uri: `${app}/auth/callback` })
    const command = await region(page, 'comando').innerText()
    assert.equal(command, 'npm run example -- external')
    const lines = await region(page, 'as três linhas').innerText()
    const key = /^PORTARIA_API_KEY=(sk_\w+)$/m.exec(lines)?.[1] ?? assert.fail(lines)
    assert.deepEqual(
      lines.split('\n').map((line) => line.split('=')[0]),
      ['PORTARIA_URL', 'PORTARIA_PUBLISHABLE_KEY', 'PORTARIA_API_KEY'],
    )
    assert.match(await region(page, '.env').innerText(), new RegExp(`^PORTARIA_APP_URL=${app}$`, 'm'))

    const terminal = openTerminal([fileURLToPath(new URL('../../scripts/example.ts', import.meta.url)), ...command.split(' ').slice(4)], {
      environment: {},
    })
    await until(() => terminal.screen().includes('PORTARIA_API_KEY=…'))
    terminal.type(`${lines}\n`)
    await until(() => terminal.screen().includes(` is at ${app}`))
    const opened = page.waitForEvent('popup')
    await page.getByRole('link', { name: app }).click()
    const tab = await opened
    await tab.getByRole('link', { name: 'Sign in with Portaria' }).click()
    await tab.getByRole('link', { name: 'Continuar para Clube do Café & Prosa' }).click()
    await isKnown(tab, app, 'Dona owner')
    terminal.type('\u0003')
    await until(() => terminal.child.exitCode !== null)

    await page.getByRole('link', { name: 'Copiei tudo: ir para o produto' }).click()
    await heading(page, 'Clube do Café & Prosa')
    await region(page, 'Dados').getByText('clube-do-cafe-prosa').waitFor()
    assert.ok(!(await page.content()).includes(key), 'the key is not shown again')
    await page.getByRole('tab', { name: 'Chaves' }).click()
    await page.reload()
    await region(page, 'Chaves de API').getByText('Em vigor').waitFor()
    assert.ok(!(await page.content()).includes(key))
  })

  it('of the family need no keys to paste', async () => {
    const page = await owner()
    await connect(page, { name: 'Painel da casa', uri: 'http://localhost:4321/auth/callback', audience: /^Nosso/ })
    assert.equal(await region(page, '.env').innerText(), `PORTARIA_URL=${harness.service.url}\nPORTARIA_APP_URL=http://localhost:4321`)
    assert.equal(await page.getByText('npm run example').count(), 0)
  })

  it('that speak OpenID Connect or know nothing of sign-in are asked for, and end with their own lines', async () => {
    for (const context of [PHONE, { colorScheme: 'dark' as const }]) {
      const page = await owner({ context })
      const name = `Painéis ${'viewport' in context ? 'móveis' : 'escuros'}`
      await page.goto(`${admin}/products/create`)
      const field = page.getByLabel('Nome', { exact: true }).or(page.getByLabel('Nome *', { exact: true }))
      await field.fill(name)
      await page.getByRole('radio', { name: 'Um app que fala OpenID Connect' }).check()
      await page.getByLabel('Qual?').click()
      await page.getByRole('option', { name: 'Grafana', exact: true }).click()
      await page.getByRole('radio', { name: /^Nosso/ }).check()
      await assertFits(page)
      await page.getByRole('button', { name: 'Continuar' }).click()
      const host = 'viewport' in context ? 'moveis.example' : 'escuros.example'
      await page.getByLabel('Endereço de retorno').fill(`https://${host}`)
      await page.getByRole('button', { name: `Usar https://${host}/login/generic_oauth` }).click()
      await page.getByText('Este endereço pode ser registrado.').waitFor()
      await assertFits(page)
      await page.getByRole('button', { name: 'Criar o produto e as chaves' }).click()
      const lines = await region(page, 'grafana.ini').innerText()
      assert.match(lines, /^client_secret = sk_\w+$/m)
      assert.match(lines, new RegExp(`^auth_url = ${harness.service.url}/openid/authorize$`, 'm'))
      await assertFits(page)
      await page.getByRole('link', { name: 'Copiei tudo: ir para o produto' }).click()
      await heading(page, name)
      await page.getByRole('tab', { name: 'Entrada' }).click()
      await region(page, 'Linhas para colar').waitFor()
      assert.ok(!(await page.content()).includes(/sk_\w+/.exec(lines)?.[0] ?? assert.fail(lines)), 'the key is not shown again')
      await assertFits(page)
      await harness.leave(opened.pop() ?? page)
    }

    const page = await owner()
    await page.goto(`${admin}/products/create`)
    await page
      .getByLabel('Nome', { exact: true })
      .or(page.getByLabel('Nome *', { exact: true }))
      .fill('Enciclopédia')
    await page.getByRole('radio', { name: 'Um app sem login próprio' }).check()
    assert.equal(await page.getByRole('radio', { name: /^Nosso/ }).count(), 0)
    await page.getByLabel('Qual?').click()
    await page.getByRole('option', { name: 'Caddy', exact: true }).click()
    await page.getByRole('button', { name: 'Continuar' }).click()
    const create = page.getByRole('button', { name: 'Criar o produto e as chaves' })
    await page.getByLabel('Host').fill('wiki.fora.example')
    await create.click()
    await page.getByRole('alert').waitFor()
    assert.equal(await page.getByLabel('Host').getAttribute('aria-invalid'), 'true')
    const host = `${new URL(harness.service.url).hostname}:4445`
    await page.getByLabel('Host').fill(host)
    await create.click()
    assert.match(await region(page, 'Caddyfile').innerText(), new RegExp(`^${host} \\{`))
    await assertFits(page)
  })

  it('say while an address is typed why it is refused, and which to use instead', async () => {
    await harness.service.product({ slug: 'vizinha', uris: ['https://vizinha.example/auth/callback'] })
    const page = await owner()
    await page.goto(`${admin}/products/create`)
    await page
      .getByLabel('Nome', { exact: true })
      .or(page.getByLabel('Nome *', { exact: true }))
      .fill('Endereços')
    await page.keyboard.press('Enter')
    const field = page.getByLabel('Endereço de retorno')
    const create = page.getByRole('button', { name: 'Criar o produto e as chaves' })
    for (const [uri, why] of [
      ['app.example/auth/callback', /endereço completo/],
      ['http://app.example/', /Comece com https/],
      ['https://app.example/#x', /Retire o #/],
      ['https://*.app.example/', /Curingas/],
      ['https://ana:b@app.example/', /nome de usuário/],
      ['https://app.example/?state=1', /Retire eg_session, eg_token e state/],
      ['https://vizinha.example/auth/callback', /Já pertence a vizinha/],
      ['HTTPS://App.Example', /forma em que os navegadores/],
    ] as const) {
      await field.fill(uri)
      await page.getByText(why).waitFor()
      assert.equal(await field.getAttribute('aria-invalid'), 'true')
      assert.ok(await create.isDisabled())
    }
    await page.getByRole('button', { name: 'Usar https://app.example/auth/callback', exact: true }).click()
    await page.getByText('Este endereço pode ser registrado.').waitFor()
    assert.ok(await create.isEnabled())
    await page.getByRole('button', { name: 'Usar http://127.0.0.1:4004/auth/callback' }).click()
    assert.equal(await field.inputValue(), 'http://127.0.0.1:4004/auth/callback')
  })

  it('go back to the name when another product has it, and keep the address that was typed', async () => {
    await harness.service.product({ slug: 'ocupado' })
    const page = await owner()
    await page.goto(`${admin}/products/create`)
    await page
      .getByLabel('Nome', { exact: true })
      .or(page.getByLabel('Nome *', { exact: true }))
      .fill('Ocupado')
    await page.keyboard.press('Enter')
    await page.getByLabel('Endereço de retorno').fill('https://livre.example/auth/callback')
    await page.keyboard.press('Enter')
    await page.getByText('Outro produto já tem este nome.').waitFor()
    await page.getByLabel('Nome na URL').fill('livre')
    await page.keyboard.press('Enter')
    assert.equal(await page.getByLabel('Endereço de retorno').inputValue(), 'https://livre.example/auth/callback')
    await page.getByRole('button', { name: 'Criar o produto e as chaves' }).click()
    await page.getByText('Ocupado está registrado').waitFor()
  })

  it('ask who stayed away for long to sign in again, and go on with what was typed', async () => {
    const page = await owner()
    await page.goto(`${admin}/products/create`)
    await page
      .getByLabel('Nome', { exact: true })
      .or(page.getByLabel('Nome *', { exact: true }))
      .fill('Depois do café')
    await page.keyboard.press('Enter')
    await page.getByLabel('Endereço de retorno').fill('https://cafe.example/auth/callback')
    harness.service.clock.now += 11 * 60_000
    await page.getByRole('button', { name: 'Criar o produto e as chaves' }).click()
    const opened = page.waitForEvent('popup')
    await page.getByRole('dialog', { name: 'Confirme que é você' }).getByRole('button', { name: 'Abrir a janela de entrada' }).click()
    await signIn(await opened, `dona${owners}@example.com`)
    await page.getByText('Depois do café está registrado').waitFor()
  })

  it('get addresses added, trusted and removed on their page; names are text', async () => {
    const { product } = await harness.service.product({ slug: 'enderecos', name: MARKUP, uris: ['https://um.example/'] })
    const page = await owner()
    await open(page, product.id, MARKUP, 'sign_in')
    const uris = region(page, 'Endereços de retorno')
    await uris.getByLabel('Endereço de retorno').fill('https://dois.example/*')
    await uris.getByText(/Curingas/).waitFor()
    await uris.getByLabel('Endereço de retorno').fill('https://dois.example/')
    await uris.getByText(/fora do domínio interno/).waitFor()
    await page.keyboard.press('Enter')
    const row = uris.getByRole('listitem').filter({ hasText: 'https://dois.example/' })
    await row.waitFor()
    await doIt(page, row, 'Confiar')
    await row.getByText('Confiável').waitFor()
    await doIt(page, uris.getByRole('listitem').filter({ hasText: 'https://um.example/' }), 'Remover')
    await uris.getByText('https://um.example/').waitFor({ state: 'detached' })
    assert.deepEqual(await redirectUriStore(harness.service.context.storage.db).listRedirectUris(product.id), [
      { uri: 'https://dois.example/', trusted: true },
    ])
    assert.equal(await page.evaluate('window.hacked'), undefined)
  })

  it('stand behind a proxy: hosts and a rule are set on their page, refused where they can not be, and turned off', async () => {
    const { product } = await harness.service.product({ slug: 'wiki', name: 'Wiki', uris: [] })
    const page = await owner()
    await open(page, product.id, 'Wiki', 'sign_in')
    const proxy = region(page, 'Atrás de um proxy')
    const rule = () => forwardAuthStore(harness.service.context.storage.db).find(product.id)
    const host = `${new URL(harness.service.url).hostname}:4444`
    assert.equal(await proxy.getByLabel('Hosts').count(), 0)
    await proxy.getByRole('button', { name: 'Ligar' }).click()
    await proxy.getByLabel('Hosts').fill('wiki.fora.example')
    await proxy.getByRole('button', { name: 'Salvar o proxy' }).click()
    await proxy.getByRole('alert').waitFor()
    assert.equal(await rule(), undefined)
    await proxy.getByLabel('Hosts').fill(`${host}\n`)
    await proxy.getByLabel('Quem passa').click()
    await page.getByRole('option', { name: 'Quem tem um destes planos' }).click()
    await proxy.getByLabel('Planos').fill('easy-pro, easy-enterprise')
    await proxy.getByRole('button', { name: 'Salvar o proxy' }).click()
    await until(async () => (await rule()) !== undefined)
    assert.deepEqual(await rule(), { access: 'plans', plans: ['easy-pro', 'easy-enterprise'], hosts: [host] })
    assert.match(await region(page, 'nginx.conf').innerText(), new RegExp(`X-Forwarded-Host ${host};`))
    await doIt(page, proxy, 'Desligar')
    await until(async () => (await rule()) === undefined)
    await proxy.getByRole('button', { name: 'Ligar' }).waitFor()
    await region(page, 'nginx.conf').waitFor({ state: 'detached' })
    await proxy.getByRole('button', { name: 'Ligar' }).click()
    assert.equal(await proxy.getByLabel('Hosts').inputValue(), '')
  })

  it('speak OpenID Connect: the kind of app is chosen on their page, refused where it can not be, and turned off', async () => {
    const { product } = await harness.service.product({ slug: 'grafana', name: 'Grafana', uris: ['https://grafana.example/callback'] })
    const page = await owner()
    await open(page, product.id, 'Grafana', 'sign_in')
    const section = region(page, 'OpenID Connect')
    const settings = async () => (await productStore(harness.service.context.storage.db).findById(product.id))?.openid
    await section.getByRole('button', { name: 'Ligar' }).click()
    await section.getByLabel('Endereços depois de sair').fill('http://fora.example/')
    await section.getByRole('button', { name: 'Salvar o OpenID Connect' }).click()
    await section.getByRole('alert').waitFor()
    assert.equal(await settings(), undefined)
    await section.getByLabel('Endereços depois de sair').fill('https://grafana.example/')
    await section.getByLabel('PKCE').click()
    await page.getByRole('option', { name: 'Opcional, para um app antigo' }).click()
    await section.getByRole('button', { name: 'Salvar o OpenID Connect' }).click()
    await section.getByText(product.publishableKey).waitFor()
    const usual = { idTokenAlg: 'RS256', resources: [], takesDocuments: false }
    const { since: _at, ...stored } = (await settings()) ?? assert.fail('it is off')
    assert.deepEqual(stored, { ...usual, kind: 'web', pkce: 'optional', postLogoutUris: ['https://grafana.example/'] })
    const lines = region(page, 'Linhas para colar')
    await lines.getByLabel('Para').click()
    await page.getByRole('option', { name: 'Grafana', exact: true }).click()
    assert.match(await region(page, 'grafana.ini').innerText(), new RegExp(`^client_id = ${product.publishableKey}$`, 'm'))
    await assertFits(page)
    await doIt(page, section, 'Desligar')
    await until(async () => (await settings()) === undefined)
  })

  it('keep what is typed of a proxy while it is being saved, and say that another administrator was faster before it is lost', async () => {
    const { product } = await harness.service.product({ slug: 'distraido', name: 'Distraído', uris: ['https://distraido.example/a'] })
    const page = await owner()
    const faster = await adminOf(harness.service, 'dona-api-2@example.com', 'owner')
    const path = `/products/${product.id}`
    const { hostname } = new URL(harness.service.url)
    await open(page, product.id, 'Distraído', 'sign_in')
    const proxy = region(page, 'Atrás de um proxy')
    const hosts = proxy.getByLabel('Hosts')
    await proxy.getByRole('button', { name: 'Ligar' }).click()
    await hosts.fill(`${hostname}:4501`)
    const { promise, resolve: release } = Promise.withResolvers<void>()
    await page.route(`**/products/${product.id}`, (route) =>
      (route.request().method() === 'PATCH' ? promise : Promise.resolve()).then(() => route.continue()),
    )
    await proxy.getByRole('button', { name: 'Salvar o proxy' }).click()
    await hosts.fill(`${hostname}:4502`)
    release()
    await proxy.getByRole('button', { name: 'Desligar' }).waitFor()
    await page.unrouteAll()
    assert.equal(await hosts.inputValue(), `${hostname}:4502`)
    assert.equal(await proxy.getByRole('alert').count(), 0)
    await proxy.getByRole('button', { name: 'Salvar o proxy' }).click()
    const stored = async () => (await forwardAuthStore(harness.service.context.storage.db).find(product.id))?.hosts[0]
    await until(async () => (await stored()) === `${hostname}:4502`)
    await until(() => proxy.getByRole('button', { name: 'Salvar o proxy' }).isEnabled())

    await hosts.fill(`${hostname}:4503`)
    const theirs = { access: 'signed_in', plans: [], hosts: [`${hostname}:4504`] }
    const patched = await faster.send('PATCH', path, { forward_auth: theirs }, { version: versionOf(await faster.get(path)) })
    assert.equal(patched.status, 200, patched.text)
    await page.evaluate("dispatchEvent(new Event('visibilitychange'))")
    await pause(500)
    assert.equal(await hosts.inputValue(), `${hostname}:4503`)
    await page.getByLabel('Endereço de retorno').fill('https://distraido.example/b')
    await page.getByRole('button', { name: 'Adicionar', exact: true }).click()
    await until(async () => (await hosts.inputValue()) === `${hostname}:4504`)
    await proxy.getByRole('alert').getByText('Isto mudou desde que você abriu').waitFor()
    await hosts.fill(`${hostname}:4505`)
    await proxy.getByRole('button', { name: 'Salvar o proxy' }).click()
    await until(async () => (await stored()) === `${hostname}:4505`)
    await proxy.getByRole('alert').waitFor({ state: 'detached' })
  })

  it('keep what is typed of OpenID Connect when an address is added beside it, and say why it was not saved', async () => {
    const { product } = await harness.service.product({ slug: 'apressado', name: 'Apressado', uris: ['https://apressado.example/a'] })
    const page = await owner()
    const faster = await adminOf(harness.service, 'dona-api@example.com', 'owner')
    const path = `/products/${product.id}`
    const patch = async (body: object) =>
      assert.equal((await faster.send('PATCH', path, body, { version: versionOf(await faster.get(path)) })).status, 200)
    const openid = { kind: 'web', pkce: 'required', id_token_alg: 'RS256', post_logout_uris: [], resources: [] }
    await patch({ openid })
    await open(page, product.id, 'Apressado', 'sign_in')
    const section = region(page, 'OpenID Connect')
    const typed = section.getByLabel('Endereços depois de sair')
    await typed.fill('https://apressado.example/saiu')
    await page.getByLabel('Endereço de retorno').fill('https://apressado.example/b')
    await page.getByRole('button', { name: 'Adicionar', exact: true }).click()
    await page.getByRole('list', { name: 'Endereços registrados' }).getByText('https://apressado.example/b').waitFor()
    assert.equal(await typed.inputValue(), 'https://apressado.example/saiu')
    await patch({ openid: { ...openid, post_logout_uris: ['https://apressado.example/da-outra'] } })
    await section.getByRole('button', { name: 'Salvar o OpenID Connect' }).click()
    await until(async () => (await typed.inputValue()) === 'https://apressado.example/da-outra')
    await section.getByRole('alert').getByText('Isto mudou desde que você abriu').waitFor()
    await typed.fill('https://apressado.example/saiu')
    await section.getByRole('button', { name: 'Salvar o OpenID Connect' }).click()
    await section.getByRole('alert').waitFor({ state: 'detached' })
    await until(
      async () =>
        (await productStore(harness.service.context.storage.db).findById(product.id))?.openid?.postLogoutUris[0] ===
        'https://apressado.example/saiu',
    )
  })

  it('warn the second of two editors, who compares and chooses', async () => {
    const { product } = await harness.service.product({ slug: 'disputado', name: 'Disputado' })
    const [one, other] = [await owner(), await owner()]
    for (const page of [one, other]) {
      await page.goto(`${admin}/products/${product.id}`)
      await heading(page, 'Editar Disputado')
    }
    const nameOf = (page: Page) => page.getByRole('textbox', { name: 'Nome', exact: true })
    await nameOf(one).fill('De uma')
    await one.getByRole('spinbutton', { name: 'Pix' }).fill('9')
    await one.getByRole('button', { name: 'Salvar' }).click()
    await heading(one, 'Produtos')
    await nameOf(other).fill('De outra')
    await other.getByRole('button', { name: 'Salvar' }).click()
    const conflict = other.getByRole('alert').filter({ hasText: 'Isto mudou desde que você abriu' })
    await conflict.getByText('De uma').waitFor()
    await conflict.getByText('De outra').waitFor()
    await conflict.getByRole('button', { name: 'Salvar o que eu digitei' }).click()
    await heading(other, 'Produtos')
    await open(other, product.id, 'De outra')
    await region(other, 'Dados').getByText('Pix: 9 dias').waitFor()
  })

  it('show who takes which method as a table; the second editor of it is shown what stands there', async () => {
    const { product } = await harness.service.product({ slug: 'tabela', name: 'Tabela' })
    const [one, other] = [await owner(), await owner()]
    for (const page of [one, other]) await open(page, product.id, 'Tabela', 'payments')
    const table = (page: Page) => region(page, 'Quem recebe cada forma de pagamento')
    await table(other).getByRole('radio', { name: 'Cartão: Stripe' }).check()
    await table(one).getByRole('radio', { name: 'Pix: Asaas' }).check()
    await table(one).getByText('Sem credenciais: Asaas.').waitFor()
    await table(one).getByRole('button', { name: 'Salvar a tabela' }).click()
    await one.getByText('Salvo').waitFor()
    await table(other).getByRole('button', { name: 'Salvar a tabela' }).click()
    await table(other)
      .getByRole('alert')
      .filter({ hasText: /Isto mudou desde que você abriu.*Agora no serviço: Pix: Asaas/ })
      .waitFor()
    await table(other).getByRole('radio', { name: 'Pix: Asaas' }).check()
    await table(other).getByRole('button', { name: 'Salvar a tabela' }).click()
    await other.getByText('Salvo').waitFor()
    await other.reload()
    for (const name of ['Pix: Asaas', 'Boleto: Ninguém', 'Cartão: Stripe']) {
      await table(other).getByRole('radio', { name }).and(other.locator(':checked')).waitFor()
    }
  })

  it('take gateway credentials, try them with an explanation, and never give them out again', async (t) => {
    const { product } = await harness.service.product({ slug: 'credenciais', name: 'Credenciais' })
    const api = createServer((request, response) => {
      const isKnown = request.headers.access_token === SECRETS.access
      response.writeHead(isKnown ? 200 : 401, { 'content-type': 'application/json' }).end('{"data":[]}')
    })
    await new Promise<void>((resolve) => api.listen(0, 'localhost', resolve))
    t.after(() => {
      api.close()
      api.closeAllConnections()
    })
    const apiUrl = `http://localhost:${(api.address() as AddressInfo).port}/v3`
    const page = await owner()
    const answers: string[] = []
    page.on('response', async (response) => {
      if (response.url().includes('/api/admin/')) answers.push(await response.text().catch(() => ''))
    })
    await open(page, product.id, 'Credenciais', 'payments')
    const asaas = page.getByRole('article', { name: 'Asaas' })
    await asaas.getByText(/\/api\/webhooks\/asaas\/wk_\w+/).waitFor()
    const give = async (action: string, access: string, webhook = SECRETS.webhook) => {
      await asaas.getByRole('button', { name: action }).click()
      const dialog = page.getByRole('dialog', { name: `${action}: Asaas` })
      for (const label of ['Segredo do webhook', 'Chave de acesso à API']) assert.equal(await dialog.getByLabel(label).inputValue(), '')
      await dialog.getByLabel('Segredo do webhook').fill(webhook)
      await dialog.getByLabel('Chave de acesso à API').fill(access)
      await dialog.getByLabel('São de teste').check()
      await dialog.getByLabel('Endereço da API').fill(apiUrl)
      await dialog.getByRole('button', { name: action }).click()
      return dialog
    }
    const refused = await give('Informar credenciais', SECRETS.access, 'curto')
    await refused.getByText('De 8 a 500 caracteres').waitFor()
    await page.keyboard.press('Escape')
    await give('Informar credenciais', 'another-token-altogether')
    await asaas.getByText('Credenciais de teste').waitFor()
    await asaas.getByRole('button', { name: 'Testar a conexão' }).click()
    await asaas.getByText(/Recusou a chave de acesso \(401\)\. Copie-a de novo/).waitFor()
    await give('Substituir credenciais', SECRETS.access)
    await page.getByRole('dialog').waitFor({ state: 'detached' })
    await asaas.getByRole('button', { name: 'Testar a conexão' }).click()
    await asaas.getByText('A API de Asaas aceita a chave de acesso.').waitFor()

    await gatewayHealthStore(harness.service.context.storage.db).noteDelivery('asaas', product.id, harness.service.clock.now)
    await page.reload()
    await asaas.locator('time').waitFor()
    await asaas.getByText(apiUrl).waitFor()
    await doIt(page, asaas, 'Remover credenciais')
    await asaas.getByText('Sem credenciais').waitFor()
    assert.ok(answers.length > 8)
    for (const text of [...answers, await page.content()]) {
      for (const secret of [...Object.values(SECRETS), 'another-token-altogether']) assert.ok(!text.includes(secret))
    }
  })

  it('rotate a key without a gap: one more, shown once, then the old one goes', async () => {
    const { product, apiKey } = await harness.service.product({ slug: 'troca', name: 'Troca' })
    const isGood = async (key: string) =>
      (await fetch(`${harness.service.url}/api/products/self`, { headers: { authorization: `Bearer ${key}` } })).status === 200
    const page = await owner()
    await open(page, product.id, 'Troca', 'keys')
    const keys = region(page, 'Chaves de API')
    await doIt(page, keys, 'Trocar a chave')
    const shown = keys.getByRole('alert').filter({ hasText: 'Nova chave de API' })
    const fresh = await shown.locator('code').innerText()
    assert.ok((await isGood(fresh)) && (await isGood(apiKey)))
    await shown.getByRole('button', { name: 'Já guardei' }).click()
    await keys.getByText('Há duas chaves em vigor.').waitFor()
    assert.equal(await keys.getByRole('button', { name: 'Trocar a chave' }).count(), 0)
    assert.ok(!(await page.content()).includes(fresh))
    const old = keys.getByRole('listitem').filter({ hasText: apiKey.slice(0, 7) })
    await doIt(page, old, 'Revogar')
    await old.getByText('Revogada').waitFor()
    assert.deepEqual([await isGood(fresh), await isGood(apiKey)], [true, false])
    const before = await region(page, 'Chave de webhook').getByRole('listitem').count()
    await doIt(page, region(page, 'Chave de webhook'), 'Trocar a chave de webhook')
    await region(page, 'Chave de webhook').getByRole('listitem').nth(before).waitFor()
  })

  it('get plans of their own, priced in reais and bought by what gateways call them', async () => {
    await harness.service.product({ slug: 'assinada', name: 'Assinada' })
    const page = await owner()
    await page.goto(`${admin}/plans/create`)
    await page.getByRole('textbox', { name: 'Nome', exact: true }).fill('Clube do Livro & Café')
    const slug = page.getByLabel('Nome na URL')
    assert.equal(await slug.inputValue(), 'clube-do-livro-cafe')
    await slug.fill('Plano Ouro')
    await page.getByRole('button', { name: 'Criar', exact: true }).click()
    await page.getByText('por exemplo plano-ouro').waitFor()
    await slug.fill('assinada-mensal')
    await page.getByRole('combobox', { name: 'Produto' }).click()
    await page.getByRole('option', { name: 'Assinada (assinada)' }).click()
    await page.getByRole('textbox', { name: 'Nome', exact: true }).fill('Mensal')
    await page.getByLabel('Preço em reais').fill('49.9')
    await page.getByRole('combobox', { name: 'Pagamento abaixo do preço' }).click()
    await page.getByRole('option', { name: 'Espera a sua decisão' }).click()
    assert.equal(await slug.inputValue(), 'assinada-mensal', 'what somebody wrote stays')
    await page.getByRole('button', { name: 'Adicionar código' }).click()
    await page.getByRole('combobox', { name: 'Meio de pagamento' }).click()
    await page.getByRole('option', { name: 'Stripe' }).click()
    await page.getByLabel('Código do preço, do produto ou do link').fill('price_mensal')
    await assertFits(page)
    await page.getByRole('button', { name: 'Criar', exact: true }).click()
    const row = page.getByRole('row').filter({ hasText: 'assinada-mensal' })
    await row.getByText(/49,90/).waitFor()
    await row.getByText('Stripe: price_mensal').waitFor()
    await row.getByRole('link', { name: 'Mensal' }).click()
    assert.equal(await page.getByLabel('Preço em reais').inputValue(), '49,90')
    assert.equal(await page.getByRole('combobox', { name: 'Pagamento abaixo do preço' }).innerText(), 'Espera a sua decisão')
    await page.getByLabel('Preço em reais').fill('59,95')
    await page.getByRole('button', { name: 'Salvar' }).click()
    await row.getByText(/59,95/).waitFor()
  })

  it('connect an identity provider, test it well and broken, change and remove it', async () => {
    const provider = await startProvider(`${harness.service.url}/auth/callback`)
    const page = await owner()
    await page.getByRole('link', { name: 'Provedores de identidade' }).click()
    await page.getByRole('link', { name: 'Conectar um provedor' }).click()
    await page.getByRole('link', { name: /^Outro provedor OpenID/ }).click()
    await page.getByLabel('Nome no botão').fill('Universidade')
    await page.getByLabel('Nome na URL').fill('universidade')
    await page.getByLabel('Emissor (issuer)').fill(provider.issuer)
    await page.getByLabel('Client ID').fill(provider.clientId)
    await page.getByLabel('Client secret').fill(provider.clientSecret)
    await page.getByLabel('Domínios de e-mail').fill('usp.br\nunicamp.br')
    await page.getByRole('button', { name: 'Criar' }).click()
    await heading(page, 'Universidade')
    await page.getByText('usp.br, unicamp.br').waitFor()
    await page.getByText(`${harness.service.url}/auth/callback`).waitFor()
    const test = page.getByRole('button', { name: 'Testar a conexão' })
    await test.click()
    await page.getByText('A conexão funciona. Falta alguém entrar uma vez.').waitFor()
    assert.equal(await page.getByRole('list', { name: 'Resultado' }).getByRole('listitem').count(), 6)
    await assertFits(page)
    provider.mood = 'rubbish'
    await test.click()
    await page.getByText('Assim ninguém consegue entrar.').waitFor()
    const finding = page.getByRole('list', { name: 'Resultado' }).getByRole('listitem')
    await finding.filter({ hasText: /Errado.*responde text\/html onde se espera JSON/ }).waitFor()
    assert.equal(await finding.getByText('where JSON is due').count(), 0, 'the same in English')
    provider.mood = 'well'
    assert.ok(!(await page.content()).includes(provider.clientSecret))

    await page.getByRole('link', { name: 'Editar' }).click()
    await page.getByLabel('Nome no botão').fill('USP')
    assert.equal(await page.getByLabel('Client secret').inputValue(), '')
    await page.getByRole('button', { name: 'Salvar' }).click()
    await page.getByRole('link', { name: 'USP' }).click()
    await heading(page, 'USP')
    await page.getByRole('button', { name: 'Desconectar' }).click()
    await agreeTo(page, 'Desconectar')
    await heading(page, 'Provedores de identidade')
    await page.getByText('Nada por aqui ainda').waitFor()
  })

  it('make the next signing key, and end one', async () => {
    const page = await owner()
    await page.getByRole('link', { name: 'Chaves criptográficas' }).click()
    await heading(page, 'Chaves criptográficas')
    await doIt(page, page.locator('main'), 'Trocar em um dia')
    const next = page.getByRole('row').filter({ hasText: 'Próxima' })
    await next.getByText('ainda não está em uso').waitFor()
    await assertFits(page)
    await doIt(page, next, 'Revogar')
    await page.getByRole('row').filter({ hasText: 'Revogada' }).waitFor()
  })

  it('show a viewer nothing that a viewer may not do, and no address with a key in it', async () => {
    const { product } = await harness.service.product({ slug: 'vista', name: 'Vista' })
    const page = await harness.administrator('viewer')
    await page.goto(`${admin}/products`)
    await heading(page, 'Produtos')
    assert.equal(await page.getByRole('link', { name: 'Conectar um app' }).count(), 0)
    assert.equal(await page.getByRole('link', { name: 'Chaves criptográficas' }).count(), 0)
    await open(page, product.id, 'Vista', 'payments')
    await page.getByText('Só proprietários veem o endereço').first().waitFor()
    assert.equal(
      await page
        .locator('main')
        .getByRole('button', { name: /Remover|Revogar|Trocar|Informar credenciais|Salvar|Adicionar/ })
        .count(),
      0,
    )
    assert.doesNotMatch(await page.content(), /wk_\w{20}/)
    assert.ok(await page.getByRole('radio', { name: 'Pix: Asaas' }).isDisabled())
  })

  it('are without an accessibility fault and as wide as the screen on a phone', async () => {
    const slug = 'vista-movel'
    const { product } = await harness.service.product({ slug, name: 'Acessível', uris: [`https://${slug}.example/`] })
    const page = await owner({ context: PHONE })
    for (const [path, name] of [
      ['/products', 'Produtos'],
      [`/products/${product.id}/show`, 'Acessível'],
      [`/products/${product.id}`, 'Editar Acessível'],
      ['/products/create', 'Conectar um app'],
      ['/plans/create', 'Criar plano'],
      ['/identity-providers/create', 'Conectar um provedor'],
      ['/signing-keys', 'Chaves criptográficas'],
    ] as const) {
      await showPage(page, `${admin}${path}`)
      await heading(page, name)
      await assertFits(page)
    }
    await showPage(page, `${admin}/products/${product.id}/show`)
    for (const tab of ['Entrada', 'Chaves', 'Eventos', 'Aparência', 'Pagamentos']) {
      await page.getByRole('tab', { name: tab }).click()
      await page.getByRole('tabpanel', { name: tab }).getByRole('region').first().waitFor()
      await assertFits(page)
    }
    await page.getByRole('article', { name: 'Stripe' }).getByRole('button', { name: 'Informar credenciais' }).click()
    await page.getByRole('dialog').waitFor()
    await assertFits(page)
  })

  it('are connected by keyboard alone', async () => {
    const page = await owner()
    await page.goto(`${admin}/products/create`)
    const name = page.getByLabel('Nome', { exact: true }).or(page.getByLabel('Nome *', { exact: true }))
    await name.focus()
    await page.keyboard.type('Só teclado')
    await page.keyboard.press('Enter')
    await page.getByRole('heading', { name: 'Passo 2 de 3: O endereço' }).and(page.locator(':focus')).waitFor()
    await page.keyboard.press('Tab')
    await page.keyboard.type('https://teclado.example/auth/callback')
    await page.getByText('Este endereço pode ser registrado.').waitFor()
    await page.keyboard.press('Enter')
    await page.getByRole('heading', { name: 'Passo 3 de 3: As chaves' }).and(page.locator(':focus')).waitFor()
  })
})
