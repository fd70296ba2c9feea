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

const isSplash = ({ pathname }: URL) => pathname === '/auth/welcome'

/** Goes on from the splash by its link, or as it does by itself after four seconds, which on a busy machine may come first. */
export async function passSplash(tab: Page, labels = texts['pt-BR']): Promise<void> {
  await tab.waitForURL(isSplash, { waitUntil: 'commit' })
  const link = tab.getByRole('link', { name: labels.welcome.continue })
  // The splash may be passed before the link is found. That the link works is shown by `sign-in.test.ts`.
  const pressed = link.click({ timeout: 5_000 }).catch(() => {})
  await tab.waitForURL((url) => !isSplash(url), { waitUntil: 'commit' })
  await pressed
}

/**
 * From now on the splash stays in this tab until its link is pressed, for a test that looks at it. `release` shows it again as it is, and
 * answers after how many seconds it goes on by itself.
 */
export function holdSplash(tab: Page): Promise<Held> {
  const hold = held.get(tab) ?? holdAnew(tab)
  held.set(tab, hold)
  return hold
}

/** A tab whose splash stays. */
interface Held {
  release(): Promise<number>
}

/** A tab is held once, however many pages are looked at in it. */
const held = new WeakMap<Page, Promise<Held>>()

async function holdAnew(tab: Page): Promise<Held> {
  const devtools = await tab.context().newCDPSession(tab)
  // A route of Playwright does not see what a redirect leads to.
  devtools.on('Fetch.requestPaused', ({ requestId, responseStatusCode = 200, responseHeaders = [] }) => {
    const kept = responseHeaders.filter(({ name }) => name.toLowerCase() !== 'refresh')
    // The tab may be closed by then.
    devtools.send('Fetch.continueResponse', { requestId, responseCode: responseStatusCode, responseHeaders: kept }).catch(() => {})
  })
  await devtools.send('Fetch.enable', { patterns: [{ urlPattern: '*/auth/welcome*', requestStage: 'Response' }] })
  return {
    async release() {
      held.delete(tab)
      await devtools.detach()
      const answer = await tab.reload({ waitUntil: 'commit' })
      return Number.parseFloat(answer?.headers().refresh ?? '')
    },
  }
}
