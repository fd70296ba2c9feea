// Layout shifts of pages of the console while they load (https://web.dev/articles/cls). Each answer of the API is delayed, as by a network.
import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { setTimeout as pause } from 'node:timers/promises'
import type { Page } from 'playwright-core'
import { WEBHOOKS } from '../../../server/test/support/gateways/purchases.ts'
import { type ConsoleHarness, startConsoleHarness } from '../console-harness.ts'
import { consolePages, type ShownShop } from '../console-pages.ts'
import { fillSmallShop } from '../console-shop.ts'

/** The largest sum of layout shifts that counts as good. */
const MOST = 0.1
const ANSWER_MS = 120
const SHOWN = ['home', 'users', 'user', 'subscription', 'webhooks', 'webhook', 'product', 'sessions', 'search']
const OBSERVER = `window.shifts = []
new PerformanceObserver((list) => {
  for (const { value, hadRecentInput, sources } of list.getEntries())
    if (!hadRecentInput) window.shifts.push({ value, by: sources.map(({ node }) => (node?.outerHTML ?? '').slice(0, 120)) })
}).observe({ type: 'layout-shift', buffered: true })`

describe('A page of the console that fills', () => {
  let harness: ConsoleHarness
  let shop: ShownShop
  before(async () => {
    harness = await startConsoleHarness({ ...WEBHOOKS, PORTARIA_SMTP_URL: 'smtp://127.0.0.1:1' })
    shop = { service: harness.service, clube: await fillSmallShop(harness.service) }
  })
  after(async () => {
    shop.clube.close()
    await harness.close()
  })

  it('moves nothing that is there already', async () => {
    const page = await harness.administrator('owner')
    await page.addInitScript({ content: OBSERVER })
    await page.route('**/api/admin/**', async (route) => {
      await pause(ANSWER_MS)
      await route.continue()
    })
    const moved: string[] = []
    assert.ok((await shiftsOf(page, 'users', 'document.body.style.paddingTop = "300px"')).total > MOST, 'a shift is not seen')
    for (const name of SHOWN) {
      const sum = await shiftsOf(page, name)
      if (sum.total > MOST) moved.push(`${name}: ${sum.total.toFixed(3)}, ${sum.worst}`)
    }
    assert.deepEqual(moved, [])
  })

  async function shiftsOf(page: Page, name: string, act?: string): Promise<{ total: number; worst: string }> {
    const { path } = consolePages[name] ?? assert.fail(name)
    harness.service.clock.now += 60_000
    await page.goto(`${harness.service.url}/admin${typeof path === 'string' ? path : await path(shop)}`)
    await page.getByRole('heading', { level: 1 }).waitFor()
    await page.waitForLoadState('networkidle')
    await page.getByRole('progressbar').first().waitFor({ state: 'detached' })
    if (act !== undefined) await page.evaluate(`${act}; new Promise((resolve) => setTimeout(resolve, 500))`)
    return page.evaluate(`(() => {
      const worst = window.shifts.toSorted((a, b) => b.value - a.value)[0]
      return { total: window.shifts.reduce((sum, { value }) => sum + value, 0), worst: JSON.stringify(worst ?? '') }
    })()`)
  }
})
