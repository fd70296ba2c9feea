import type { Page } from 'playwright-core'
import { eventsOfRadio } from '../console-pages.ts'
import type { ConsoleStates } from './state.ts'

/** The pages of endpoints, providers, keys, jobs and the audit log. */
export const operationStates: ConsoleStates = {
  'endpoints, of which a product has none': { path: eventsOfRadio },
  'an endpoint’s secret that is shown once': { path: '/endpoints/create', act: createEndpoint },
  'the form of Apple': { path: '/identity-providers/create?preset=apple' },
  'an administrator to be edited': { path: '/administrators', act: openFirst },
}

async function createEndpoint(page: Page): Promise<void> {
  await page.getByRole('textbox', { name: /^Endereço( \*)?$/ }).fill('https://sistema.example/eventos')
  await page.getByRole('checkbox', { name: 'access.granted' }).check()
  await page.getByRole('main').getByRole('button', { name: 'Criar', exact: true }).click()
  await page.getByText('Segredo do endereço').first().waitFor()
}

async function openFirst(page: Page): Promise<void> {
  await page.locator('[data-row-link]').first().click()
  await page.getByRole('heading', { level: 1, name: 'Administradores' }).waitFor({ state: 'detached' })
}
