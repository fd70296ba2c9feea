import assert from 'node:assert/strict'
import { after, afterEach, before, describe, it } from 'node:test'
import type { Locator, Page } from 'playwright-core'
import { applyConfiguration, readSettings } from '../../server/src/admin/index.ts'
import { endpointStore } from '../../server/src/app-events/index.ts'
import { addEndpoint } from '../../server/test/support/events/endpoints.ts'
import { startEventReceiver } from '../../server/test/support/events/event-receiver.ts'
import { bring } from '../../server/test/support/gateways/purchases.ts'
import { until } from '../../server/test/support/until.ts'
import { heading } from '../harness/steps.ts'
import { agreeTo, assertFits, type ConsoleHarness, showPage, startConsoleHarness, tabTo } from './console-harness.ts'

const MARKUP = '<img src=x onerror="window.hacked=1"><b>recebido</b>'
const PHONE = { viewport: { width: 390, height: 844 } }

describe('Event endpoints in the console', () => {
  let harness: ConsoleHarness
  let admin: string
  let productId: string
  before(async () => {
    harness = await startConsoleHarness()
    admin = `${harness.service.url}/admin`
    const { product } = await harness.service.product({ slug: 'loja', name: 'Loja do Café', audience: 'external', checkout: 'external' })
    productId = product.id
  })
  after(() => harness.close())
  afterEach(() => assert.deepEqual(harness.complaints, []))

  const db = () => harness.service.context.storage.db
  const region = (page: Page, name: string) => page.getByRole('region', { name, exact: true })
  const buy = async (name: string) => {
    const { email } = await harness.service.user(`${name}@exemplo.com.br`)
    await bring(harness.service, { kind: 'paid', email, productId, ref: name })
  }
  async function doIt(page: Page, action: string): Promise<void> {
    await page.getByRole('main').getByRole('button', { name: action, exact: true }).first().click()
    await agreeTo(page, action)
  }

  it('are made on a page of a product, tested, changed, rotated, and show a secret once', async () => {
    const receiver = await startEventReceiver()
    const page = await harness.administrator('owner', { email: 'dona1@example.com' })
    await showPage(page, `${admin}/products/${productId}/show?tab=events`)
    await region(page, 'Endereços de eventos').getByRole('link', { name: 'Criar endereço' }).click()
    await heading(page, 'Criar endereço')
    await page
      .getByLabel('Endereço *')
      .or(page.getByLabel('Endereço', { exact: true }))
      .fill(receiver.url)
    await page.getByRole('button', { name: 'Criar', exact: true }).click()
    await page.getByText('Escolha pelo menos um evento').waitFor()
    for (const type of ['access.granted', 'access.revoked']) await page.getByRole('checkbox', { name: type }).check()
    await page.getByLabel('Descrição').fill(MARKUP)
    await assertFits(page)
    await page.getByRole('button', { name: 'Criar', exact: true }).click()
    const shown = page.getByRole('alert').filter({ hasText: 'Segredo do endereço' }).locator('code')
    const secret = await shown.innerText()
    assert.match(secret, /^whsec_[0-9A-Za-z+/]{43}=$/)
    await page.getByRole('button', { name: 'Já guardei' }).click()
    await heading(page, MARKUP)
    assert.ok(!(await page.content()).includes(secret))
    await region(page, 'Dados').getByText('Loja do Café').waitFor()
    await page.getByRole('button', { name: 'Enviar um teste' }).click()
    await page.getByText(/^Respondeu 200 em \d+ ms\.$/).waitFor()
    assert.deepEqual(receiver.types(), ['test.ping'])

    await doIt(page, 'Trocar segredo')
    const fresh = await page.getByRole('alert').filter({ hasText: 'Novo segredo' }).locator('code').innerText()
    assert.notEqual(fresh, secret)
    await page.getByText('As entregas são assinadas também com o segredo anterior').waitFor()
    await page.getByRole('button', { name: 'Já guardei' }).click()
    await page.reload()
    await heading(page, MARKUP)
    assert.ok(!(await page.content()).includes(fresh))

    await page.getByRole('main').getByRole('link', { name: 'Editar' }).click()
    await heading(page, `Editar ${MARKUP}`)
    await page.getByRole('checkbox', { name: 'access.changed' }).check()
    await page.getByLabel('Descrição').fill('Servidor da loja')
    await page.getByRole('button', { name: 'Salvar' }).click()
    await heading(page, 'Endereços de eventos')
    await page.getByRole('link', { name: 'Servidor da loja' }).click()
    await region(page, 'Dados').getByText('access.changed').waitFor()
    await doIt(page, 'Desativar')
    await page.getByText('Alguém o desativou no console ou pela linha de comando.').waitFor()
    await doIt(page, 'Reativar')
    await region(page, 'Dados').getByText('Funcionando').waitFor()
    await harness.leave(page)
  })

  it('that fail are a badge everywhere; their deliveries show each attempt and are replayed, counted before', async () => {
    const receiver = await startEventReceiver()
    const { id } = await addEndpoint(harness.service, { url: receiver.url, product: 'loja' })
    receiver.answers(() => ({ status: 500, body: MARKUP }))
    await buy('ana')
    await until(async () => (await endpointStore(db()).findById(id))?.failingSince !== undefined)
    const page = await harness.administrator('owner', { email: 'dona2@example.com' })
    await page.getByRole('link', { name: /endereços? de eventos est(á|ão) falhando/ }).waitFor()
    await page
      .getByRole('navigation')
      .getByText(/endereços? com problema/)
      .waitFor()
    await showPage(page, `${admin}/endpoints/${id}/show`)
    await page.getByText('Nada chega desde').waitFor()
    await assertFits(page)
    await page.getByRole('combobox', { name: 'Situação' }).click()
    await page.getByRole('option', { name: 'Abandonada' }).click()
    await region(page, 'Entregas').getByText('Nenhuma entrega nesta situação.').waitFor()
    await page.getByRole('combobox', { name: 'Situação' }).click()
    await page.getByRole('option', { name: 'Na fila' }).click()
    await region(page, 'Entregas').getByRole('link', { name: 'access.granted' }).click()
    await heading(page, 'access.granted')
    const attempts = page.getByRole('list', { name: 'Tentativas' }).last()
    await attempts.getByText('Resposta 500').first().waitFor()
    assert.equal(await attempts.getByRole('group').first().innerText(), MARKUP)
    assert.equal(await page.evaluate('window.hacked'), undefined)
    await assertFits(page)
    receiver.answers(() => ({ status: 200 }))
    const before = receiver.received.length
    const delivery = region(page, `Entrega a ${receiver.url}`)
    await delivery.getByRole('button', { name: 'Entregar de novo' }).click()
    await agreeTo(page, 'Entregar de novo')
    await until(() => receiver.received.length > before)
    await delivery.getByRole('link', { name: 'Ver o endereço' }).click()
    await page.getByRole('button', { name: 'Entregar de novo desde…' }).click()
    await page.getByRole('dialog').getByText('1 evento.').waitFor()
    await agreeTo(page, 'Entregar de novo desde…')
    await page.getByText('1 evento está na fila').waitFor()
    await doIt(page, 'Remover')
    await heading(page, 'Endereços de eventos')
    assert.equal(await endpointStore(db()).findById(id), undefined)
    await harness.leave(page)
  })

  it('are made for a product, tested, changed, disabled and removed by keyboard alone', async () => {
    const receiver = await startEventReceiver()
    const page = await harness.administrator('owner', { email: 'teclado@example.com' })
    const press = async (target: Locator, key = 'Enter') => {
      await tabTo(page, target)
      await page.keyboard.press(key)
    }
    const button = (name: string) => page.getByRole('main').getByRole('button', { name, exact: true })
    const agree = async (action: string) => {
      await press(button(action))
      const dialog = page.getByRole('dialog', { name: action, includeHidden: true })
      await press(dialog.getByRole('button', { name: action, exact: true }))
      await dialog.waitFor({ state: 'detached' })
    }
    await showPage(page, `${admin}/endpoints`)
    await press(page.getByRole('main').getByRole('link', { name: 'Criar endereço' }).first())
    await heading(page, 'Criar endereço')
    const onlyOfOperator = page.getByRole('checkbox', { name: 'endpoint.disabled' })
    await onlyOfOperator.waitFor()
    await press(page.getByRole('combobox', { name: 'Produto' }))
    await page.getByRole('option', { name: /Loja do Café/ }).waitFor()
    // One letter alone. The menu takes letters that come half a second apart for a new search.
    await page.keyboard.press('l')
    await page
      .getByRole('option', { name: /Loja do Café/ })
      .and(page.locator(':focus'))
      .waitFor()
    await page.keyboard.press('Enter')
    await page.getByRole('listbox').waitFor({ state: 'detached' })
    await onlyOfOperator.waitFor({ state: 'detached' })
    await tabTo(page, page.getByRole('textbox', { name: /^Endereço/ }))
    await page.keyboard.type(receiver.url)
    await press(page.getByRole('checkbox', { name: 'access.granted' }), 'Space')
    await press(page.getByRole('checkbox', { name: 'user.updated' }), 'Space')
    await tabTo(page, page.getByLabel('Descrição'))
    await page.keyboard.type('Só com o teclado')
    await press(button('Criar'))
    await press(button('Já guardei'))
    await heading(page, 'Só com o teclado')
    await region(page, 'Dados').getByText('user.updated').waitFor()
    await press(button('Enviar um teste'))
    await page.getByText(/^Respondeu 200 em \d+ ms\.$/).waitFor()
    await press(page.getByRole('main').getByRole('link', { name: 'Editar' }))
    await heading(page, 'Editar Só com o teclado')
    await press(page.getByRole('checkbox', { name: 'user.updated' }), 'Space')
    assert.equal(await onlyOfOperator.count(), 0)
    await press(button('Salvar'))
    await heading(page, 'Endereços de eventos')
    await press(page.getByRole('main').getByRole('link', { name: 'Só com o teclado' }))
    await heading(page, 'Só com o teclado')
    await agree('Desativar')
    await page.getByText('Alguém o desativou no console ou pela linha de comando.').waitFor()
    await agree('Reativar')
    await agree('Remover')
    await heading(page, 'Endereços de eventos')
    assert.ok((await endpointStore(db()).list()).every(({ description }) => description !== 'Só com o teclado'))
    await harness.leave(page)
  })

  it('are seen and not changed by viewers, on a phone and in the dark, in each language', async () => {
    const url = 'https://app.exemplo.com.br/avisos/portaria'
    const { id } = await addEndpoint(harness.service, { url })
    await endpointStore(db()).disable(id, 'failing', harness.service.clock.now)
    for (const [language, title, context] of [
      ['en', 'Event endpoints', PHONE],
      ['es', 'Direcciones de eventos', { colorScheme: 'dark' as const }],
    ] as const) {
      const page = await harness.administrator('viewer', { email: `${language}@example.com`, language, context })
      await showPage(page, `${admin}/endpoints`)
      await heading(page, title)
      await assertFits(page)
      await showPage(page, `${admin}/endpoints/${id}/show`)
      await heading(page, url)
      await assertFits(page)
      assert.deepEqual(
        await page
          .getByRole('main')
          .getByRole('button')
          .filter({ hasNotText: /^(?:|Working|All)$/ })
          .allInnerTexts(),
        [],
      )
      await harness.leave(page)
    }
  })

  it('say that a file of settings declares them, as their product and plans do', async () => {
    const text =
      'portaria: 1\nmanaged_by: infra\nproducts: {loja: {endpoints: {crm: {url: "https://crm.example/", types: [access.granted]}}}}'
    const configuration = await readSettings(text)
    assert.ok(!('faults' in configuration))
    const { context } = harness.service
    const deps = { ...context, ...context.config, actor: 'operator:test' as const }
    await applyConfiguration({ configuration, secrets: new Map(), images: new Map() }, { prunes: false, takesOver: false }, deps)
    const endpoint = (await endpointStore(db()).list()).find(({ url }) => url === 'https://crm.example/')
    const page = await harness.administrator('owner', { email: 'dona-git@example.com' })
    for (const path of [`products/${productId}/show`, `products/${productId}`, `endpoints/${endpoint?.id}/show`]) {
      await showPage(page, `${admin}/${path}`)
      await page.getByText('Um arquivo de configurações cuida disto (infra).').waitFor()
      await assertFits(page)
    }
  })
})
