import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { after, afterEach, before, describe, it } from 'node:test'
import type { Page } from 'playwright-core'
import { runStore } from '../../server/src/admin/index.ts'
import { announceInVain, askNow, statusOf } from '../../server/test/support/gateways/failed.ts'
import { startFakeApi } from '../../server/test/support/gateways/fake-api.ts'
import { openSchool } from '../../server/test/support/gateways/gateways.ts'
import { completed, notify, WEBHOOKS } from '../../server/test/support/gateways/purchases.ts'
import { until } from '../../server/test/support/until.ts'
import { agreeTo, assertFits, type ConsoleHarness, startConsoleHarness, tabTo } from './console-harness.ts'

const HOUR_MS = 3_600_000

describe('Webhooks put right in one place', () => {
  let harness: ConsoleHarness
  let support: Page
  before(async () => {
    harness = await startConsoleHarness(WEBHOOKS)
    support = await harness.administrator('support')
  })
  after(() => harness.close())
  afterEach(() => assert.deepEqual(harness.complaints, []))

  const db = () => harness.service.context.storage.db
  /** A school at a gateway whose API lives as long as one test. */
  const begin = async () => {
    const api = await startFakeApi()
    const school = await openSchool(harness.service, 'asaas', { apiUrl: api.url })
    return { api, fail: () => announceInVain(harness.service, api, school) }
  }
  const open = async (path: string) => {
    await support.goto(`${harness.service.url}/admin${path}`)
    await support.getByRole('heading', { level: 1 }).waitFor()
  }
  const waits = async (): Promise<{ id: string; email: string }> => {
    const email = `${randomUUID().slice(0, 13)}@espera.example`
    await notify(harness.service.url, completed({ email, plan: 'plano-que-falta' }))
    const row = await db().selectFrom('notifications').select('id').where('subject', '=', email).executeTakeFirstOrThrow()
    return { id: row.id, email }
  }
  /** Gateways' jobs are due now, as their first attempts are. */
  const isProcessed = (id: string) =>
    until(async () => {
      await askNow(harness.service)
      return (await statusOf(harness.service, id)) === 'processed'
    })
  /** As `datetime-local` wants it, in the operator's zone. */
  const field = (ms: number) => new Date(ms - 3 * HOUR_MS).toISOString().slice(0, 16)

  it('everything that failed since a time is processed with three clicks, and the page says what came of it', async () => {
    const { api, fail } = await begin()
    const lost = [await fail(), await fail()]
    api.mood = 'well'
    await open('/')
    await support.getByRole('link', { name: 'Webhooks' }).click()
    await support.getByRole('tab', { name: 'Com falha (2)' }).waitFor()
    await support.getByRole('button', { name: 'Processar tudo desde…' }).click()
    const dialog = support.getByRole('dialog', { name: 'Processar tudo desde…' })
    await dialog.getByLabel('Desde').fill(field(Date.now() - HOUR_MS))
    await dialog.getByText('2 notificações para processar.').waitFor()
    await dialog.getByText('Não resolvidas: 0. Falharam: 2.').waitFor()
    await agreeTo(support, 'Processar tudo desde…')
    await support.getByText(/^Terminou: /).waitFor()
    for (const { id } of lost) await isProcessed(id)
    await support.getByText('2 notificações foram aplicadas.').waitFor()
    await support.getByRole('tab', { name: 'Com falha (0)' }).waitFor()
    await assertFits(support)
    await support.reload()
    await support.getByText('2 notificações foram aplicadas.').waitFor()
    await support.getByRole('button', { name: 'Fechar' }).click()
    await support.reload()
    await support.getByRole('tab', { name: 'Com falha (0)' }).waitFor()
    assert.equal(await support.getByText(/^Terminou: /).count(), 0)
  })

  it('what failed says so, and is asked again on its own page, where the outcome appears', async () => {
    const { api, fail } = await begin()
    const { id } = await fail()
    await open(`/notifications/${id}/show`)
    const checks = support.getByRole('region', { name: 'Verificações' })
    await checks.getByText('Falhou', { exact: true }).waitFor()
    assert.equal(await checks.getByText('Pendente').count(), 0)
    assert.equal(await support.getByText('Resolvida em').count(), 0)
    const attempts = support.getByRole('list', { name: 'Tentativas' }).getByRole('listitem')
    const before = await attempts.count()
    await attempts.last().getByText('Consulta ao meio de pagamento · levou').waitFor()
    await assertFits(support)
    api.mood = 'hang'
    const address = support.url()
    await support.getByRole('button', { name: 'Processar de novo' }).click()
    await support.getByText('O meio de pagamento está sendo consultado. O resultado aparece aqui.').waitFor()
    api.mood = 'well'
    api.hangUp()
    await isProcessed(id)
    await support.getByText('Funcionou: a notificação está resolvida.').waitFor()
    await support.getByText('Resolvida em').waitFor()
    assert.equal(support.url(), address)
    assert.ok((await attempts.count()) >= before + 2)
    await attempts.last().getByText('Aplicada').waitFor()
    await attempts.filter({ hasText: 'Pedido de nova tentativa' }).getByText('Dona support').waitFor()
    await assertFits(support)
  })

  it('rows are chosen and processed together, by keyboard alone; what waits on says why', async () => {
    const { api, fail } = await begin()
    const [lost, waiting] = [await fail(), await waits()]
    api.mood = 'well'
    await open('/notifications')
    await support.getByRole('tab', { name: /^Não resolvidas \(\d+\)$/ }).waitFor()
    await tabTo(support, support.getByRole('checkbox', { name: 'Escolher todas as linhas desta página' }))
    await support.keyboard.press('Space')
    await support.getByText('2 escolhidas').waitFor()
    const chip = support.getByRole('row', { name: waiting.email }).locator('.MuiChip-root')
    assert.equal((await chip.boundingBox())?.height, 24)
    await assertFits(support)
    // Back to what stands above the rows.
    const process = support.getByRole('button', { name: 'Processar de novo' })
    for (let i = 0; i < 10 && (await process.and(support.locator(':focus')).count()) === 0; i++) await support.keyboard.press('Shift+Tab')
    await support.keyboard.press('Enter')
    await support.getByText('Meio de pagamento consultado de novo: 1').waitFor()
    await support.getByText('Continuam não resolvidas (Plano desconhecido): 1').waitFor()
    await isProcessed(lost.id)
    await support.getByRole('tab', { name: 'Com falha (0)' }).waitFor()
    assert.equal(await support.getByRole('checkbox', { checked: true }).count(), 0)
    await support.getByRole('tab', { name: /^Não resolvidas/ }).click()
    // A choice in the former list is gone with it.
    await support.getByRole('row').filter({ hasText: 'Aplicada' }).first().waitFor({ state: 'detached' })
    await support.getByRole('row', { name: waiting.email }).getByRole('checkbox').check()
    await support.getByRole('button', { name: 'Ignorar' }).click()
    await support.getByRole('dialog', { name: 'Ignorar' }).getByLabel('Motivo').fill('de outra loja')
    await agreeTo(support, 'Ignorar')
    await support.getByText('Ignoradas: 1').waitFor()
    assert.equal(await statusOf(harness.service, waiting.id), 'ignored')
  })

  it('what is out of sight is not chosen any more', async () => {
    const waiting = await waits()
    await open('/notifications?filter={"status":"unresolved"}')
    await support.getByRole('row', { name: waiting.email }).getByRole('checkbox').check()
    await support.getByText('1 escolhida').waitFor()
    await support.getByRole('tab', { name: /^Todas/ }).click()
    await support.getByRole('row', { name: waiting.email }).getByRole('checkbox', { checked: false }).waitFor()
    assert.equal(await support.getByText('1 escolhida').count(), 0)
  })

  it('a run that was begun elsewhere is seen with its progress, and stopped', async () => {
    const waiting = await waits()
    const id = randomUUID()
    const begun = { id, since: 0, actor: 'operator:test', mayConcernRoles: true, total: 8, lastId: waiting.id, afterId: '' }
    const counts = { processed: 0, asked: 0, pending: {}, createdAt: 0, updatedAt: 0, finishedAt: undefined }
    await runStore(db()).add({ ...begun, ...counts }, Date.now())
    await db().updateTable('notification_runs').set({ processed: 2 }).where('id', '=', id).execute()
    await open('/notifications')
    await support.getByText(/^Processando o que foi recebido desde /).waitFor()
    await support.getByText('2 de 8').waitFor()
    assert.equal(await support.getByRole('progressbar', { name: 'Andamento' }).getAttribute('aria-valuenow'), '25')
    await db().updateTable('notification_runs').set({ processed: 4 }).where('id', '=', id).execute()
    await support.getByText('4 de 8').waitFor()
    await support.getByRole('button', { name: 'Processar tudo desde…' }).click()
    const dialog = support.getByRole('dialog', { name: 'Processar tudo desde…' })
    await dialog.getByRole('button', { name: 'Processar tudo desde…' }).click()
    await dialog.getByText('Outro processamento está em andamento').waitFor()
    await dialog.getByRole('button', { name: 'Cancelar' }).click()
    await support.route('**/stop', (route) => route.fulfill({ status: 429, json: { error: 'Muitas tentativas' } }))
    await support.getByRole('button', { name: 'Parar' }).click()
    await support.getByRole('alert').filter({ hasText: 'Muitos pedidos seguidos' }).waitFor()
    await support.unroute('**/stop')
    await support.getByRole('button', { name: 'Parar' }).click()
    await support.getByText(/^Parado: /).waitFor()
    await assertFits(support)
    assert.equal((await runStore(db()).find(id))?.state, 'stopped')
  })

  it('rows are chosen on a phone without an accessibility fault', async () => {
    const waiting = await waits()
    const page = await harness.administrator('owner', {
      email: 'dona-movel@example.com',
      context: { viewport: { width: 390, height: 844 } },
    })
    await page.goto(`${harness.service.url}/admin/notifications`)
    await page.getByRole('checkbox', { name: waiting.email }).check()
    await page.getByText('1 escolhida').waitFor()
    await assertFits(page)
    await harness.leave(page)
  })
})
