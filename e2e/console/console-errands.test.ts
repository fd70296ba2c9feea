// The errands of users, done by the screen alone. Each costs at most the steps that its test names: a longer way is a fault.
import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { after, afterEach, before, describe, it } from 'node:test'
import type { Page } from 'playwright-core'
import { announceInVain, askNow, statusOf } from '../../server/test/support/gateways/failed.ts'
import { startFakeApi } from '../../server/test/support/gateways/fake-api.ts'
import { openSchool } from '../../server/test/support/gateways/gateways.ts'
import { activated, later, notify, WEBHOOKS } from '../../server/test/support/gateways/purchases.ts'
import { until } from '../../server/test/support/until.ts'
import { startProvider } from '../../server/test/support/users/openid-provider.ts'
import { cpfOf, giveTaxId } from '../../server/test/support/users/tax-ids.ts'
import { type ConsoleHarness, startConsoleHarness } from './console-harness.ts'
import { beginErrand } from './errand.ts'

describe('An errand in the console', () => {
  let harness: ConsoleHarness
  let page: Page
  before(async () => {
    harness = await startConsoleHarness(WEBHOOKS)
    page = await harness.administrator('owner')
  })
  after(() => harness.close())
  afterEach(() => assert.deepEqual(harness.complaints, []))

  /** Every errand begins on the first page, as a morning does. */
  const begin = async () => {
    await page.goto(`${harness.service.url}/admin`)
    await page.getByRole('heading', { level: 1, name: 'Início' }).waitFor()
    return beginErrand(page)
  }
  const menu = (name: string) => page.getByRole('navigation').getByRole('link', { name, exact: true })

  it('from a CPF to why its owner has no access: one click', async () => {
    const { service } = harness
    const { id } = await service.user('joao@example.com', { name: 'João Nabuco' })
    const cpf = cpfOf(1)
    await giveTaxId(service.context, id, cpf)
    const bought = randomUUID()
    await notify(service.url, activated({ email: 'joao@example.com', id: bought, amount: 39_900, at: `${lastMonth()}-16T12:00:00Z` }))
    await notify(service.url, later('payment.refunded', { subscription_id: bought, at: `${lastMonth()}-20T12:00:00Z` }))
    const hands = await begin()
    await hands.type(page.getByRole('searchbox', { name: 'Buscar em tudo' }), cpf)
    await hands.press('Enter')
    const access = page.getByRole('region', { name: 'Acesso' })
    await access.getByText(/^Easy Pro, R\$\s399,00, reembolsada em 20 de/).waitFor()
    await access.getByText('Sem acesso').waitFor()
    await page.getByRole('heading', { level: 1, name: 'João Nabuco' }).waitFor()
    assert.deepEqual(hands.cost, { clicks: 1, texts: 1, keys: 1 })
  })

  it('everything that failed since ten o’clock is mended: three clicks and the time', async () => {
    const { service } = harness
    const api = await startFakeApi()
    const school = await openSchool(service, 'asaas', { apiUrl: api.url })
    const lost = [await announceInVain(service, api, school), await announceInVain(service, api, school)]
    api.mood = 'well'
    const hands = await begin()
    await hands.click(page.getByRole('link', { name: '2 notificações falharam' }))
    await hands.click(page.getByRole('button', { name: 'Processar tudo desde…' }))
    const dialog = page.getByRole('dialog', { name: 'Processar tudo desde…' })
    await hands.type(dialog.getByLabel('Desde'), anHourAgo())
    await dialog.getByText('2 notificações para processar.').waitFor()
    await hands.click(dialog.getByRole('button', { name: 'Processar tudo desde…' }))
    await page.getByText(/^Terminou: /).waitFor()
    for (const { id } of lost)
      await until(async () => {
        await askNow(service)
        return (await statusOf(service, id)) === 'processed'
      })
    await page.getByText('2 notificações foram aplicadas.').waitFor()
    await page.getByRole('tab', { name: 'Com falha (0)' }).waitFor()
    assert.deepEqual(hands.cost, { clicks: 3, texts: 1, keys: 0 })
  })

  it('an app’s key is rotated and the new one shown: five clicks', async () => {
    const { url } = harness.service
    const { apiKey } = await harness.service.product({ slug: 'livraria', name: 'Livraria Aurora' })
    const hands = await begin()
    await hands.click(menu('Produtos'))
    await hands.click(page.getByRole('link', { name: 'Livraria Aurora' }))
    await hands.click(page.getByRole('tab', { name: 'Chaves' }))
    await hands.click(page.getByRole('button', { name: 'Trocar a chave', exact: true }))
    await hands.click(page.getByRole('dialog').getByRole('button', { name: 'Trocar a chave' }))
    const shown = page.getByRole('alert').filter({ hasText: 'Nova chave de API' })
    const fresh = await shown.getByText(/^sk_/).innerText()
    await shown.getByRole('button', { name: 'Copiar' }).waitFor()
    assert.deepEqual(hands.cost, { clicks: 5, texts: 0, keys: 0 })
    assert.notEqual(fresh, apiKey)
    for (const key of [apiKey, fresh]) {
      const asked = await fetch(`${url}/api/saas/check-access?email=x@example.com`, { headers: { authorization: `Bearer ${key}` } })
      assert.equal(asked.status, 200)
    }
  })

  it('the key that signs tokens is rotated: three clicks', async () => {
    const hands = await begin()
    await hands.click(menu('Chaves criptográficas'))
    await hands.click(page.getByRole('button', { name: 'Trocar em um dia' }))
    await hands.click(page.getByRole('dialog').getByRole('button', { name: 'Trocar em um dia' }))
    await page.getByRole('row').filter({ hasText: 'Próxima' }).waitFor()
    assert.deepEqual(hands.cost, { clicks: 3, texts: 0, keys: 0 })
  })

  it('Google is connected, tested and on the sign-in page: six clicks, two texts', async () => {
    const { service } = harness
    const provider = await startProvider(`${service.url}/auth/callback`)
    const hands = await begin()
    await hands.click(menu('Provedores de identidade'))
    await hands.click(page.getByRole('link', { name: 'Conectar um provedor' }))
    await hands.click(page.getByRole('link', { name: /^Google/ }))
    // Google itself is out of a test's reach.
    await page.getByLabel('Emissor (issuer)').fill(provider.issuer)
    await hands.type(page.getByLabel('Client ID'), provider.clientId)
    await hands.type(page.getByLabel('Client secret'), provider.clientSecret)
    await hands.click(page.getByRole('button', { name: 'Testar e criar' }))
    await page.getByRole('heading', { level: 1, name: 'Google' }).waitFor()
    await page.getByText('O provedor conhece a Portaria.').waitFor()
    assert.deepEqual(hands.cost, { clicks: 6, texts: 2, keys: 0 })
    const visitor = await harness.visitor()
    await visitor.goto(`${service.url}/login`)
    await visitor.getByRole('link', { name: 'Entrar com Google' }).waitFor()
  })

  it('the figures of the last month are seen: one click', async () => {
    const period = { period_start: `${lastMonth()}-05T12:00:00Z`, period_end: `${today().slice(0, 7)}-05T12:00:00Z` }
    await notify(harness.service.url, activated({ email: 'mensal@example.com', amount: 9_900, at: period.period_start, ...period }))
    const hands = await begin()
    await hands.click(page.getByRole('button', { name: 'Mês anterior' }))
    const figure = (name: string) => page.getByRole('link', { name: new RegExp(`^${name}\\. Abrir a lista$`) })
    await figure('Receita mensal recorrente: R\\$\\s99,00').waitFor()
    // One of the two is that of the first errand.
    await figure('Assinaturas novas: 2').waitFor()
    await figure('Assinaturas perdidas: 1').waitFor()
    assert.deepEqual(hands.cost, { clicks: 1, texts: 0, keys: 0 })
  })
})

const HOUR_MS = 3_600_000

/** As the field of a moment has it, in the operator's zone: three hours behind UTC. */
function anHourAgo(): string {
  return new Date(Date.now() - 4 * HOUR_MS).toISOString().slice(0, 16)
}

/** In the operator's zone. */
function today(): string {
  return new Date().toLocaleDateString('en-CA', { timeZone: 'America/Sao_Paulo' })
}

function lastMonth(): string {
  const [year = 0, month = 0] = today().split('-').map(Number)
  return new Date(Date.UTC(year, month - 2, 1)).toISOString().slice(0, 7)
}
