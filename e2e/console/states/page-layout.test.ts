// How pages of the console stand in windows of some widths; and layout shifts while they load (https://web.dev/articles/cls), where each
// answer of the API is delayed, as by a network.
import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { setTimeout as pause } from 'node:timers/promises'
import type { Page } from 'playwright-core'
import { WEBHOOKS } from '../../../server/test/support/gateways/purchases.ts'
import { until } from '../../../server/test/support/until.ts'
import { type ConsoleHarness, startConsoleHarness } from '../console-harness.ts'
import { consolePages, type ShownShop } from '../console-pages.ts'
import { fillSmallShop } from '../console-shop.ts'

/** The largest sum of layout shifts that counts as good. */
const MOST = 0.1
const ANSWER_MS = 120
/** A line of a heading and a button, between the edges of its card. */
const ONE_LINE_PX = 64
const SHOWN = ['home', 'users', 'user', 'subscription', 'transactions', 'webhooks', 'webhook', 'product', 'sessions', 'search']
const OBSERVER = `window.shifts = []
new PerformanceObserver((list) => {
  for (const { value, hadRecentInput, sources } of list.getEntries())
    if (!hadRecentInput) window.shifts.push({ value, by: sources.map(({ node }) => (node?.outerHTML ?? '').slice(0, 120)) })
}).observe({ type: 'layout-shift', buffered: true })`

describe('The layout of a page of the console', () => {
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

  it('moves nothing that is there already while the rest comes', async () => {
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

  it('shows users as a table on a tablet, also on one that is turned and back, and on a phone as blocks', async () => {
    const page = await harness.administrator('owner', { email: 'outra@example.com' })
    await page.setViewportSize({ width: 1024, height: 768 })
    await page.goto(`${harness.service.url}/admin/users`)
    await page.getByRole('row').nth(3).waitFor()
    for (const [width, isTable] of [
      [768, true],
      [390, false],
      [768, true],
    ] as const) {
      await page.setViewportSize({ width, height: 1024 })
      await (isTable ? page.getByRole('row').nth(3) : page.getByRole('list', { name: 'Pessoas' })).waitFor()
      await pause(300) // what was measured last is shown, or a little later on a busy machine
      await until(async () => (await page.getByRole('row').count()) > 0 === isTable)
      await until(async () => (await page.evaluate('document.documentElement.scrollWidth')) === width)
      if (!isTable) continue
      const cutOff = () => page.locator('.MuiTableContainer-root').evaluate((element) => element.scrollWidth - element.clientWidth)
      await until(async () => (await cutOff()) === 0)
    }
    await harness.leave(page)
  })

  it("has a user's profile, sign-in methods and actions beside the access from 1,200 px on, and below it under that", async () => {
    const page = await harness.administrator('owner', { email: 'terceira@example.com' })
    const { path } = consolePages.user ?? assert.fail()
    await page.goto(`${harness.service.url}/admin${typeof path === 'string' ? path : await path(shop)}`)
    const leftOf = async (name: string) => {
      const heading = page.getByRole('heading', { level: 2, name, exact: true })
      await heading.waitFor()
      return (await heading.boundingBox())?.x ?? assert.fail(name)
    }
    for (const [width, isBeside] of [
      [1_200, true],
      [1_199, false],
    ] as const) {
      await page.setViewportSize({ width, height: 900 })
      await pause(300)
      for (const name of ['Perfil', 'Formas de entrar', ...(isBeside ? ['Ações'] : [])])
        await until(async () => (await leftOf(name)) > (await leftOf('Acesso')) + 300 === isBeside)
    }
    await harness.leave(page)
  })

  it('gives a section that holds nothing one line', async () => {
    const page = await harness.administrator('owner', { email: 'quarta@example.com' })
    const { id } = await harness.service.user('recente@example.com')
    await page.setViewportSize({ width: 1_440, height: 900 })
    await page.goto(`${harness.service.url}/admin/users/${id}/show`)
    await page.getByRole('heading', { level: 2, name: 'Acesso', exact: true }).waitFor()
    await page.getByRole('progressbar').first().waitFor({ state: 'detached' })
    const empty = page.locator('section:has([data-empty-line])')
    await empty.nth(2).waitFor()
    const high: string[] = []
    for (const section of await empty.all()) {
      const { height } = (await section.boundingBox()) ?? assert.fail('not shown')
      if (height > ONE_LINE_PX) high.push(`${await section.innerText()}: ${height}`)
    }
    assert.deepEqual(high, [])
    await harness.leave(page)
  })

  async function shiftsOf(page: Page, name: string, act?: string): Promise<{ total: number; worst: string }> {
    const { path } = consolePages[name] ?? assert.fail(name)
    harness.service.clock.now += 60_000
    await page.goto(`${harness.service.url}/admin${typeof path === 'string' ? path : await path(shop)}`)
    await page.getByRole('heading', { level: 1 }).waitFor()
    await page.waitForLoadState('networkidle')
    await page.getByRole('progressbar').first().waitFor({ state: 'detached' })
    if (act !== undefined) {
      const before = await page.evaluate<number>('window.shifts.length')
      await page.evaluate(act)
      // Playwright's own wait asks again by `eval`, which the page's policy refuses.
      await until(async () => (await page.evaluate<number>('window.shifts.length')) > before)
    }
    return page.evaluate(`(() => {
      const worst = window.shifts.toSorted((a, b) => b.value - a.value)[0]
      return { total: window.shifts.reduce((sum, { value }) => sum + value, 0), worst: JSON.stringify(worst ?? '') }
    })()`)
  }
})
