import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { after, before, describe, it } from 'node:test'
import type { Page } from 'playwright-core'
import { completed, notify, WEBHOOKS } from '../../server/test/support/gateways/purchases.ts'
import { lookAt } from '../harness/axe.ts'
import { assertFits, type ConsoleHarness, chooseFilter, showPage, startConsoleHarness } from './console-harness.ts'

describe('The console for whoever works in it all day', () => {
  let harness: ConsoleHarness
  let owner: Page
  let viewer: Page
  before(async () => {
    harness = await startConsoleHarness(WEBHOOKS)
    await harness.service.user('ana.formula@example.com', { name: '=1+1' })
    await harness.service.user('bia@example.com', { name: 'Bia Prado' })
    for (const email of ['bia@example.com', 'guest@example.com']) await notify(harness.service.url, completed({ email }))
    owner = await harness.administrator('owner')
    viewer = await harness.administrator('viewer')
  })
  after(async () => {
    assert.deepEqual(harness.complaints, [])
    await harness.close()
  })

  const goTo = (page: Page, address: string) => showPage(page, `${harness.service.url}/admin${address}`)

  it('takes a list along as a table, with the filters of the page, without formulas, and masked for a viewer', async () => {
    const tableOf = async (page: Page, address: string, list: string) => {
      await goTo(page, address)
      const [download] = await Promise.all([page.waitForEvent('download'), page.getByRole('button', { name: 'Exportar CSV' }).click()])
      assert.match(download.suggestedFilename(), new RegExp(`^portaria-${list}-\\d{4}-\\d\\d-\\d\\d\\.csv$`))
      await page.getByRole('button', { name: 'Exportar CSV' }).waitFor()
      return readFileSync(await download.path(), 'utf8')
    }
    const named = `/users?${new URLSearchParams({ filter: JSON.stringify({ q: 'formula' }) })}`
    const table = await tableOf(owner, named, 'users')
    assert.match(table, /^\u{feff}id,name,email,/u)
    assert.equal(table.split('\r\n').length, 3)
    assert.match(table, /,'=1\+1,ana\.formula@example\.com,/)
    const masked = await tableOf(viewer, '/users', 'users')
    assert.match(masked, /,Bia Prado,•••,/)
    assert.doesNotMatch(masked, /@/)
    assert.match(await tableOf(owner, '/subscriptions', 'subscriptions'), /,guest@example\.com,/)
    assert.match(await tableOf(owner, '/notifications', 'notifications'), /,purchase\.completed,processed,/)
    assert.match(await tableOf(owner, '/audit?filter=%7B%22action%22%3A%22list.export%22%7D', 'audit'), /,list\.export,users,/)
  })

  const bar = (page: Page) => page.getByRole('group', { name: 'Filtros' })

  for (const [look, options] of [
    ['light', {}],
    ['dark', { colorScheme: 'dark' }],
    ['on a phone', { viewport: { width: 390, height: 800 } }],
  ] as const) {
    it(`shows filters as chips that are chosen, seen and ended by mouse and keyboard, ${look}`, async () => {
      const page = await harness.administrator('owner', { email: `chips-${look.replaceAll(' ', '-')}@example.com`, context: options })
      await goTo(page, '/subscriptions')
      await page.getByText('guest@example.com').waitFor()
      await chooseFilter(page, 'Conta', 'Só compras sem conta')
      await bar(page).getByRole('button', { name: 'Conta: Só compras sem conta' }).waitFor()
      await page.getByText('bia@example.com').waitFor({ state: 'detached' })
      await bar(page).getByRole('button', { name: 'Criada desde', exact: true }).click()
      const since = page.getByRole('dialog', { name: 'Criada desde' })
      await since.getByLabel('Criada desde').fill('2026-01-02')
      assert.deepEqual((await lookAt(page)).faults, [])
      await page.keyboard.press('Enter')
      await bar(page).getByRole('button', { name: 'Criada desde: 2 de jan. de 2026' }).waitFor()
      await since.waitFor({ state: 'detached' })
      await assertFits(page)
      await page.reload()
      await bar(page).getByRole('button', { name: 'Conta: Só compras sem conta' }).focus()
      await page.keyboard.press('Delete')
      await page.getByText('bia@example.com').waitFor()
      await page.keyboard.press('Escape')
      await bar(page).getByRole('button', { name: 'Limpar filtros' }).click()
      await bar(page).getByRole('button', { name: 'Criada desde', exact: true }).waitFor()
      await harness.leave(page)
    })
  }

  it('keeps a list under a name: for this user alone, without what was typed, and as an address for others', async () => {
    await goTo(owner, '/subscriptions')
    await chooseFilter(owner, 'Conta', 'Só compras sem conta')
    await owner.getByLabel('E-mail de quem comprou').fill('guest@example.com')
    await owner.keyboard.press('Enter')
    await owner.waitForURL(/guest%40example|guest@example/)
    const views = bar(owner).getByRole('button', { name: 'Visualizações' })
    await views.click()
    await owner.getByRole('menuitem', { name: 'Salvar esta visualização…' }).click()
    const dialog = owner.getByRole('dialog', { name: 'Salvar visualização' })
    await dialog.getByLabel('Nome').fill('Compras sem conta')
    await assertFits(owner)
    await dialog.getByRole('button', { name: 'Salvar' }).click()
    await owner.getByText('Visualização “Compras sem conta” salva').waitFor()
    await bar(owner).getByRole('button', { name: 'Limpar filtros' }).click()
    await owner.getByText('bia@example.com').waitFor()
    await owner.reload()
    await views.click()
    assert.deepEqual((await lookAt(owner)).faults, [])
    await owner.getByRole('menuitemradio', { name: 'Compras sem conta' }).click()
    await bar(owner).getByRole('button', { name: 'Conta: Só compras sem conta' }).waitFor()
    assert.equal(await owner.getByLabel('E-mail de quem comprou').inputValue(), '')
    assert.equal(await owner.evaluate('JSON.stringify(localStorage).includes("guest@")'), false)
    const address = owner.url()
    await viewer.goto(address)
    await bar(viewer).getByRole('button', { name: 'Conta: Só compras sem conta' }).waitFor()
    await bar(viewer).getByRole('button', { name: 'Visualizações' }).click()
    await viewer.getByRole('menuitem', { name: 'Nenhuma salva ainda' }).waitFor()
    await viewer.keyboard.press('Escape')
    await bar(owner).getByRole('button', { name: 'Compras sem conta', exact: true }).click()
    await owner.getByRole('menuitem', { name: 'Excluir “Compras sem conta”' }).click()
    await views.click()
    await owner.getByRole('menuitem', { name: 'Nenhuma salva ainda' }).waitFor()
    await owner.keyboard.press('Escape')
  })

  it('finds pages, records and the actions of the page in one dialog, which a screen reader follows', async () => {
    await goTo(owner, '/users')
    await owner.getByText('bia@example.com').waitFor()
    const palette = owner.getByRole('dialog', { name: 'Paleta de comandos' })
    const field = palette.getByRole('combobox', { name: 'Pessoa, compra, página ou ação' })
    const active = async () => owner.locator(`[id="${await field.getAttribute('aria-activedescendant')}"]`).innerText()
    await owner.keyboard.press('ControlOrMeta+k')
    await field.and(owner.locator(':focus')).waitFor()
    await palette.getByRole('group', { name: 'Nesta página' }).getByRole('option', { name: 'Exportar CSV' }).waitFor()
    await assertFits(owner)
    await owner.keyboard.type('audit')
    await owner.keyboard.press('ArrowDown')
    await owner.keyboard.press('ArrowUp')
    assert.equal(await active(), 'Auditoria')
    await owner.keyboard.press('Enter')
    await owner.getByRole('heading', { level: 1, name: 'Auditoria' }).waitFor()
    await owner.keyboard.press('ControlOrMeta+k')
    await owner.keyboard.type('bia@example.com')
    await palette
      .getByRole('group', { name: 'Registros' })
      .getByRole('option', { name: /Bia Prado/ })
      .click()
    await owner.getByRole('heading', { level: 1, name: 'Bia Prado' }).waitFor()
    await owner.keyboard.press('ControlOrMeta+k')
    await owner.keyboard.type('guest@example.com')
    await palette
      .getByRole('group', { name: 'Registros' })
      .getByRole('option', { name: /Assinatura/ })
      .click()
    await owner.getByRole('heading', { level: 1, name: /· guest@example\.com$/ }).waitFor()
    await owner.goBack()
    await owner.getByRole('heading', { level: 1, name: 'Bia Prado' }).waitFor()
    await owner.keyboard.press('ControlOrMeta+k')
    await owner.keyboard.type('bloq')
    assert.equal(await active(), 'Bloquear Ações')
    await owner.keyboard.press('Enter')
    await owner.getByRole('dialog', { name: 'Bloquear' }).waitFor()
    await owner.keyboard.press('ControlOrMeta+k')
    assert.equal(await palette.count(), 0)
    await owner.keyboard.press('Escape')
    await owner.getByRole('dialog').waitFor({ state: 'detached' })
    await owner.keyboard.press('ControlOrMeta+k')
    await owner.keyboard.type('nada que exista em lugar nenhum')
    await palette.getByRole('status').filter({ hasText: 'Nada encontrado' }).waitFor()
    await assertFits(owner)
    await owner.keyboard.press('Escape')
    await palette.waitFor({ state: 'detached' })
  })

  it('offers a viewer in the palette neither an action nor a page that is not theirs', async () => {
    await goTo(viewer, '/users')
    await viewer.getByRole('link', { name: 'Bia Prado' }).click()
    await viewer.getByRole('heading', { level: 1, name: 'Bia Prado' }).waitFor()
    await viewer.keyboard.press('ControlOrMeta+k')
    const palette = viewer.getByRole('dialog', { name: 'Paleta de comandos' })
    await palette.getByRole('option', { name: 'Auditoria' }).waitFor()
    assert.equal(await palette.getByRole('option', { name: /Bloquear|Administradores|Editar/ }).count(), 0)
    await viewer.keyboard.press('Escape')
  })

  it('goes by keys: to pages, from row to row, to the list of keys; in a field letters stay letters', async () => {
    await goTo(owner, '/audit')
    await owner.keyboard.press('g')
    await owner.getByRole('status').filter({ hasText: 'g: agora a letra da página' }).waitFor()
    await owner.keyboard.press('u')
    await owner.getByRole('heading', { level: 1, name: 'Pessoas' }).waitFor()
    await owner.getByText('bia@example.com').waitFor()
    const rows = owner.locator('[data-row-link]')
    for (const [key, at] of [
      ['j', 0],
      ['j', 1],
      ['k', 0],
    ] as const) {
      await owner.keyboard.press(key)
      await rows.nth(at).and(owner.locator(':focus')).waitFor()
    }
    const name = (await rows.first().textContent()) ?? ''
    await owner.keyboard.press('Enter')
    await owner.getByRole('heading', { level: 1, name, exact: true }).waitFor()
    await owner.keyboard.press('g')
    await owner.keyboard.press('w')
    await owner.getByRole('heading', { level: 1, name: 'Webhooks' }).waitFor()
    await owner.getByLabel('Buscar em tudo').focus()
    await owner.keyboard.type('gu?jk')
    assert.equal(await owner.getByLabel('Buscar em tudo').inputValue(), 'gu?jk')
    await owner.getByLabel('Buscar em tudo').fill('')
    await owner.getByRole('heading', { level: 1 }).click()
    await owner.keyboard.press('?')
    const help = owner.getByRole('dialog', { name: 'Atalhos de teclado' })
    await help.getByText('Próxima linha').waitFor()
    await assertFits(owner)
    await help.getByLabel('Usar atalhos de uma só tecla').uncheck()
    await help.getByRole('button', { name: 'Fechar' }).click()
    await help.waitFor({ state: 'detached' })
    await owner.keyboard.press('g')
    await owner.keyboard.press('u')
    await owner.keyboard.press('?')
    await owner.getByRole('heading', { level: 1, name: 'Webhooks' }).waitFor()
    assert.equal(await help.count(), 0)
    await owner.getByRole('button', { name: 'Sua conta' }).click()
    await owner.getByRole('menuitem', { name: 'Atalhos de teclado' }).click()
    await help.getByLabel('Usar atalhos de uma só tecla').check()
    await owner.keyboard.press('Escape')
    await help.waitFor({ state: 'detached' })
  })

  it('shows a product in tabs, with a strip that says how each part is and leads there', async () => {
    const { product } = await harness.service.product({ slug: 'saude', name: 'Saúde', checkout: 'integrated' })
    const { context } = harness.service
    await context.storage.db
      .insertInto('product_payment_methods')
      .values({ product_id: product.id, method: 'pix', gateway: 'asaas' })
      .execute()
    await goTo(owner, `/products/${product.id}/show`)
    const strip = owner.getByRole('list', { name: 'Como está o produto' })
    await strip.getByText('Chave ainda não usada').waitFor()
    await strip.getByText('Não recebe eventos').waitFor()
    await assertFits(owner)
    await strip.getByRole('button', { name: 'Faltam credenciais: Asaas' }).click()
    await owner.getByRole('tabpanel', { name: 'Pagamentos' }).getByRole('article', { name: 'Asaas' }).waitFor()
    await owner.waitForURL(/tab=payments/)
    await owner.reload()
    const tab = (name: string) => owner.getByRole('tab', { name })
    await tab('Pagamentos').and(owner.locator('[aria-selected=true]')).focus()
    await owner.keyboard.press('ArrowLeft')
    await owner.keyboard.press('Enter')
    await owner.getByRole('tabpanel', { name: 'Eventos' }).waitFor()
    await owner.keyboard.press('ControlOrMeta+k')
    await owner
      .getByRole('group', { name: 'Nesta página' })
      .getByRole('option', { name: /^Editar/ })
      .waitFor()
    await owner.keyboard.press('Escape')
  })
})
