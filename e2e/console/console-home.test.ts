import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { after, before, describe, it } from 'node:test'
import type { BrowserContextOptions } from 'playwright-core'
import { gatewayHealthStore } from '../../server/src/gateways/index.ts'
import { DAY_MS, firstIdAt } from '../../server/src/kit/index.ts'
import { connect } from '../../server/test/support/gateways/gateways.ts'
import { completed, notify, subscriptionsOf, WEBHOOKS } from '../../server/test/support/gateways/purchases.ts'
import { PASSWORD, type TestService } from '../../server/test/support/service.ts'
import { assertFits, type ConsoleHarness, startConsoleHarness } from './console-harness.ts'

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
    await page.getByRole('img', { name: 'Compras: nada no período' }).waitFor()
    const own = page.getByRole('link', { name: 'Ative sua verificação em duas etapas' })
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
      await page.getByRole('img', { name: /^Entradas: \d+ no período; o maior dia foi / }).waitFor()
      await assertFits(page)
      const alerts = page.getByRole('region', { name: 'Pede atenção' })
      assert.equal(
        await alerts
          .getByRole('listitem')
          .first()
          .innerText()
          .then((text) => text.startsWith('Urgente')),
        true,
      )
      await alerts.getByText(/^Asaas em [\w-]+: 14 entregas com prova errada$/).waitFor()
      await page.getByRole('link', { name: 'Notificações não resolvidas' }).waitFor()
      await page
        .getByRole('listitem')
        .filter({ hasText: /^Entradas recusadas: \d+$/ })
        .waitFor()
      await page.getByText('Ver os números em tabela').click()
      const table = page.getByRole('table', { name: 'Movimento por dia, em UTC' })
      assert.equal(await table.getByRole('row').count(), 1 + 30)
      await assertFits(page)
      await page.getByRole('button', { name: '7 dias' }).click()
      await page.getByRole('img').first().waitFor()
      await table.locator('tbody tr:nth-child(7):last-child').waitFor()
      await alerts.getByRole('link', { name: '1 notificação não resolvida' }).click()
      await page.getByRole('heading', { level: 1, name: 'Webhooks' }).waitFor()
      await page.getByText('purchase.completed').first().waitFor()
      assert.equal(await page.getByText('purchase.completed').count(), 1)
      await harness.leave(page)
    })
  }

  it('finds a user from anywhere by keyboard, and shows their timeline to its beginning', async () => {
    const page = await harness.administrator('support', { email: 'telefone@example.com' })
    await page.goto(`${harness.service.url}/admin/plans`)
    await page.getByRole('heading', { level: 1, name: 'Planos' }).waitFor()
    await page.keyboard.press('/')
    await page.keyboard.type('conceicao mari')
    await page.getByText('Enter para buscar').waitFor()
    await page.keyboard.press('Enter')
    await page.getByRole('status').filter({ hasText: '1 resultado' }).waitFor()
    await assertFits(page)
    await page.getByRole('link', { name: 'María Conceição' }).click()
    const timeline = page.getByRole('region', { name: 'Linha do tempo' })
    const entries = timeline.getByRole('list', { name: 'Linha do tempo' })
    await entries.getByText('Pagamento feito').waitFor()
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
    await entries.getByRole('link', { name: 'Pagamento feito' }).click()
    await page.waitForURL(/\/admin\/subscriptions\/.+\/show/)
  })

  it('leaves the slash to whoever types it', async () => {
    const page = await harness.administrator('viewer', { email: 'barra@example.com' })
    const box = page.getByRole('searchbox', { name: 'Buscar em tudo' })
    await page.keyboard.press('/')
    assert.equal(await box.evaluate((element) => element === element.ownerDocument.activeElement), true)
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
    await page.getByRole('listitem').filter({ hasText: 'Assinatura' }).waitFor()
    await search('nao existe mesmo')
    await page.getByText('Busque por e-mail, nome, CPF ou CNPJ').waitFor()
    await search('<img src=x onerror=alert(1)>')
    await page.getByText('<img src=x onerror=alert(1)>').waitFor()
    await search('Marcacao')
    await page.getByRole('link', { name: '<b>Marcacao</b>' }).waitFor()
    await assertFits(page)
    const [bought] = await subscriptionsOf(harness.service, 'maria@example.com')
    await search(bought?.id ?? '')
    await page.getByRole('link', { name: 'Ver a pessoa' }).click()
    await page.waitForURL(new RegExp(`/admin/users/${customer.id}/show`))
    assert.deepEqual(harness.complaints, [])
  })
})

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
        .values({ day: new Date(now - day * DAY_MS).toISOString().slice(0, 10), name: 'failed_sign_ins', count: (day % 5) + 1 })
        .execute()
  }
  await db
    .insertInto('sent_mails')
    .values({ id: idAt(now - 60 * DAY_MS), user_id: customer.id, kind: 'reset_password', at: now - 60 * DAY_MS })
    .execute()
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
