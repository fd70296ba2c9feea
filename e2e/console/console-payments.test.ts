import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { after, afterEach, before, describe, it } from 'node:test'
import type { Page } from 'playwright-core'
import { events, outlineOf } from '../../console/src/webhook-test/tested.ts'
import { findTestedOffer, writeTestPurchase } from '../../server/src/admin/webhooks/test-purchase.ts'
import { newId } from '../../server/src/kit/index.ts'
import { notificationStore } from '../../server/src/notifications/index.ts'
import { setPlan } from '../../server/src/subscriptions/index.ts'
import { activated, completed, notify, subscriptionsOf, WEBHOOKS } from '../../server/test/support/gateways/purchases.ts'
import { agreeTo, assertFits, type ConsoleHarness, chooseFilter, showPage, startConsoleHarness, tabTo } from './console-harness.ts'

const MARKUP = '<img src=x onerror="window.hacked=1"><script>window.hacked=1</script>'
const phone = { viewport: { width: 390, height: 844 } }

describe("The console's pages about payments", () => {
  let harness: ConsoleHarness
  let support: Page
  before(async () => {
    harness = await startConsoleHarness(WEBHOOKS)
    support = await harness.administrator('support')
  })
  after(() => harness.close())
  afterEach(async () => {
    const complaints = harness.complaints
    assert.deepEqual(complaints, [])
    assert.equal(await support.evaluate('window.hacked'), undefined)
  })

  const open = async (page: Page, path: string) => {
    await page.goto(`${harness.service.url}/admin${path}`)
    await page.getByRole('heading', { level: 1 }).waitFor()
  }
  const purchase = (body: object) => notify(harness.service.url, body)
  const hasAccess = async (email: string) => (await subscriptionsOf(harness.service, email)).some(({ state }) => state === 'active')

  it('resolve a notification that named no plan of ours, and the buyer has access', async () => {
    const email = 'compra@resolve.example'
    await purchase(completed({ email, plan: 'plano-antigo' }))
    await open(support, '/notifications')
    await chooseFilter(support, 'Situação', 'Não resolvida')
    await support.getByRole('row', { name: email }).getByRole('link', { name: 'purchase.completed' }).click()
    await support.getByText('Ela nomeia um plano que não existe aqui').waitFor()
    assert.equal(await hasAccess(email), false)
    await support.getByRole('button', { name: 'Resolver' }).click()
    const dialog = support.getByRole('dialog', { name: 'Resolver' })
    await choose(support, 'Plano comprado', 'Easy Pro, plano do operador')
    await dialog.getByLabel('Motivo').fill('o plano mudou de nome')
    await assertFits(support)
    await agreeTo(support, 'Resolver')
    await support.getByText('Foi verificada e aplicada à assinatura.').waitFor()
    assert.equal(await support.getByRole('button', { name: 'Resolver' }).count(), 0)
    assert.equal(await hasAccess(email), true)
    await support.getByRole('link', { name: 'Abrir a assinatura' }).click()
    await support.getByRole('heading', { level: 1, name: `Easy Pro · ${email}` }).waitFor()
    await support.getByText('O período atual está pago.').waitFor()
    await support.getByRole('link', { name: 'Ver a notificação' }).click()
    await support.getByRole('heading', { level: 1, name: 'Compra concluída' }).waitFor()
  })

  it('L15: say of a payment below the price what was paid, and let it count when its plan is named', async () => {
    const email = 'compra@menos.example'
    const deps = { ...harness.service.context, actor: 'operator:test' as const }
    await setPlan({ slug: 'fixo', name: 'Preço Fixo', price: 9_900, belowPrice: 'hold' }, deps)
    await purchase(activated({ email, name: 'Preço Fixo', amount: 1 }))
    await openNotification(email)
    await support.getByText('Foi pago menos que o preço').waitFor()
    await support.getByText(/O valor pago foi R\$\s0,01, e o preço do plano é R\$\s99,00/).waitFor()
    assert.equal(await hasAccess(email), false)
    await support.getByRole('button', { name: 'Resolver' }).click()
    await choose(support, 'Plano comprado', 'Preço Fixo, plano do operador')
    await support.getByRole('dialog', { name: 'Resolver' }).getByRole('button', { name: 'Resolver' }).click()
    await support.getByText('Foi verificada e aplicada à assinatura.').waitFor()
    assert.equal(await hasAccess(email), true)
  })

  it('say why one waits on that is tried again in vain, and ignore it with a reason', async () => {
    const email = 'compra@ignora.example'
    await purchase(completed({ email, plan: 'plano-nenhum' }))
    await openNotification(email)
    await support.getByRole('button', { name: 'Processar de novo' }).click()
    await support.getByText('Continua não resolvida: Ela nomeia um plano que não existe aqui').waitFor()
    await support.getByRole('button', { name: 'Ignorar' }).click()
    const dialog = support.getByRole('dialog', { name: 'Ignorar' })
    await dialog.getByRole('button', { name: 'Ignorar' }).click()
    await dialog.getByLabel('Motivo').fill(MARKUP)
    await agreeTo(support, 'Ignorar')
    await support.getByText(`Motivo: ${MARKUP}`).waitFor()
    assert.equal(await hasAccess(email), false)
  })

  it('warn the second of two users that somebody has resolved it meanwhile', async () => {
    const email = 'compra@dois.example'
    await purchase(completed({ email, plan: 'plano-nenhum' }))
    await openNotification(email)
    const again = support.getByRole('button', { name: 'Processar de novo' })
    await again.waitFor()
    const { db } = harness.service.context.storage
    await notificationStore(db).process(await notificationOf(email), { status: 'ignored', why: 'x', at: harness.service.clock.now })
    await again.click()
    await support.getByText('Esta notificação já foi resolvida').waitFor()
  })

  it('process everything again that waits since a time', async () => {
    const email = 'compra@repete.example'
    await purchase(completed({ email, plan: 'plano-que-falta' }))
    await addPlan('plano-que-falta')
    await open(support, '/notifications')
    await runSince('2099-01-01T00:00', 'Não há nada para processar.', 'Nenhuma notificação foi aplicada.')
    assert.equal(await hasAccess(email), false)
    await runSince('2020-01-01T00:00', /\d+ notificaç(ão|ões) para processar\./, '1 notificação foi aplicada.')
    assert.equal(await hasAccess(email), true)
  })

  it('test the webhook: what is sent, and step by step what was found', async () => {
    await harness.service.product({ slug: 'radio', name: `Rádio ${MARKUP}` })
    await open(support, '/notifications')
    await support.getByRole('link', { name: 'Testar webhook' }).click()
    await support.getByRole('heading', { level: 1, name: 'Testar webhook' }).waitFor()
    await choose(support, 'Evento', 'subscription.activated')
    await support.getByRole('combobox', { name: 'Variante' }).filter({ hasText: 'B: assinatura' }).waitFor()
    await choose(support, 'Produto', `Rádio ${MARKUP}`)
    await support.getByLabel('E-mail de quem compra').fill('teste@webhook.example')
    const request = support.getByRole('region', { name: 'Pedido', exact: true })
    await request.getByText(`POST ${harness.service.url}/api/webhook/payment`).waitFor()
    const outlined = await request.innerText()
    for (const part of ['"event": "subscription.activated"', '"user_email": "teste@webhook.example"', '"signature"'])
      assert.ok(outlined.includes(part), part)
    await support.getByRole('button', { name: 'Enviar teste' }).click()
    const answer = support.getByRole('region', { name: 'Resposta' })
    await answer.getByText('Tudo certo').waitFor()
    assert.equal(await answer.getByText('Certo', { exact: true }).count(), 5)
    await answer.getByText('200 {"received":true}').waitFor()
    await assertFits(support)
    await answer.getByRole('link', { name: 'Ver a notificação' }).click()
    await support.getByText('Foi um teste').waitFor()
    assert.deepEqual(await subscriptionsOf(harness.service, 'teste@webhook.example'), [])
  })

  it('say which step of a test failed, how to fix it, and what could not be looked at', async () => {
    const well = { ok: true, code: null, notification_id: null }
    const steps = [
      { ...well, step: 'secret', detail: 'configured' },
      { ...well, step: 'reachable', detail: harness.service.url },
      { ...well, step: 'answer', ok: false, detail: '401 {"error":"Assinatura invalida"}: …', code: 'secrets_differ' },
    ]
    await open(support, '/webhooks/test')
    await support.route('**/api/admin/webhooks/test', (route) =>
      route.request().method() === 'POST' ? route.fulfill({ json: { ok: false, steps } }) : route.fallback(),
    )
    await support.getByRole('button', { name: 'Enviar teste' }).click()
    const answer = support.getByRole('region', { name: 'Resposta' })
    await answer.getByText('Algo está errado').waitFor()
    await answer.getByText('o segredo daqui não é o do serviço que respondeu').waitFor()
    assert.equal(await answer.getByText('Não verificado').count(), 2)
    assert.equal(await answer.getByText('Assinatura invalida').isVisible(), false, 'the English sentence stays behind its summary')
    assert.equal(await answer.locator(':focus').count(), 1, 'the answer has the focus')
    await assertFits(support)
    await support.unroute('**/api/admin/webhooks/test')
  })

  it('say before anything is sent that the secret is missing, and how to set it', async () => {
    await support.route('**/api/admin/webhooks/test', (route) => route.fulfill({ json: { secret_is_set: false } }))
    await open(support, '/webhooks/test')
    const missing = support.getByRole('alert').filter({ hasText: 'Falta o segredo das compras' })
    for (const part of ['openssl rand -hex 32', "PORTARIA_WEBHOOK_SECRET='<o segredo>' npm start", 'reinicie'])
      await missing.getByText(part).waitFor()
    assert.equal(await support.getByRole('button', { name: 'Enviar teste' }).isDisabled(), true)
    await assertFits(support)
    await support.unroute('**/api/admin/webhooks/test')
  })

  it('say of a product that gateways pay where its addresses and their test are', async () => {
    const { product } = await harness.service.product({
      slug: 'vende-aqui',
      name: 'Vende Aqui',
      audience: 'internal',
      checkout: 'integrated',
    })
    await harness.service.product({ slug: 'vende-la', name: 'Vende Lá', checkout: 'external' })
    await open(support, '/webhooks/test')
    await choose(support, 'Produto', 'Vende Lá')
    assert.equal(await support.getByText('vende pela Portaria').count(), 0)
    await choose(support, 'Produto', 'Vende Aqui')
    await support.getByText('Vende Aqui vende pela Portaria').waitFor()
    await support.getByRole('link', { name: 'página do produto' }).click()
    await support.waitForURL((url) => url.pathname.endsWith(`/products/${product.id}/show`))
  })

  for (const event of events) {
    for (const product of ['', 'clube']) {
      it(`outline of ${event}${product && ', of a product,'} what is really sent`, async () => {
        const slug = product && `${product}-${event.replace('.', '-')}`
        if (slug) await harness.service.product({ slug })
        const offer = (await findTestedOffer(harness.service.context.storage.db, slug || undefined)) ?? assert.fail(slug)
        const sent = JSON.parse(writeTestPurchase(event, offer, { email: 'a@b.example', at: 0 }))
        const { signature, ...outlined } = { signature: undefined, ...outlineOf({ event, product: slug, email: 'a@b.example' }) }
        assert.equal(signature, '<HMAC-SHA256>')
        assert.deepEqual(namesIn(outlined), namesIn(sent))
      })
    }
  }

  it('give a purchase without an account to the user that is found by name', async () => {
    const email = 'outra-caixa@junta.example'
    const { id } = await harness.service.user('joana@junta.example', { name: 'Joana Junta' })
    await purchase(activated({ email }))
    await open(support, '/subscriptions')
    await chooseFilter(support, 'Conta', 'Só compras sem conta')
    await support.getByRole('row', { name: email }).getByRole('link', { name: 'Easy Pro' }).click()
    await support.getByText('R$ 99,00', { exact: true }).waitFor()
    await support.getByRole('button', { name: 'Vincular a uma pessoa' }).click()
    const dialog = support.getByRole('dialog', { name: 'Vincular a uma pessoa' })
    await dialog.getByRole('combobox', { name: 'Nome ou e-mail da pessoa' }).fill('Joana')
    await support.getByRole('option', { name: 'joana@junta.example' }).click()
    await dialog.getByLabel('Motivo').fill('comprou com outro e-mail')
    await agreeTo(support, 'Vincular a uma pessoa')
    await support.getByRole('link', { name: 'Joana Junta' }).waitFor()
    const [moved] = await subscriptionsOf(harness.service, email)
    assert.equal(moved?.user_id, id)
  })

  it('unlink, refund without moving money, and show it in the timeline', async () => {
    const email = 'devolve@reembolso.example'
    await harness.service.user(email, { name: 'Dora Devolve' })
    await purchase(activated({ email }))
    const [bought] = await subscriptionsOf(harness.service, email)
    await open(support, `/subscriptions/${bought?.id}/show`)
    await support.getByRole('button', { name: 'Registrar reembolso' }).click()
    const refund = support.getByRole('dialog', { name: 'Registrar reembolso' })
    await refund.getByText('Isto não move dinheiro').waitFor()
    await refund.getByLabel('Motivo').fill('arrependimento')
    await agreeTo(support, 'Registrar reembolso')
    await support.getByText('O pagamento foi devolvido.').waitFor()
    const given = support.getByRole('list', { name: 'Linha do tempo' }).getByRole('listitem').first()
    await given.getByText(/^Reembolso: R\$\s99,00$/).waitFor()
    await given.getByText('pela operação · Easy Pro').waitFor()
    assert.equal(await support.getByRole('button', { name: 'Encerrar' }).count(), 0)
    await support.getByRole('button', { name: 'Desvincular' }).click()
    const unlink = support.getByRole('dialog', { name: 'Desvincular' })
    assert.equal(await unlink.getByLabel('Da conta').isChecked(), true)
    assert.equal(await unlink.getByLabel('Do ID da pessoa no produto').count(), 0)
    await unlink.getByLabel('Motivo').fill('engano')
    await agreeTo(support, 'Desvincular')
    await support.getByText('Desvinculada pela operação').waitFor()
    assert.equal((await subscriptionsOf(harness.service, email))[0]?.user_id, null)
  })

  it('end what was paid at once', async () => {
    const email = 'encerra@agora.example'
    await purchase(activated({ email, at: new Date(harness.service.clock.now).toISOString() }))
    const [bought] = await subscriptionsOf(harness.service, email)
    await open(support, `/subscriptions/${bought?.id}/show`)
    await support.getByRole('button', { name: 'Encerrar' }).click()
    const dialog = support.getByRole('dialog', { name: 'Encerrar' })
    await dialog.getByLabel('Motivo').fill('pedido por telefone')
    await agreeTo(support, 'Encerrar')
    await support.getByText('Sem acesso').waitFor()
    assert.equal(await hasAccess(email), false)
  })

  it('try again what was given up, one or all, and drop one with a reason', async () => {
    const [one, two, three] = [await addDeadJob('mail'), await addDeadJob('fetch_payment'), await addDeadJob('mail')]
    await open(support, `/jobs/${one}/show`)
    await support.getByText(`connect ECONNREFUSED ${MARKUP}`).waitFor()
    await assertFits(support)
    await support.getByRole('button', { name: 'Descartar' }).click()
    const drop = support.getByRole('dialog', { name: 'Descartar' })
    await drop.getByLabel('Motivo').fill('endereço errado')
    await agreeTo(support, 'Descartar')
    await support.getByText('Tarefa descartada').waitFor()
    assert.equal(await jobOf(one), undefined)
    await open(support, `/jobs/${two}/show`)
    await support.getByRole('button', { name: 'Tentar de novo' }).click()
    await agreeTo(support, 'Tentar de novo')
    await support.getByText('1 tarefa voltou à fila').waitFor()
    await support.waitForURL(/\/jobs$/)
    await support.getByRole('button', { name: 'Tentar todas as abandonadas' }).click()
    const retryAll = support.getByRole('dialog').getByRole('button', { name: 'Tentar todas as abandonadas' })
    const [answer] = await Promise.all([support.waitForResponse(/retry-dead$/), retryAll.click()])
    assert.ok((await answer.json()).retried >= 1)
    await retryAll.waitFor({ state: 'detached' })
    assert.notEqual((await jobOf(three))?.attempts, 12)
  })

  it('show markup that somebody sent as the text that it is', async () => {
    const id = await addNotification({ event: MARKUP, why: MARKUP, subject: MARKUP, payload: JSON.stringify({ [MARKUP]: MARKUP }) })
    for (const path of ['/notifications', `/notifications/${id}/show`]) {
      await open(support, path)
      await support.getByText(MARKUP).first().waitFor()
      assert.equal(await support.evaluate('document.querySelectorAll("main img, main script").length'), 0)
    }
    await support.getByRole('region', { name: 'Conteúdo enviado (JSON)' }).getByText('onerror').waitFor()
  })

  it('show a viewer what was sent without personal data, and no button', async () => {
    const email = 'segredo@vista.example'
    await purchase(completed({ email, plan: 'plano-nenhum' }))
    await purchase(activated({ email: 'compra@vista.example' }))
    const [bought] = await subscriptionsOf(harness.service, 'compra@vista.example')
    const job = await addDeadJob('mail')
    const viewer = await harness.administrator('viewer')
    await open(viewer, `/notifications/${await notificationOf(email)}/show`)
    await viewer.getByText('Com a sua função, o conteúdo aparece sem dados pessoais.').waitFor()
    const payload = await viewer.getByRole('region', { name: 'Conteúdo enviado (JSON)' }).innerText()
    assert.match(payload, /purchase\.completed/)
    assert.ok(!payload.includes(email))
    await assertNoAction(viewer)
    await open(viewer, `/subscriptions/${bought?.id}/show`)
    await viewer.getByText('O período atual está pago.').waitFor()
    await assertNoAction(viewer)
    await open(viewer, `/jobs/${job}/show`)
    await viewer.getByText('connect ECONNREFUSED').waitFor()
    await assertNoAction(viewer)
    await open(viewer, '/notifications')
    assert.equal(await viewer.getByRole('link', { name: 'Testar webhook' }).count(), 0)
    assert.equal(await viewer.getByRole('button', { name: 'Processar tudo desde…' }).count(), 0)
    await open(viewer, '/jobs')
    assert.equal(await viewer.getByRole('button', { name: 'Tentar todas as abandonadas' }).count(), 0)
    await viewer.goto(`${harness.service.url}/admin/webhooks/test`)
    await viewer.getByRole('heading', { level: 1, name: 'Sua função não permite ver esta página' }).waitFor()
  })

  const filters = [
    ['notifications', ['email', 'product_id', 'since', 'source', 'status', 'until']],
    ['subscriptions', ['active_on', 'currency', 'email', 'figure', 'guest', 'plan_id', 'product_id', 'since', 'state', 'until']],
    ['transactions', ['currency', 'figure', 'plan_id', 'product_id', 'since', 'until']],
    ['jobs', ['state']],
  ] as const
  for (const [resource, names] of filters) {
    it(`filter ${resource} by ${names.join(', ')}, in the words of the API`, async () => {
      await harness.service.product({ slug: `filtro-${resource}` })
      await open(support, `/${resource}`)
      const bar = support.getByRole('group', { name: 'Filtros' })
      const isWanted = (url: URL) => url.pathname.endsWith(`/${resource}`) && names.every((name) => url.searchParams.has(name))
      const answered = support.waitForResponse((response) => isWanted(new URL(response.url())))
      for (const text of await bar.getByRole('textbox').all()) {
        await text.fill('a@b.example')
        await support.keyboard.press('Enter')
        await bar.getByRole('button', { name: 'Limpar filtros' }).waitFor()
      }
      const chips = bar.locator('.MuiChip-root')
      for (let i = 0; i < (await chips.count()); i++) {
        const isDay = (await chips.nth(i).getAttribute('aria-haspopup')) === 'dialog'
        await chips.nth(i).click()
        if (isDay) {
          await support.locator('input[type=date]').fill('2026-01-02')
          await support.keyboard.press('Enter')
        } else await support.getByRole('menuitemradio').nth(1).click()
        await chips.nth(i).and(support.locator('.MuiChip-filled')).waitFor()
        await support.getByRole(isDay ? 'dialog' : 'menu').waitFor({ state: 'detached' })
      }
      const answer = await answered
      assert.equal(answer.status(), 200)
    })
  }

  it('are used by keyboard alone', async () => {
    const email = 'teclado@teclas.example'
    await purchase(completed({ email, plan: 'plano-nenhum' }))
    await openNotification(email)
    await support.getByRole('button', { name: 'Resolver' }).focus()
    await support.keyboard.press('Enter')
    const dialog = support.getByRole('dialog', { name: 'Resolver' })
    await dialog.waitFor()
    await tabTo(support, dialog.getByRole('combobox', { name: 'Plano comprado' }))
    await support.keyboard.press('Enter')
    await support.getByRole('option').first().waitFor()
    await support.keyboard.press('ArrowDown')
    await support.keyboard.press('Enter')
    await support.getByRole('listbox').waitFor({ state: 'detached' })
    await tabTo(support, dialog.getByRole('button', { name: 'Resolver' }))
    await support.keyboard.press('Enter')
    await support.getByText('Foi verificada e aplicada à assinatura.').waitFor()
    assert.equal(await hasAccess(email), true)
  })

  it('show on a phone no accessibility fault, and are as wide as the screen', async () => {
    const page = await harness.administrator('owner', { email: 'dona-movel@example.com', context: phone })
    const email = `larga-${'x'.repeat(40)}@movel.example`
    await purchase(completed({ email, plan: 'plano-nenhum' }))
    await purchase(activated({ email }))
    const [bought] = await subscriptionsOf(harness.service, email)
    const job = await addDeadJob('mail')
    const notification = await notificationOf(email)
    const own = [`/notifications/${notification}/show`, `/subscriptions/${bought?.id}/show`, `/jobs/${job}/show`]
    for (const path of ['/notifications', '/subscriptions', '/jobs', '/webhooks/test', ...own]) {
      await showPage(page, `${harness.service.url}/admin${path}`)
      await page.getByRole('heading', { level: 1 }).waitFor()
      await assertFits(page)
      await assertNothingCut(page)
    }
    await harness.leave(page)
  })

  async function openNotification(email: string): Promise<void> {
    await open(support, `/notifications/${await notificationOf(email)}/show`)
  }

  async function notificationOf(email: string): Promise<string> {
    const { db } = harness.service.context.storage
    const rows = await db.selectFrom('notifications').select(['id', 'status']).where('subject', '=', email).orderBy('id').execute()
    return (rows.find(({ status }) => status === 'unresolved') ?? rows[0])?.id ?? assert.fail(email)
  }

  async function addNotification(sent: { event: string; why: string; subject: string; payload: string }): Promise<string> {
    const id = newId()
    const rest = {
      source: 'stripe',
      productId: undefined,
      digest: id,
      status: 'unresolved',
      receivedAt: harness.service.clock.now,
    } as const
    await notificationStore(harness.service.context.storage.db).add({ id, ...rest, ...sent })
    return id
  }

  async function addPlan(slug: string): Promise<void> {
    const { db } = harness.service.context.storage
    const plan = await db.selectFrom('plans').selectAll().where('slug', '=', 'easy-pro').executeTakeFirstOrThrow()
    await db
      .insertInto('plans')
      .values({ ...plan, id: newId(), slug, name: slug })
      .execute()
  }

  async function runSince(since: string, before: string | RegExp, outcome: string): Promise<void> {
    await support.getByRole('button', { name: 'Processar tudo desde…' }).click()
    const dialog = support.getByRole('dialog', { name: 'Processar tudo desde…' })
    await dialog.getByLabel('Desde').fill(since)
    await dialog.getByText(before).waitFor()
    await agreeTo(support, 'Processar tudo desde…')
    await support.getByText(outcome).waitFor()
    await support.getByRole('button', { name: 'Fechar' }).click()
    await support.getByText(outcome).waitFor({ state: 'detached' })
  }

  async function addDeadJob(kind: string): Promise<string> {
    const id = randomUUID()
    const job = { id, kind, payload_sealed: 'sealed', attempts: 12, run_at: 1, leased_until: null, created_at: 0, lane: null }
    await harness.service.context.storage.db
      .insertInto('outbox')
      .values({ ...job, dead_at: 2, last_error: `connect ECONNREFUSED ${MARKUP}` })
      .execute()
    return id
  }

  function jobOf(id: string) {
    return harness.service.context.storage.db.selectFrom('outbox').select('attempts').where('id', '=', id).executeTakeFirst()
  }
})

/** Nothing reaches beyond the screen's edge, where a card would cut it off unseen; what scrolls by itself may. */
async function assertNothingCut(page: Page): Promise<void> {
  const cut = await page.evaluate(`[...document.querySelectorAll('main *')]
    .filter((one) => one.getBoundingClientRect().right > innerWidth + 1)
    .filter((one) => !one.closest('pre, .MuiTableContainer-root'))
    .map((one) => one.outerHTML.slice(0, 120))`)
  assert.deepEqual(cut, [])
}

/** Nothing in the page itself that changes anything: what is left copies. */
async function assertNoAction(page: Page): Promise<void> {
  const buttons = await page.getByRole('main').getByRole('button').all()
  const names = await Promise.all(buttons.map(async (button) => (await button.getAttribute('aria-label')) ?? button.innerText()))
  assert.deepEqual(
    names.filter((name) => !name.startsWith('Copiar')),
    [],
  )
}

/** The paths of all fields, in order. */
function namesIn(value: object, above = ''): string[] {
  return Object.entries(value).flatMap(([name, inner]) =>
    typeof inner === 'object' && inner !== null ? namesIn(inner, `${above}${name}.`) : [`${above}${name}`],
  )
}

async function choose(page: Page, label: string, option: string): Promise<void> {
  await page.getByRole('combobox', { name: label }).click()
  await page.getByRole('option', { name: option, exact: true }).click()
  await page.getByRole('listbox').waitFor({ state: 'detached' })
}
