import assert from 'node:assert/strict'
import { after, afterEach, before, describe, it } from 'node:test'
import type { Page } from 'playwright-core'
import type { Language } from '../../server/src/pages/index.ts'
import { texts } from '../../server/src/pages/texts.ts'
import { lookAt } from '../harness/axe.ts'
import { type Harness, startHarness } from '../harness/harness.ts'
import { leadTo, openTab, pages } from './pages.ts'
import { passkeyPages } from './passkey-pages.ts'

const MAX_BYTES = 30 * 1024

/** Describes the tests of every page in one language; a file for each of them, so that they share the time. */
export function describePages(language: Language): void {
  describe(`Every page in ${language}`, () => {
    let harness: Harness
    // One tab for many pages, since starting each takes a browser half of the time. After a failure, or with a virtual device, the next
    // page gets a new tab.
    let spare: Page | undefined
    before(async () => {
      harness = await startHarness(undefined, { PORTARIA_EXPERIMENTS: 'cimd' })
      await harness.service.user('ana@exemplo.com.br')
    })
    after(() => harness.close())
    afterEach(() => assert.deepEqual(harness.complaints.splice(0), []))

    for (const name of Object.keys(pages)) {
      it(`is open to all, light and dark, fits a phone and weighs 30 KB at most: ${name}`, async () => {
        const tab = spare ?? (await openTab(harness, language))
        spare = undefined
        await leadTo(name, { tab, harness, labels: texts[language] })
        assert.equal(await tab.locator('html').getAttribute('lang'), language)
        assert.ok((await weigh(tab)) <= MAX_BYTES)
        if (language === 'pt-BR') await assertAccessible(tab)
        else await assertAccessibleInLight(tab)
        await assertFitsPhone(tab)
        if (name in passkeyPages) await tab.context().close()
        else spare = await forget(tab)
      })
    }
  })
}

/** Makes a tab that of somebody who was never here: the pages of the sign-in keep nothing in a browser but cookies. */
async function forget(tab: Page): Promise<Page> {
  await tab.context().clearCookies()
  await tab.setViewportSize({ width: 1280, height: 720 })
  await tab.emulateMedia({ colorScheme: null, reducedMotion: null })
  return tab
}

/** All of axe's rules in the light scheme; in the dark one those about colours. */
export async function assertAccessible(tab: Page): Promise<void> {
  await assertAccessibleIn(tab, 'light', 'everything')
  await assertAccessibleIn(tab, 'dark', 'colours')
}

/** The dark scheme is looked at in one language: colours are the same in all, as no style knows of languages. */
async function assertAccessibleInLight(tab: Page): Promise<void> {
  const rules = await tab.evaluate<string[]>(
    '[...document.styleSheets].flatMap(({ cssRules }) => [...cssRules]).map(({ cssText }) => cssText)',
  )
  assert.deepEqual(
    rules.filter((rule) => /:lang\(|\[lang/.test(rule)),
    [],
  )
  await assertAccessibleIn(tab, 'light', 'everything')
}

async function assertAccessibleIn(tab: Page, scheme: 'light' | 'dark', rules: Parameters<typeof lookAt>[1]): Promise<void> {
  await tab.emulateMedia({ colorScheme: scheme, reducedMotion: 'reduce' })
  const { faults, sawText } = await lookAt(tab, rules)
  assert.deepEqual(
    faults.map((fault) => `${scheme}: ${fault}`),
    [],
  )
  assert.ok(sawText, 'axe looked at no text')
}

/** Bytes of the page and all that it loads, as transferred to someone who was never here: what came from the cache counts by its size. */
async function weigh(tab: Page): Promise<number> {
  const loaded = await tab.evaluate<{ name: string; bytes: number }[]>(
    `performance.getEntries().filter((entry) => entry instanceof PerformanceResourceTiming)
      .map((entry) => ({ name: entry.name, bytes: Math.max(entry.transferSize, entry.encodedBodySize) }))`,
  )
  assert.ok(
    loaded.some(({ name, bytes }) => name.endsWith('.css') && bytes > 0),
    'the page has no style',
  )
  return loaded.reduce((sum, { bytes }) => sum + bytes, 0)
}

/** Nothing wider than the narrowest phone, and nothing to press that is smaller than a fingertip; the links of an alert's list excepted. */
export async function assertFitsPhone(tab: Page): Promise<void> {
  await tab.setViewportSize({ width: 320, height: 640 })
  assert.equal(await tab.evaluate<number>('document.documentElement.scrollWidth'), 320)
  const small = await tab
    .locator('a:not([role=alert] a), button, input:not([type=hidden], [type=checkbox], [type=radio], [hidden]), label:has(input)')
    .evaluateAll((elements) =>
      elements.filter((element) => element.getBoundingClientRect().height < 44).map((element) => element.outerHTML),
    )
  assert.deepEqual(small, [])
}
