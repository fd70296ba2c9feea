import type { Page } from 'playwright-core'
import { until } from '../../../server/test/support/until.ts'
import { type ConsoleStates, failing, hanging } from './state.ts'

const main = (page: Page) => page.getByRole('main')

/** States of the frame around every page, and those that any page can be in: loading, failed, empty, broken, signed out. */
export const frameStates: ConsoleStates = {
  'the menu of the account': { path: '/', act: (page) => openMenu(page, 'Sua conta') },
  'a key that waits for a second one': { path: '/audit', act: waitForKey, isFaked: true },
  'the palette with records': { path: '/', act: (page) => typeInPalette(page, 'beatriz') },
  'the palette that finds nothing': { path: '/', act: (page) => typeInPalette(page, 'nada que exista') },
  'a search that finds nothing': {
    path: '/search?q=nada%20que%20exista',
    act: (page) => page.getByText(/^Busque por e-mail, nome/).waitFor(),
  },
  'a search that failed': { path: '/search?q=falha', act: (page) => again(page, failing('**/api/admin/search*')), isFaked: true },
  'home while its figures come': { path: '/?month=2026-09', act: waitsFor('**/api/admin/reports/**'), isFaked: true, isWaiting: true },
  'home whose figures failed': { path: '/?month=2026-08', act: (page) => again(page, failing('**/api/admin/reports/**')), isFaked: true },
  'home with its days in a table': { path: '/', act: (page) => page.getByText('Ver os números de cada dia em tabela').click() },
  'the dialog of the time zone': {
    path: '/',
    act: async (page) => {
      await main(page).getByRole('button', { name: 'Mudar o fuso horário' }).click()
      await page.getByRole('dialog').waitFor()
    },
  },
  'home of a new installation': { path: '/?month=2026-07', act: (page) => again(page, withoutProducts), isFaked: true },
  'a list while its rows come': { path: '/audit', act: waitsFor('**/api/admin/audit*'), isFaked: true, isWaiting: true },
  'a list that failed': { path: '/audit', act: (page) => again(page, failing('**/api/admin/audit*')), isFaked: true },
  'a record while it comes': { path: '/plans/none', act: waitsFor('**/api/admin/plans/none'), isFaked: true, isWaiting: true },
  'a record that is not there': { path: '/users/none/show' },
  'a page that broke': { path: '/audit', act: (page) => again(page, brokenList), isFaked: true },
  'a session that has ended': { path: '/plans', act: (page) => again(page, signedOut, 'dialog'), isFaked: true },
  'an account of no administrator': { path: '/plans', act: refusedAtTheDoor, isFaked: true },
}

async function openMenu(page: Page, name: string): Promise<void> {
  await page.getByRole('button', { name }).click()
  await page.getByRole('menu').waitFor()
}

/** The key waits for two seconds, and axe looks for longer: here it waits for as long as it is looked at. */
async function waitForKey(page: Page): Promise<void> {
  await page.evaluate('{ const real = setTimeout; window.setTimeout = (work, ms) => (ms === 2_000 ? 0 : real(work, ms)) }')
  await until(async () => {
    await page.keyboard.press('g')
    return page.getByRole('status').filter({ hasText: 'g: agora a letra da página' }).isVisible()
  })
}

async function typeInPalette(page: Page, text: string): Promise<void> {
  await page.keyboard.press('ControlOrMeta+k')
  await page.getByRole('combobox').and(page.locator(':focus')).waitFor()
  await page.keyboard.type(text)
  await (text === 'beatriz'
    ? page.getByRole('group', { name: 'Registros' }).waitFor()
    : page.getByRole('status').filter({ hasText: 'Nada encontrado' }).waitFor())
}

/** Loads the page anew after the service was made to answer otherwise. */
async function again(page: Page, otherwise: (page: Page) => Promise<unknown>, shows: 'alert' | 'dialog' | 'heading' = 'alert') {
  await otherwise(page)
  await page.reload()
  await page.getByRole(shows).first().waitFor()
}

function waitsFor(address: string): (page: Page) => Promise<void> {
  return async (page) => {
    await hanging(address)(page)
    await page.reload()
    await page.getByRole('progressbar').first().waitFor()
  }
}

async function withoutProducts(page: Page): Promise<void> {
  await page.route('**/api/admin/overview*', async (route) => {
    const answer = await route.fetch()
    await route.fulfill({ response: answer, json: { ...(await answer.json()), products: 0, alerts: [] } })
  })
}

function brokenList(page: Page): Promise<unknown> {
  return page.route('**/api/admin/audit*', (route) => route.fulfill({ json: { data: [{ id: 'e1' }, null], next_cursor: null } }))
}

function signedOut(page: Page): Promise<unknown> {
  return page.route('**/api/admin/plans*', (route) => route.fulfill({ status: 401, json: { error: 'nao autenticado' } }))
}

async function refusedAtTheDoor(page: Page): Promise<void> {
  await page.route('**/api/admin/me', (route) => route.fulfill({ status: 403, json: { error: 'nao permitido' } }))
  await page.reload()
  await page.getByRole('heading', { name: 'Esta conta não é de administrador' }).waitFor()
}
