import assert from 'node:assert/strict'
import { existsSync, mkdtempSync, rmSync } from 'node:fs'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import type { BrowserContextOptions, Locator, Page } from 'playwright-core'
import type { Role } from '../../server/src/admin/index.ts'
import type { Language } from '../../server/src/pages/index.ts'
import { memoryFolder } from '../../server/test/support/memory-folder.ts'
import { cheapPasswords, PASSWORD, startService, type TestService } from '../../server/test/support/service.ts'
import { until } from '../../server/test/support/until.ts'
import { giveRole } from '../../server/test/support/users/admins.ts'
import { lookAt } from '../harness/axe.ts'
import { openBrowser } from '../harness/browser.ts'
import { newVisitor } from '../harness/harness.ts'
import { keepTabs } from '../harness/tabs.ts'

/** The built console in front of the real service, and a browser. */
export interface ConsoleHarness {
  service: TestService
  /** Somebody with a role, who has just signed in, though not by a form in this tab, and sees the console's first page. */
  administrator(role: Role, options?: { email?: string; context?: BrowserContextOptions; language?: Language }): Promise<Page>
  /** A tab of somebody who was never here. */
  visitor(options?: BrowserContextOptions): Promise<Page>
  /** Gives back a tab of `administrator` or `visitor`, for the next one to use. */
  leave(page: Page): Promise<void>
  /** The messages of the browsers' consoles, without refusals: the pages show those. */
  complaints: string[]
  close(): Promise<void>
}

/** Starts it all; `environment` is what an operator would set. The caller closes it. */
export async function startConsoleHarness(environment: Record<string, string> = {}): Promise<ConsoleHarness> {
  assertConsoleBuilt()
  const folder = mkdtempSync(path.join(memoryFolder(), 'portaria-console-'))
  const database = { url: `sqlite:${path.join(folder, 'portaria.db')}` }
  const service = await startService(database, { environment, stops: 'by_caller', passwords: cheapPasswords })
  const browser = await openBrowser()
  const said: string[] = []
  const tabs = keepTabs((options) => newVisitor(browser, options, said))
  return {
    service,
    visitor: tabs.take,
    leave: tabs.leave,
    get complaints() {
      return said.filter((line) => !/Failed to load resource: the server responded with a status of 4\d\d/.test(line))
    },
    async administrator(role, { email = `${role}@example.com`, context = {}, language = 'pt-BR' } = {}) {
      await service.user(email, { name: `Dona ${role}` })
      await giveRole(service, email, role)
      const page = await tabs.take({ ...context, locale: language })
      const browser = service.browser({ 'user-agent': await page.evaluate<string>('navigator.userAgent') })
      assert.equal((await browser.signIn('/login', { email, password: PASSWORD })).status, 302)
      await page.context().addCookies([...browser.cookies].map(([name, value]) => ({ name, value, url: service.url })))
      await page.goto(`${service.url}/admin`)
      await page.getByRole('heading', { level: 1 }).waitFor()
      return page
    },
    async close() {
      await browser.close()
      await service.stop()
      rmSync(folder, { recursive: true, force: true })
    },
  }
}

/**
 * Goes to a page of the console as its own links do, without loading it all again; as an address does where another page is open. The
 * heading changes at last: callers name no page whose heading is that of the page before.
 */
export async function showPage(page: Page, address: string): Promise<void> {
  const title = page.getByRole('heading', { level: 1 })
  const { origin, pathname, search } = new URL(address)
  const isOpen = page.url().startsWith(`${origin}/admin`) && (await title.count()) === 1
  if (!isOpen) return void (await page.goto(address))
  const before = await title.textContent()
  await pushAddress(page, pathname + search)
  await until(() =>
    page.evaluate<boolean>(`![null, '', ${JSON.stringify(before)}].includes(document.querySelector('h1')?.textContent ?? null)`),
  )
}

/** Goes to an address of the console within the page that is open, so that what its lists remember stays. */
export async function pushAddress(page: Page, address: string): Promise<void> {
  // The router counts its pages, and knows by the number that this one is its own.
  await page.evaluate(`(() => {
    const state = { usr: null, key: String(Math.random()), idx: (history.state?.idx ?? 0) + 1 }
    history.pushState(state, '', ${JSON.stringify(address)})
    dispatchEvent(new PopStateEvent('popstate', { state }))
  })()`)
}

/** Chooses a value of a list's filter, and waits until the chip's menu is gone: an open one hides the page from those who go by roles. */
export async function chooseFilter(page: Page, chip: string, value: string): Promise<void> {
  await page.getByRole('group', { name: 'Filtros' }).getByRole('button', { name: chip }).click()
  await page.getByRole('menuitemradio', { name: value, exact: true }).click()
  await page.getByRole('menu').waitFor({ state: 'detached' })
}

/**
 * Agrees to an action in its dialog, and waits until the dialog is gone, also where a recent authentication is asked for in between. As
 * long as a dialog is open, nothing of the page behind it can be found by role.
 */
export async function agreeTo(page: Page, action: string): Promise<void> {
  const dialog = page.getByRole('dialog', { name: action, includeHidden: true })
  await dialog.getByRole('button', { name: action, exact: true }).click()
  await dialog.waitFor({ state: 'detached' })
}

/** Throws where no console is built. Otherwise every test would wait in vain for a page. */
export function assertConsoleBuilt(): void {
  const page = fileURLToPath(new URL('../../console/dist/index.html', import.meta.url))
  assert.ok(existsSync(page), 'the console is not built: npm run build')
}

/**
 * Without a fault that axe finds by all its rules, or by those named; no wider than the screen, and nothing cut off at the edge of a card.
 */
export async function assertFits(page: Page, rules?: Parameters<typeof lookAt>[1]): Promise<void> {
  await page.getByRole('progressbar').first().waitFor({ state: 'detached' })
  assert.deepEqual((await lookAt(page, rules)).faults, [])
  const [width, screen] = await page.evaluate<[number, number]>('[document.documentElement.scrollWidth, innerWidth]')
  assert.ok(width <= screen, `${width} of ${screen}`)
  const cards = page.locator('main .MuiCard-root')
  assert.deepEqual(
    await cards.evaluateAll((all) => all.filter((card) => card.scrollWidth > card.clientWidth).map((card) => card.textContent)),
    [],
  )
}

/** More stops than any page has before its end. */
const MAX_STOPS = 80

/** Tab until the focus is there. */
export async function tabTo(page: Page, target: Locator): Promise<void> {
  await target.waitFor()
  for (let i = 0; i < MAX_STOPS; i++) {
    await page.keyboard.press('Tab')
    if ((await target.and(page.locator(':focus')).count()) > 0) return
  }
  assert.fail('there is no way there by keyboard')
}
