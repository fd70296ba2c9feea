import type { Page } from 'playwright-core'
import { openDialog, userPath } from '../console-pages.ts'
import type { ConsoleStates } from './state.ts'

/** The pages of users, sessions, administrators and tokens. */
export const userStates: ConsoleStates = {
  'a filter of choices, open': { path: '/users', act: (page) => openFilter(page, 'Conta', 'menu') },
  'a filter of days, open': { path: '/users', act: (page) => openFilter(page, 'Criada desde', 'dialog') },
  'a list whose filters find nothing': { path: usersNamed('ninguem'), act: (page) => page.getByText('Nada encontrado').waitFor() },
  'the views of a list': { path: '/users', act: (page) => openViews(page) },
  'a view to be saved': { path: usersNamed('Beatriz'), act: saveView },
  'a user with nothing bought': { path: (shop) => userPath(shop, 'otto.carneiro@exemplo.com.br') },
  'a user to be deleted': { path: userPath, act: (page) => openDialog(page, 'Excluir pessoa') },
  'a user to act for': { path: userPath, act: (page) => openDialog(page, 'Agir em nome da pessoa') },
  'a form with a fault beside its field': { path: '/users/create', act: sendEmptyForm },
  'a token that is shown once': { path: '/tokens/create', act: createToken },
  'a user, for support': { path: userPath, role: 'support' },
  'a user, masked for a viewer': { path: userPath, role: 'viewer' },
  'users, masked for a viewer': { path: '/users', role: 'viewer' },
  'refused sign-ins, masked for a viewer': { path: '/failed-sign-ins', role: 'viewer' },
  'a page that a viewer may not see': { path: '/tokens', role: 'viewer' },
  'a CPF that a viewer searched for': { path: '/search?q=529.982.247-25', role: 'viewer' },
}

function usersNamed(q: string): string {
  return `/users?${new URLSearchParams({ filter: JSON.stringify({ q }) })}`
}

async function openFilter(page: Page, chip: string, kind: 'menu' | 'dialog'): Promise<void> {
  await page.getByRole('group', { name: 'Filtros' }).getByRole('button', { name: chip }).click()
  await page.getByRole(kind).waitFor()
}

async function openViews(page: Page): Promise<void> {
  await page.getByRole('group', { name: 'Filtros' }).getByRole('button', { name: 'Visualizações' }).click()
  await page.getByRole('menu').waitFor()
}

async function saveView(page: Page): Promise<void> {
  await openViews(page)
  await page.getByRole('menuitem', { name: 'Salvar esta visualização…' }).click()
  await page.getByRole('dialog').waitFor()
}

async function sendEmptyForm(page: Page): Promise<void> {
  await page.getByRole('main').getByRole('button', { name: 'Criar', exact: true }).click()
  await page.getByText('Preencha este campo').first().waitFor()
}

async function createToken(page: Page): Promise<void> {
  await page.getByRole('textbox', { name: 'Nome' }).fill('Relatório')
  await page.getByRole('main').getByRole('button', { name: 'Criar', exact: true }).click()
  await page.getByText('Token novo').waitFor()
}
