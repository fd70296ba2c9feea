// The states that a page of the console can be in, each by its name, and what axe says of them in light and in dark. What a journey comes
// through besides is looked at there.
import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import type { Page } from 'playwright-core'
import type { Role } from '../../server/src/admin/index.ts'
import { WEBHOOKS } from '../../server/test/support/gateways/purchases.ts'
import { until } from '../../server/test/support/until.ts'
import { lookAt } from '../harness/axe.ts'
import { type ConsoleHarness, pushAddress, startConsoleHarness } from './console-harness.ts'
import { consolePages, type ShownShop } from './console-pages.ts'
import { fillSmallShop } from './console-shop.ts'
import { NOW } from './scheduled-event.ts'
import { frameStates } from './states/frame-states.ts'
import { operationStates } from './states/operation-states.ts'
import { saleStates } from './states/sale-states.ts'
import type { ConsoleState } from './states/state.ts'
import { userStates } from './states/user-states.ts'

const LEAST = 60
const LOST = '/admin/nowhere'
const states: Readonly<Record<string, ConsoleState>> = {
  ...consolePages,
  ...frameStates,
  ...userStates,
  ...saleStates,
  ...operationStates,
}

describe('The states of the console’s pages', () => {
  let harness: ConsoleHarness
  let shop: ShownShop
  const tabs = new Map<Role, Page>()
  const judged = new Set<string>()
  before(async () => {
    harness = await startConsoleHarness({ ...WEBHOOKS, PORTARIA_SMTP_URL: 'smtp://127.0.0.1:1' })
    shop = { service: harness.service, clube: await fillSmallShop(harness.service) }
    for (const role of ['owner', 'support', 'viewer'] as const) tabs.set(role, await harness.administrator(role))
    for (const tab of tabs.values()) await tab.clock.setFixedTime(NOW)
  })
  after(async () => {
    shop.clube.close()
    await harness.close()
  })

  for (const [name, state] of Object.entries(states)) {
    it(`${name}: nothing that axe finds, light or dark`, async () => {
      const page = tabs.get(state.role ?? 'owner') ?? assert.fail('nobody has this role')
      await show(page, state)
      const looks = []
      for (const [colorScheme, rules] of [
        ['light', 'everything'],
        ['dark', 'colours'],
      ] as const) {
        await paint(page, colorScheme)
        looks.push(await lookAt(page, rules))
      }
      assert.deepEqual(
        looks.map(({ faults, sawText }) => ({ faults, sawText })),
        looks.map(() => ({ faults: [], sawText: true })),
      )
      assert.match(await page.title(), /\S · Portaria$/)
      const [width, screen] = await page.evaluate<[number, number]>('[document.documentElement.scrollWidth, innerWidth]')
      assert.ok(width <= screen, `${width} of ${screen}`)
      judged.add(name)
    })
  }

  it(`are ${Object.keys(states).length}, of which none was left out`, () => {
    assert.deepEqual([...judged], Object.keys(states))
    assert.ok(judged.size >= LEAST, `${judged.size} of ${LEAST}`)
  })

  const faked = new Set<Page>()

  /** The page of before makes room first, so that its heading is not taken for that of this one. */
  async function show(page: Page, { path, act, isFaked, isWaiting }: ConsoleState): Promise<void> {
    const address = `/admin${typeof path === 'string' ? path : await path(shop)}`
    // Calls are limited by the minute, and recent authentications to ten.
    harness.service.clock.now += 4_000
    await paint(page, 'light')
    await makeRoom(page)
    await pushAddress(page, address)
    const heading = page.getByRole('heading', { level: 1 })
    if (address !== LOST) await heading.filter({ hasNotText: 'Página não encontrada' }).waitFor()
    const untilStill = () => page.getByRole('progressbar').first().waitFor({ state: 'detached' })
    await untilStill()
    if (isFaked) faked.add(page)
    await act?.(page, shop)
    if (!isWaiting) await untilStill()
  }

  /** Until the page has the colours of the scheme. They fade in, which `lookAt` waits for. */
  async function paint(page: Page, colorScheme: 'light' | 'dark'): Promise<void> {
    await page.emulateMedia({ colorScheme })
    const brightness = () => page.evaluate<number>('Number(/\\d+/.exec(getComputedStyle(document.body).backgroundColor))')
    await until(async () => (await brightness()) > 127 === (colorScheme === 'light'))
  }

  /** Closes what is open above the page, and leaves the page. What was faked is forgotten with all of it. */
  async function makeRoom(page: Page): Promise<void> {
    if (faked.delete(page)) {
      await page.unrouteAll()
      await page.goto(`${harness.service.url}${LOST}`)
    } else {
      const above = page.getByRole('dialog').or(page.getByRole('menu'))
      for (let open = await above.count(); open > 0; open = await above.count()) {
        await page.keyboard.press('Escape')
        await above.nth(open - 1).waitFor({ state: 'detached' })
      }
      await page.evaluate('document.activeElement?.blur()')
      await page.mouse.move(0, 0)
      await page.getByRole('tooltip').waitFor({ state: 'detached' })
      await pushAddress(page, LOST)
    }
    await page.getByRole('heading', { level: 1, name: 'Página não encontrada' }).waitFor()
  }
})
