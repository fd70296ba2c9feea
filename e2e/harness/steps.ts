import type { Page } from 'playwright-core'
import { type Texts, texts } from '../../server/src/pages/texts.ts'
import { PASSWORD } from '../../server/test/support/service.ts'

/** Fills the sign-in form and sends it, in the language of `labels`; Portuguese where nothing is said. */
export async function signIn(
  tab: Page,
  email: string,
  { password = PASSWORD, labels = texts['pt-BR'] }: { password?: string; labels?: Texts } = {},
): Promise<void> {
  await tab.getByLabel(labels.login.email, { exact: true }).fill(email)
  await tab.getByLabel(labels.login.password, { exact: true }).fill(password)
  await tab.getByRole('button', { name: labels.login.submit, exact: true }).click()
}

/** Waits until an example app is at its clean address and shows this fact of the user: a name, or any other value in full. */
export async function isKnown(tab: Page, app: string, fact: string): Promise<void> {
  await tab.waitForURL(`${app}/`)
  await tab
    .getByRole('definition')
    .filter({ hasText: new RegExp(`^${fact}$`) })
    .waitFor()
}

export function heading(tab: Page, name: string): Promise<void> {
  return tab.getByRole('heading', { name, exact: true }).waitFor()
}
