import type { Page } from 'playwright-core'
import { runStore } from '../../../server/src/admin/index.ts'
import { newId } from '../../../server/src/kit/index.ts'
import type { TestService } from '../../../server/test/support/service.ts'
import { notificationPath, openDialog, type ShownShop, subscriptionPath } from '../console-pages.ts'
import { NOW } from '../scheduled-event.ts'
import { type ConsoleStates, hanging } from './state.ts'

const bought = (shop: ShownShop) => subscriptionPath(shop, 'caio.lima@exemplo.com.br')
const guest = (shop: ShownShop) => subscriptionPath(shop, 'compra.avulsa@exemplo.com.br')
const failed = (shop: ShownShop) => notificationPath(shop, 'failed')
const tab =
  (name: string) =>
  async ({ clube }: ShownShop) =>
    `/products/${clube.productId}/show?tab=${name}`

/** The pages of products, plans, subscriptions and notifications. */
export const saleStates: ConsoleStates = {
  'a product’s keys': { path: tab('keys') },
  'a product’s key that is shown once': { path: tab('keys'), act: rotateKey },
  'a product’s events': { path: tab('events') },
  'a product’s appearance': { path: tab('appearance') },
  'a product’s credentials to be replaced': { path: tab('payments'), act: (page) => openDialog(page, 'Substituir credenciais') },
  'the wizard’s first step': { path: '/products/create' },
  'the wizard with an address that is refused': { path: '/products/create', act: refusedAddress },
  'the wizard’s last step': { path: '/products/create', act: registerApp },
  'a refund to be recorded': { path: bought, act: (page) => openDialog(page, 'Registrar reembolso') },
  'a purchase to be linked': { path: guest, act: (page) => openDialog(page, 'Vincular a uma pessoa') },
  'a refunded subscription': { path: (shop) => subscriptionPath(shop, 'livia.campos@exemplo.com.br') },
  'a subscription, for a viewer': { path: bought, role: 'viewer' },
  'notifications that are chosen': { path: '/notifications', act: chooseRows },
  'notifications of a time, to be processed': { path: '/notifications', act: (page) => openDialog(page, 'Processar tudo desde…') },
  'notifications after a run': { path: '/notifications', act: finishRun },
  'a notification to be ignored': { path: (shop) => notificationPath(shop, 'unresolved'), act: (page) => openDialog(page, 'Ignorar') },
  'a failed notification that is asked again': { path: failed, act: askAgain, isFaked: true },
  'webhooks, for a viewer': { path: '/notifications', role: 'viewer' },
  'notifications while a run goes on': { path: '/notifications', act: beginRun, isWaiting: true },
}

async function rotateKey(page: Page): Promise<void> {
  await openDialog(page, 'Trocar a chave')
  await page.getByRole('dialog').getByRole('button', { name: 'Trocar a chave' }).click()
  await page.getByText('Nova chave de API').waitFor()
}

async function nameApp(page: Page, name: string): Promise<void> {
  await page.getByRole('textbox', { name: /^Nome( \*)?$/ }).fill(name)
  await page.getByRole('button', { name: 'Continuar' }).click()
}

async function refusedAddress(page: Page): Promise<void> {
  await nameApp(page, 'Recusado')
  await page.getByLabel('Endereço de retorno').fill('http://app.example/')
  await page.getByText(/Comece com https/).waitFor()
}

async function registerApp(page: Page): Promise<void> {
  await nameApp(page, 'Registrado')
  await page.getByLabel('Endereço de retorno').fill('https://registrado.example/auth/callback')
  await page.getByText('Este endereço pode ser registrado.').waitFor()
  await page.getByRole('button', { name: 'Criar o produto e as chaves' }).click()
  await page.getByText('Registrado está registrado').waitFor()
}

async function chooseRows(page: Page): Promise<void> {
  await page.getByRole('checkbox', { name: 'Escolher todas as linhas desta página' }).check()
  await page.getByText(/escolhidas?$/).waitFor()
}

/** A run that was begun elsewhere, and goes on for as long as anybody looks. */
async function beginRun(page: Page, { service: { context, clock } }: ShownShop): Promise<void> {
  const id = newId()
  const begun = { id, since: 0, actor: 'operator:test', mayConcernRoles: true, total: 8, lastId: id, afterId: '' }
  const counts = { processed: 0, asked: 0, pending: {}, createdAt: clock.now, updatedAt: clock.now, finishedAt: undefined }
  await runStore(context.storage.db).add({ ...begun, ...counts }, clock.now)
  await changeRun(page, context, { processed: 2 })
  await page.getByText('2 de 8').waitFor()
}

async function finishRun(page: Page, shop: ShownShop): Promise<void> {
  await beginRun(page, shop)
  await changeRun(page, shop.service.context, { processed: 8, state: 'done', finished_at: NOW })
  await page.getByText(/^Terminou: /).waitFor()
}

async function changeRun(
  page: Page,
  { storage }: TestService['context'],
  change: { processed: number; state?: string; finished_at?: number },
): Promise<void> {
  await storage.db.updateTable('notification_runs').set(change).where('state', '=', 'running').execute()
  await page.reload()
}

async function askAgain(page: Page): Promise<void> {
  await hanging('**/api/admin/notifications/*/retry')(page)
  await page.getByRole('button', { name: 'Processar de novo' }).click()
}
