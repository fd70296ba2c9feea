import assert from 'node:assert/strict'
import type { Page } from 'playwright-core'
import type { TestService } from '../../server/test/support/service.ts'
import type { Sales } from './console-sales.ts'
import { REGULAR } from './scheduled-event.ts'

/** An address below `/admin`. */
export type PathOf = string | ((shop: ShownShop) => Promise<string>)

/**
 * One page of the console: where it is, and what is done there before the picture. Its `labels` are those of the Portuguese page, which
 * alone is shot then.
 */
interface ConsolePage {
  path: PathOf
  act?: (page: Page) => Promise<unknown>
  labels?: 'pt-BR'
}

export interface ShownShop {
  service: TestService
  clube: Sales
}

/** Every page of the console, by the name of its picture. */
export const consolePages: Readonly<Record<string, ConsolePage>> = {
  home: { path: '/' },
  lost: { path: '/nowhere' },
  search: { path: `/search?q=${REGULAR}` },
  users: { path: '/users' },
  user: { path: userPath },
  'user-lock': { path: userPath, labels: 'pt-BR', act: (page) => openDialog(page, 'Bloquear') },
  'user-correct': { path: userPath, labels: 'pt-BR', act: (page) => openDialog(page, 'Corrigir dados') },
  'user-grant': { path: userPath, labels: 'pt-BR', act: grant },
  'user-edit': { path: async (shop) => (await userPath(shop)).replace('/show', '') },
  'user-create': { path: '/users/create' },
  sessions: { path: '/sessions' },
  'failed-sign-ins': { path: '/failed-sign-ins' },
  products: { path: '/products' },
  product: { path: async ({ clube }) => `/products/${clube.productId}/show` },
  'product-payments': { path: async ({ clube }) => `/products/${clube.productId}/show?tab=payments` },
  'product-sign-in': { path: async ({ clube }) => `/products/${clube.productId}/show?tab=sign_in` },
  palette: { path: '/users', act: openPalette },
  keys: { path: '/users', act: (page) => page.keyboard.press('?') },
  'product-edit': { path: async ({ clube }) => `/products/${clube.productId}` },
  'product-connect': { path: '/products/create', labels: 'pt-BR', act: connect },
  plans: { path: '/plans' },
  plan: { path: planPath },
  'plan-create': { path: '/plans/create' },
  subscriptions: { path: '/subscriptions' },
  subscription: { path: (shop) => subscriptionPath(shop, 'caio.lima@exemplo.com.br') },
  'subscription-guest': { path: (shop) => subscriptionPath(shop, 'compra.avulsa@exemplo.com.br') },
  transactions: { path: '/transactions' },
  webhooks: { path: '/notifications' },
  webhook: { path: (shop) => notificationPath(shop, 'processed', 'PAYMENT_RECEIVED') },
  'webhook-unresolved': { path: (shop) => notificationPath(shop, 'unresolved') },
  'webhook-resolve': { path: (shop) => notificationPath(shop, 'unresolved'), labels: 'pt-BR', act: (page) => openDialog(page, 'Resolver') },
  'webhook-failed': { path: (shop) => notificationPath(shop, 'failed') },
  endpoints: { path: '/endpoints' },
  endpoint: { path: endpointPath },
  'endpoint-create': { path: '/endpoints/create' },
  event: { path: eventPath },
  'product-events': { path: async ({ clube }) => `/products/${clube.productId}/show?tab=events` },
  'webhook-test': { path: '/webhooks/test', act: sendTest },
  jobs: { path: '/jobs' },
  job: { path: jobPath },
  'identity-providers': { path: '/identity-providers' },
  'identity-provider': { path: '/identity-providers/google/show' },
  'identity-provider-create': { path: '/identity-providers/create' },
  appearance: { path: '/appearance' },
  'product-appearance': { path: async ({ clube }) => `/products/${clube.productId}/appearance` },
  'described-clients': { path: '/described-clients' },
  'signing-keys': { path: '/signing-keys' },
  administrators: { path: '/administrators' },
  'administrator-create': { path: '/administrators/create' },
  tokens: { path: '/tokens' },
  'token-create': { path: '/tokens/create' },
  audit: { path: '/audit' },
  'audit-entry': { path: auditPath },
}

async function openPalette(page: Page): Promise<void> {
  await page.keyboard.press('ControlOrMeta+k')
  await page.getByRole('combobox').and(page.locator(':focus')).waitFor()
}

export async function userPath({ service }: ShownShop, email = REGULAR): Promise<string> {
  return `/users/${await idOf(service.context.storage.db.selectFrom('users').select('id').where('email', '=', email))}/show`
}

export async function planPath({ service }: ShownShop): Promise<string> {
  return `/plans/${await idOf(service.context.storage.db.selectFrom('plans').select('id').where('slug', '=', 'clube-anual'))}`
}

export async function subscriptionPath({ service }: ShownShop, email: string): Promise<string> {
  const { db } = service.context.storage
  return `/subscriptions/${await idOf(db.selectFrom('subscriptions').select('id').where('email', '=', email))}/show`
}

export async function notificationPath({ service }: ShownShop, status: string, event?: string): Promise<string> {
  let query = service.context.storage.db
    .selectFrom('notifications')
    .select('id')
    .where('status', '=', status)
    .orderBy('id', 'desc')
    .limit(1)
  if (event !== undefined) query = query.where('event', '=', event)
  return `/notifications/${await idOf(query)}/show`
}

async function endpointPath({ service }: ShownShop): Promise<string> {
  return `/endpoints/${await idOf(service.context.storage.db.selectFrom('event_endpoints').select('id'))}/show`
}

/** The event that has not arrived. */
async function eventPath({ service }: ShownShop): Promise<string> {
  const { db } = service.context.storage
  return `/events/${await idOf(db.selectFrom('app_events').select('id').orderBy('id', 'desc'))}/show`
}

export async function eventsOfRadio({ service }: ShownShop): Promise<string> {
  return `/products/${await idOf(service.context.storage.db.selectFrom('products').select('id').where('slug', '=', 'radio'))}/show?tab=events`
}

async function jobPath({ service }: ShownShop): Promise<string> {
  return `/jobs/${await idOf(service.context.storage.db.selectFrom('outbox').select('id').where('dead_at', 'is not', null))}/show`
}

async function auditPath({ service }: ShownShop): Promise<string> {
  const { db } = service.context.storage
  return `/audit/${await idOf(db.selectFrom('audit').select('id').where('action', '=', 'user.change').where('reason', 'is not', null))}/show`
}

async function idOf(query: { executeTakeFirst(): Promise<{ id: string } | undefined> }): Promise<string> {
  return (await query.executeTakeFirst())?.id ?? assert.fail('what is to be shown is not there')
}

export async function openDialog(page: Page, button: string): Promise<void> {
  await page.getByRole('main').getByRole('button', { name: button, exact: true }).first().click()
  await page.getByRole('dialog').waitFor()
}

/** A plan of the operator, which may be good for one product alone. */
async function grant(page: Page): Promise<void> {
  await openDialog(page, 'Conceder acesso')
  await page.getByRole('dialog').getByLabel('Plano').click()
  await page.getByRole('option', { name: 'Easy Pro', exact: true }).click()
  await page.getByRole('dialog').getByLabel('Produto').waitFor()
}

/** The wizard up to the lines that an app needs. */
async function connect(page: Page): Promise<void> {
  const name = page.getByLabel('Nome', { exact: true }).or(page.getByLabel('Nome *', { exact: true }))
  await name.fill(`Café & Prosa ${(await page.evaluate('innerWidth')) === 390 ? 'Móvel' : ''}`.trim())
  await page.getByRole('button', { name: 'Continuar' }).click()
  await page.getByLabel('Endereço de retorno').fill('https://cafe.exemplo.com.br/auth/callback')
  await page.getByText('Este endereço pode ser registrado.').waitFor()
}

async function sendTest(page: Page): Promise<void> {
  await page.locator('main button[type=submit]').last().click()
  await page.getByText('{"received":true}').waitFor()
}
