import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { after, before, describe, it } from 'node:test'
import { setTimeout as pause } from 'node:timers/promises'
import type { BrowserContextOptions } from 'playwright-core'
import { gatewayHealthStore } from '../../server/src/gateways/index.ts'
import { DAY_MS, firstIdAt } from '../../server/src/kit/index.ts'
import { connect, deliver, openSchool } from '../../server/test/support/gateways/gateways.ts'
import { invoicePaid } from '../../server/test/support/gateways/made-events.ts'
import { activated, completed, notify, subscriptionsOf, WEBHOOKS } from '../../server/test/support/gateways/purchases.ts'
import { PASSWORD, type TestService } from '../../server/test/support/service.ts'
import { until } from '../../server/test/support/until.ts'
import { agreeTo, assertFits, type ConsoleHarness, startConsoleHarness, tabTo } from './console-harness.ts'

const looks: ReadonlyArray<readonly [string, BrowserContextOptions]> = [
  ['light', {}],
  ['dark', { colorScheme: 'dark' }],
  ['on a phone', { viewport: { width: 390, height: 800 } }],
]

describe('The first page of a new installation', () => {
  let harness: ConsoleHarness
  before(async () => {
    harness = await startConsoleHarness()
  })
  after(() => harness.close())

  it('says what to do first, and leads there', async () => {
    const page = await harness.administrator('owner')
    await page.getByRole('heading', { name: 'Tudo pronto para o primeiro produto' }).waitFor()
    await page.getByRole('link', { name: 'Assinaturas ativas: 0. Abrir a lista' }).waitFor()
    await page.getByText('Nenhuma assinatura neste mês nem no anterior.').waitFor()
    const own = page.getByRole('link', { name: 'Ligue sua verificação em duas etapas' })
    assert.equal(await own.getAttribute('href'), '/account/second-factor')
    await assertFits(page)
    await page.getByRole('link', { name: 'Criar o primeiro produto' }).click()
    await page.waitForURL(/\/admin\/products\/create$/)
  })

  it('sends who may not do it to who may', async () => {
    const page = await harness.administrator('support')
    await page.getByText('Peça a um proprietário que crie o primeiro produto').waitFor()
    assert.equal(await page.getByRole('link', { name: 'Criar o primeiro produto' }).count(), 0)
    await assertFits(page)
    assert.deepEqual(harness.complaints, [])
  })
})

describe('The first page and the search, where much has happened', () => {
  let harness: ConsoleHarness
  let customer: { id: string }
  before(async () => {
    harness = await startConsoleHarness(WEBHOOKS)
    customer = await happen(harness.service)
  })
  after(() => harness.close())

  for (const [look, context] of looks) {
    it(`shows how things go and what needs attention ${look}, in pictures and in a table`, async () => {
      const page = await harness.administrator('owner', { email: `${look.replaceAll(' ', '-')}@example.com`, context })
      await page.getByRole('link', { name: /^Entradas: [1-9]\d*\. Abrir a lista$/ }).waitFor()
      await assertFits(page)
      const alerts = page.getByRole('region', { name: 'Precisa de atenção' })
      assert.equal(
        await alerts
          .getByRole('listitem')
          .first()
          .innerText()
          .then((text) => text.startsWith('Urgente')),
        true,
      )
      await alerts.getByText(/^Asaas em [\w-]+: 14 entregas com assinatura inválida$/).waitFor()
      await page.getByRole('link', { name: 'Notificações paradas: 1. Abrir a lista' }).waitFor()
      await page.getByRole('table', { name: 'Entradas recusadas, por motivo' }).getByText('Contadas antes de haver motivos').waitFor()
      await page.getByText('Ver os números de cada dia em tabela').click()
      const table = page.getByRole('table', { name: 'Números por dia' })
      assert.equal(await table.getByRole('row').count(), 1 + Number(today().slice(8)))
      await assertFits(page)
      await alerts.getByRole('link', { name: '1 notificação não resolvida' }).click()
      await page.getByRole('heading', { level: 1, name: 'Webhooks' }).waitFor()
      await page.getByText('purchase.completed').first().waitFor()
      assert.equal(await page.getByText('purchase.completed').count(), 1)
      await harness.leave(page)
    })
  }

  it('shows the value of a day to the pointer and to the arrow keys', async () => {
    const page = await harness.administrator('viewer', { email: 'grafico@example.com' })
    const card = page.getByRole('figure', { name: 'Entradas', exact: true })
    const chart = card.getByRole('slider', { name: 'Entradas por dia' })
    const shown = () => chart.getAttribute('aria-valuetext')
    const firstDay = /^1 de [a-z]{3}\.: \d+$/
    await chart.hover({ position: { x: 2, y: 40 } })
    await card.getByText(firstDay).waitFor()
    await page.mouse.move(0, 0)
    await card.getByText(firstDay).waitFor({ state: 'detached' })
    await tabTo(page, chart)
    const last = await shown()
    assert.match(String(last), new RegExp(`^${Number(today().slice(8))} de `))
    await page.keyboard.press('Home')
    await card.getByText(firstDay).waitFor()
    assert.match(String(await shown()), firstDay)
    await page.keyboard.press('ArrowLeft')
    assert.match(String(await shown()), firstDay)
    await page.keyboard.press('End')
    assert.equal(await shown(), last)
    await harness.leave(page)
  })

  it('has the figures of the last month one click away, and of any other by its name, with the lists behind them', async () => {
    const page = await harness.administrator('owner', { email: 'chefe@example.com' })
    await page.getByRole('button', { name: 'Mês anterior' }).click()
    const value = (name: string) => page.getByRole('link', { name: new RegExp(`^${name}\\. Abrir a lista$`) })
    await value('Receita mensal recorrente: R\\$\\s99,00').waitFor()
    await value('Recebido menos devolvido: R\\$\\s99,00').waitFor()
    await value('Assinaturas novas: 2').waitFor()
    const dollars = page.getByRole('table', { name: 'Em outras moedas' }).getByRole('row', { name: /^USD/ })
    assert.match(await dollars.innerText(), /Dólar americano[\s\S]*US\$\s19,90/)
    assert.match(page.url(), new RegExp(`[?]month=${lastMonth()}$`))
    await page
      .getByText(/antes: R\$\s0,00/)
      .first()
      .waitFor()
    await assertFits(page)
    await page.reload()
    await value('Assinaturas novas: 2').click()
    await page.getByRole('heading', { level: 1, name: 'Assinaturas' }).waitFor()
    const filters = page.getByRole('group', { name: 'Filtros' })
    await filters.getByRole('button', { name: 'Nos relatórios: novas' }).waitFor()
    await page.getByText('dolar@example.com').waitFor()
    await page.getByText('mensal@example.com').waitFor()
    assert.equal(await page.getByRole('table').getByRole('row').count(), 1 + 2)
    await assertFits(page)
    // The days mean nothing without it.
    await filters.getByRole('button', { name: 'Nos relatórios: novas' }).press('Delete')
    await filters.getByRole('button', { name: 'Limpar filtros' }).waitFor({ state: 'detached' })
    await page.goBack()
    await page.goBack()
    await value('Assinaturas ativas: 2').click()
    await filters.getByRole('button', { name: /^Ativa no fim do dia: (?:28|29|30|31) de / }).waitFor()
    await page.getByText('dolar@example.com').waitFor()
    assert.equal(await page.getByRole('table').getByRole('row').count(), 1 + 2)
    await page.goBack()
    await value('Receita mensal recorrente: R\\$\\s99,00').click()
    await filters.getByRole('button', { name: 'No número: Receita mensal recorrente' }).waitFor()
    await page.getByRole('columnheader', { name: 'Por mês' }).waitFor()
    assert.match(await page.getByRole('row').filter({ hasText: 'mensal@example.com' }).innerText(), /R\$\s99,00/)
    assert.equal(await page.getByRole('table').getByRole('row').count(), 1 + 1)
    await assertFits(page)
    await page.goBack()
    // Of one plan: the buyer in reais is of another than the one in dollars.
    await page
      .getByRole('table', { name: 'Por plano' })
      .getByRole('link', { name: /, Assinaturas novas: 1\. Abrir a lista$/ })
      .first()
      .click()
    await filters.getByRole('button', { name: 'Nos relatórios: novas' }).waitFor()
    await filters.getByRole('button', { name: /^Plano: / }).waitFor()
    await page.getByRole('row').nth(1).waitFor()
    assert.equal(await page.getByRole('table').getByRole('row').count(), 1 + 1)
    await page.goBack()
    await page
      .getByRole('table', { name: 'Por plano' })
      .getByRole('link', { name: /, Recebido: R\$\s99,00\. Abrir a lista$/ })
      .click()
    await page.getByRole('heading', { level: 1, name: 'Pagamentos e reembolsos' }).waitFor()
    await page.getByRole('row').filter({ hasText: 'mensal@example.com' }).waitFor()
    assert.equal(await page.getByRole('table').getByRole('row').count(), 1 + 1)
    await page.goBack()
    await dollars.getByRole('link', { name: /^USD, Receita mensal recorrente: US\$\s19,90\. Abrir a lista$/ }).click()
    await page
      .getByRole('row')
      .filter({ hasText: 'dolar@example.com' })
      .getByText(/US\$\s19,90/)
      .first()
      .waitFor()
    await page.goBack()
    await value('Recebido menos devolvido: R\\$\\s99,00').click()
    await page.getByRole('heading', { level: 1, name: 'Pagamentos e reembolsos' }).waitFor()
    const paid = page.getByRole('row').filter({ hasText: 'mensal@example.com' })
    assert.match(await paid.innerText(), /Pagamento\s+R\$\s99,00/)
    assert.equal(await page.getByRole('table').getByRole('row').count(), 1 + 1)
    await paid.getByRole('link').first().click()
    await page.waitForURL(/\/subscriptions\/.*\/show/)
    await page.goBack()
    await page.goBack()
    await dollars.getByRole('link', { name: 'USD', exact: true }).click()
    await filters.getByRole('button', { name: 'Moeda: USD: Dólar americano' }).waitFor()
    assert.match(await page.getByRole('table').innerText(), /US\$\s19,90/)
    await page.goBack()
    await value('Pessoas novas: 0').click()
    await page.getByRole('heading', { level: 1, name: 'Pessoas' }).waitFor()
    await page.getByText('Nada encontrado com estes filtros').waitFor()
    await page.goBack()
    await page.getByRole('button', { name: 'Mês seguinte' }).click()
    await page.waitForURL(/\/admin\/?$/)
    // The figures of the month before stay until those of this one are read. They count no sign-in.
    await value('Entradas: [1-9]\\d*').click()
    await page.getByRole('heading', { level: 1, name: 'Sessões' }).waitFor()
    await page.getByRole('row').nth(1).waitFor()
    await harness.leave(page)
  })

  it('shows the figures of one month at a time, also while those of another are on their way', async () => {
    const page = await harness.administrator('viewer', { email: 'meses@example.com' })
    await page.getByText('Ver os números de cada dia em tabela').click()
    const table = page.getByRole('table', { name: 'Números por dia' })
    const period = page.getByText(/Fuso horário: America\/Sao_Paulo\.$/)
    const shown = async () => [await period.innerText(), await table.innerText()]
    for (const late of ['reports/monthly', 'overview']) {
      const before = await shown()
      const { promise, resolve: release } = Promise.withResolvers<void>()
      await page.route(`**/api/admin/${late}*`, (route) => promise.then(() => route.continue()))
      const other = page.waitForResponse((response) => /\/(?:overview|reports\/monthly)\?/.test(response.url()))
      await page.getByRole('button', { name: 'Mês anterior' }).click()
      await (await other).finished()
      // Long enough to be drawn.
      await pause(300)
      assert.deepEqual(await shown(), before, late)
      release()
      await until(async () => (await shown()).every((text, place) => text !== before[place]))
      await page.unrouteAll()
    }
    await harness.leave(page)
  })

  it('lets an owner set whose days they are, and nobody else', async () => {
    const support = await harness.administrator('support', { email: 'fuso-apoio@example.com' })
    await support.getByText(/Fuso horário: America\/Sao_Paulo\.$/).waitFor()
    assert.equal(await support.getByRole('button', { name: 'Mudar o fuso horário' }).count(), 0)
    await harness.leave(support)
    const page = await harness.administrator('owner', { email: 'fuso@example.com' })
    await page.getByRole('button', { name: 'Mudar o fuso horário' }).click()
    const dialog = page.getByRole('dialog', { name: 'Mudar o fuso horário' })
    const input = dialog.getByRole('combobox', { name: 'Fuso horário' })
    await input.fill('manaus')
    await page.keyboard.press('ArrowDown')
    await page.keyboard.press('Enter')
    assert.equal(await input.inputValue(), 'America/Manaus')
    await assertFits(page)
    await agreeTo(page, 'Mudar o fuso horário')
    await page.getByText(/Fuso horário: America\/Manaus\.$/).waitFor()
    // Times are those of the operator from now on, wherever the browser is, in one line and exact in the tooltip.
    await page.getByRole('link', { name: 'Auditoria', exact: true }).click()
    const time = page.getByRole('row').filter({ hasText: 'Fuso horário dos relatórios alterado' }).locator('time')
    const at = (await time.getAttribute('datetime')) ?? ''
    const shown = new Intl.DateTimeFormat('pt-BR', { dateStyle: 'short', timeStyle: 'short', timeZone: 'America/Manaus' }).format(
      new Date(at),
    )
    assert.equal(await time.textContent(), shown)
    const title = await time.getAttribute('title')
    assert.ok(title?.includes(at) && /GMT-4|AMT/.test(title), title ?? '')
    assert.equal(await time.evaluate((element) => element.getClientRects().length), 1)
    await harness.leave(page)
  })

  it('finds a user from anywhere by keyboard, and shows their timeline to its beginning', async () => {
    const page = await harness.administrator('support', { email: 'telefone@example.com' })
    await page.goto(`${harness.service.url}/admin/plans`)
    await page.getByRole('heading', { level: 1, name: 'Planos' }).waitFor()
    await page.keyboard.press('/')
    await page.keyboard.type('conceicao mari')
    await page.getByText('Enter para buscar').waitFor()
    await page.keyboard.press('Enter')
    await page.getByRole('heading', { level: 1, name: 'María Conceição' }).waitFor()
    assert.match(page.url(), new RegExp(`/admin/users/${customer.id}/show$`))
    await assertFits(page)
    const timeline = page.getByRole('region', { name: 'Linha do tempo' })
    const entries = timeline.getByRole('list', { name: 'Linha do tempo' })
    await entries.getByText('Pagamento recebido').waitFor()
    await entries.getByText('Entrou', { exact: true }).first().waitFor()
    await entries.getByText('E-mail: nova senha').waitFor({ state: 'detached' })
    const seen = await entries.getByRole('listitem').count()
    for (const more = timeline.getByRole('button', { name: 'Mostrar mais' }); (await more.count()) > 0; ) {
      const shown = await entries.getByRole('listitem').count()
      await more.click()
      await entries.getByRole('listitem').nth(shown).waitFor()
    }
    assert.ok((await entries.getByRole('listitem').count()) > seen)
    await entries.getByText('E-mail: nova senha').waitFor()
    await entries.getByRole('link', { name: 'Pagamento recebido' }).click()
    await page.waitForURL(/\/admin\/subscriptions\/.+\/show/)
  })

  it('leaves the slash to whoever types it', async () => {
    const page = await harness.administrator('viewer', { email: 'barra@example.com' })
    const box = page.getByRole('searchbox', { name: 'Buscar em tudo' })
    // The page adds its listeners before it shows what it has read.
    await page.getByRole('region', { name: 'Precisa de atenção' }).waitFor()
    await page.keyboard.press('/')
    await box.and(page.locator(':focus')).waitFor()
    await page.keyboard.type('a/b')
    assert.equal(await box.inputValue(), 'a/b')
  })

  it('finds what has no user, shows markup as text, and says what can be searched for where there is nothing', async () => {
    const page = await harness.administrator('viewer', { email: 'busca@example.com' })
    const search = async (typed: string) => {
      await page.getByRole('searchbox', { name: 'Buscar em tudo' }).fill(typed)
      await page.keyboard.press('Enter')
    }
    await search('ninguem-tem-conta@example.com')
    await page.waitForURL(/\/admin\/subscriptions\/.+\/show/)
    await page.getByText('Compra sem conta').waitFor()
    await search('nao existe mesmo')
    await page.getByText('Busque por nome ou e-mail completos').waitFor()
    await search('529.982.247-25')
    await page.getByText('Sua função não busca por CPF, CNPJ ou telefone').waitFor()
    assert.equal(await page.getByText('Nada encontrado').count(), 0)
    const support = await harness.administrator('support', { email: 'digitos@example.com' })
    await support.goto(`${harness.service.url}/admin/search?q=529.982.247-26`)
    await support.getByText('Nada encontrado. Se é um CPF, confira os dígitos').waitFor()
    await search('<img src=x onerror=alert(1)>')
    await page.getByText('<img src=x onerror=alert(1)>').waitFor()
    await search('Marcacao')
    await page.getByRole('heading', { level: 1, name: '<b>Marcacao</b>' }).waitFor()
    await page.goto(`${harness.service.url}/admin/search?q=Marcacao`)
    await page.getByRole('link', { name: '<b>Marcacao</b>' }).waitFor()
    await assertFits(page)
    const [bought] = await subscriptionsOf(harness.service, 'maria@example.com')
    await page.goto(`${harness.service.url}/admin/search?q=${bought?.id}`)
    await page.getByRole('link', { name: 'Ver a pessoa' }).click()
    await page.waitForURL(new RegExp(`/admin/users/${customer.id}/show`))
    await search(bought?.id ?? '')
    await page.waitForURL(new RegExp(`/admin/users/${customer.id}/show`))
    assert.deepEqual(harness.complaints, [])
  })
})

/** In the operator's zone. */
const today = () => dayOf(Date.now())

/** The day of a time (ms) where the figures are read, as `2026-11-20`. */
function dayOf(at: number): string {
  return new Date(at).toLocaleDateString('en-CA', { timeZone: 'America/Sao_Paulo' })
}

function lastMonth(): string {
  const [year = 0, month = 0] = today().split('-').map(Number)
  return new Date(Date.UTC(year, month - 2, 1)).toISOString().slice(0, 7)
}

/** A month of a small shop, and all that can go wrong in it. Answers a customer. */
async function happen(service: TestService): Promise<{ id: string }> {
  const customer = await service.user('maria@example.com', { name: 'María Conceição' })
  await service.user('marcacao@example.com', { name: '<b>Marcacao</b>' })
  const { db } = service.context.storage
  const now = Date.now()
  const idAt = (at: number) => firstIdAt(at).slice(0, 19) + randomUUID().slice(19)
  for (let day = 0; day < 30; day++) {
    const about = {
      bound_hash: null,
      product_id: null,
      parent_id: null,
      ip: '203.0.113.7',
      user_agent: 'Mozilla/5.0 (Windows NT 10.0) Chrome/130.0',
    }
    for (let n = 0; n < 3 + ((day * 7) % 11); n++) {
      const at = now - day * DAY_MS - n * 60_000
      const ended = n % 4 === 0 ? { ended_at: at + 30_000, ended_reason: 'signed_out' } : {}
      const owner =
        n === 0 && day < 12
          ? customer.id
          : (await db.selectFrom('users').select('id').where('email', '=', 'marcacao@example.com').executeTakeFirstOrThrow()).id
      await db
        .insertInto('sessions')
        .values({ id: idAt(at), user_id: owner, created_at: at, expires_at: at + DAY_MS, ...about, ...ended })
        .execute()
    }
    if (day % 3 === 0)
      await db
        .insertInto('daily_counts')
        .values({ day: dayOf(now - day * DAY_MS), name: 'failed_sign_ins', count: (day % 5) + 1 })
        .execute()
  }
  await db
    .insertInto('sent_mails')
    .values({ id: idAt(now - 60 * DAY_MS), user_id: customer.id, kind: 'reset_password', at: now - 60 * DAY_MS })
    .execute()
  const from = Date.parse(`${lastMonth()}-05T12:00:00Z`)
  const paid = {
    at: new Date(from).toISOString(),
    period_start: new Date(from).toISOString(),
    period_end: `${today().slice(0, 7)}-05T12:00:00Z`,
  }
  await notify(service.url, activated({ email: 'mensal@example.com', amount: 9_900, ...paid }))
  const inDollars = { at: from, currency: 'usd', amount_paid: 1_990 }
  await deliver(await openSchool(service, 'stripe'), invoicePaid('sub_dolar', 'dolar@example.com', inDollars))
  for (const email of ['maria@example.com', 'ninguem-tem-conta@example.com']) await notify(service.url, completed({ email }))
  await notify(service.url, completed({ email: 'espera@example.com', plan: 'plano-sem-nome' }))
  const [silent, wrong] = [await connect(service, 'stripe'), await connect(service, 'asaas')]
  await gatewayHealthStore(db).noteDelivery('stripe', silent.product.product.id, now - 9 * DAY_MS)
  await gatewayHealthStore(db).countVerificationFailures('asaas', wrong.product.product.id, {
    count: 14,
    lastAt: now,
    since: now - 3_600_000,
  })
  const browser = service.browser()
  await browser.signIn('/login', { email: 'maria@example.com', password: PASSWORD })
  return customer
}
