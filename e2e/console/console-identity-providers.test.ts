import assert from 'node:assert/strict'
import { after, afterEach, before, describe, it } from 'node:test'
import type { Page } from 'playwright-core'
import { addProvider, providerStore } from '../../server/src/identity-providers/index.ts'
import { startNamedProvider } from '../../server/test/support/users/named-providers.ts'
import { startProvider } from '../../server/test/support/users/openid-provider.ts'
import { lookAt } from '../harness/axe.ts'
import { heading } from '../harness/steps.ts'
import { assertFits, type ConsoleHarness, showPage, startConsoleHarness } from './console-harness.ts'

const PHONE = { viewport: { width: 390, height: 844 } }

describe('The gallery of identity providers', () => {
  let harness: ConsoleHarness
  before(async () => {
    harness = await startConsoleHarness()
  })
  after(() => harness.close())
  afterEach(() => assert.deepEqual(harness.complaints, []))

  const field = (page: Page, label: string) => page.getByLabel(label, { exact: false }).first()
  const create = () => `${harness.service.url}/admin/identity-providers/create`

  it('shows the address to register first, connects Apple by its key, and Apple’s form from another site signs in', async () => {
    const { service } = harness
    const apple = await startNamedProvider('apple', `${service.url}/auth/callback`, '127.0.0.1')
    const key = JSON.parse(apple.clientSecret)
    const page = await harness.administrator('owner', { email: 'dona-galeria@example.com' })
    await showPage(page, create())
    await heading(page, 'Conectar um provedor')
    const gallery = page.getByRole('list', { name: 'Com que contas as pessoas entram?' })
    const names = ['Google', 'Microsoft', 'Apple', 'Facebook', 'GitHub', 'Keycloak', 'Outro provedor OpenID']
    for (const name of names) await gallery.getByRole('link', { name: new RegExp(`^${name}`) }).waitFor()
    assert.equal(await gallery.getByRole('link').count(), names.length)
    await assertFits(page)

    await gallery.getByRole('link', { name: /^Apple/ }).click()
    await page.getByText(`${service.url}/auth/callback`).waitFor()
    await page.getByRole('button', { name: 'Copiar Endereço de retorno' }).waitFor()
    assert.deepEqual(
      [await field(page, 'Nome no botão').inputValue(), await field(page, 'Emissor (issuer)').inputValue()],
      ['Apple', 'https://appleid.apple.com'],
    )
    assert.match(await field(page, 'Domínios de e-mail').inputValue(), /privaterelay\.appleid\.com/)
    await field(page, 'Emissor (issuer)').fill(apple.issuer)
    await field(page, 'Client ID').fill(apple.clientId)
    await field(page, 'Team ID').fill(key.team_id)
    await field(page, 'Key ID').fill(key.key_id)
    await field(page, 'Conteúdo do arquivo .p8').fill('no key')
    await page.getByRole('button', { name: 'Testar e criar' }).click()
    await page.getByText('Confira o formato').waitFor()
    assert.equal(await providerStore(service.context.storage.db).findById('apple'), undefined)
    await field(page, 'Conteúdo do arquivo .p8').fill(key.private_key)
    await page.getByRole('button', { name: 'Testar e criar' }).click()
    await heading(page, 'Apple')
    // Its page shows what the test before it was saved has found.
    await page.getByText('O provedor conhece a Portaria.').waitFor()
    assert.equal((await providerStore(service.context.storage.db).findById('apple'))?.kind, 'apple')

    apple.next = { sub: '000123.abc', email: 'ana@privaterelay.appleid.com', email_verified: true }
    const visitor = await harness.visitor()
    const posted: Promise<Record<string, string>>[] = []
    visitor.on('request', (request) => {
      if (request.url().endsWith('/auth/callback')) posted.push(request.allHeaders())
    })
    await visitor.goto(`${service.url}/login`)
    await visitor.getByRole('link', { name: 'Entrar com Apple' }).click()
    await visitor.waitForURL('**/complete-profile**')
    assert.deepEqual((await lookAt(visitor)).faults, [])
    const [headers] = await Promise.all(posted)
    assert.deepEqual([headers?.['sec-fetch-site'], headers?.cookie], ['cross-site', undefined])
    assert.ok((await visitor.context().cookies(service.url)).some(({ name }) => name === 'eg_session'))
  })

  it('asks for what is the operator’s own, and connects any other provider; on a phone it fits', async () => {
    const page = await harness.administrator('owner', { email: 'dona-inquilina@example.com', context: PHONE })
    await showPage(page, create())
    await page.getByRole('link', { name: /^Microsoft/ }).click()
    await field(page, 'Client ID').fill('um-cliente')
    await field(page, 'Client secret').fill('um-segredo')
    await page.getByRole('button', { name: 'Testar e criar' }).click()
    await page.getByText('Preencha este campo').waitFor()
    await assertFits(page)
    assert.equal(await providerStore(harness.service.context.storage.db).findById('microsoft'), undefined)
    await page.getByRole('link', { name: 'Escolher outro provedor' }).click()
    await page.getByRole('link', { name: /^Outro provedor OpenID/ }).click()
    assert.equal(await field(page, 'Emissor (issuer)').inputValue(), '')
    await field(page, 'Nome no botão').fill('Casa')
    await field(page, 'Nome na URL').fill('casa')
    await field(page, 'Emissor (issuer)').fill('https://casa.example')
    await field(page, 'Client ID').fill('um-cliente')
    await field(page, 'Client secret').fill('um-segredo')
    const casa = () => providerStore(harness.service.context.storage.db).findById('casa')
    await page.getByRole('button', { name: 'Testar e criar' }).click()
    await page.getByText('Nada foi salvo.', { exact: false }).waitFor()
    await page.getByText('Resposta do provedor').waitFor()
    assert.deepEqual([await page.getByRole('list', { name: 'Resultado' }).getByText('Errado').count(), await casa()], [1, undefined])
    await assertFits(page)
    assert.deepEqual((await lookAt(page)).faults, [])
    // A field that stops it uses the wish up: what is sent next is tested again.
    await field(page, 'Client ID').fill('')
    await page.getByRole('button', { name: 'Salvar mesmo assim' }).click()
    await page.getByText('Preencha este campo').waitFor()
    await field(page, 'Client ID').fill('um-cliente')
    await page.getByRole('button', { name: 'Testar e criar' }).click()
    await page.getByText('Nada foi salvo.', { exact: false }).waitFor()
    assert.equal(await casa(), undefined)
    await page.getByRole('button', { name: 'Salvar mesmo assim' }).click()
    await heading(page, 'Casa')
    await page.getByText('Assim ninguém consegue entrar.', { exact: false }).waitFor()
    assert.equal((await casa())?.kind, 'openid')
  })

  it('tests another secret before it replaces the stored one', async () => {
    const { service } = harness
    const provider = await startProvider(`${service.url}/auth/callback`)
    const page = await harness.administrator('owner', { email: 'dona-segredo@example.com' })
    const { storage, sealer } = service.context
    const input = { id: 'velho', name: 'Velho', issuer: provider.issuer, clientId: provider.clientId, clientSecret: 'o-de-antes' }
    await addProvider({ ...input, authoritativeFor: [], accessTokenAudience: undefined }, { ...service.context, actor: 'operator:cli' })
    const stored = () => providerStore(storage.db).findSecret('velho', sealer)
    await showPage(page, `${service.url}/admin/identity-providers/velho`)
    await heading(page, 'Editar Velho')
    await field(page, 'Client secret').fill('um-errado')
    await page.getByRole('button', { name: 'Salvar' }).click()
    await page.getByText('O provedor não conhece este client ID, ou o segredo é outro.').waitFor()
    assert.equal(await stored(), 'o-de-antes')
    await field(page, 'Client secret').fill(provider.clientSecret)
    await page.getByRole('button', { name: 'Salvar', exact: true }).click()
    await heading(page, 'Provedores de identidade')
    assert.equal(await stored(), provider.clientSecret)
    // Nothing is asked where the secret stays.
    provider.mood = 'rubbish'
    await showPage(page, `${service.url}/admin/identity-providers/velho`)
    await field(page, 'Nome no botão').fill('Novo')
    await page.getByRole('button', { name: 'Salvar', exact: true }).click()
    await heading(page, 'Provedores de identidade')
    assert.equal((await providerStore(storage.db).findById('velho'))?.name, 'Novo')
  })
})
