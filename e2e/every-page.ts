import assert from 'node:assert/strict'
import { after, afterEach, before, describe, it } from 'node:test'
import { AxeBuilder } from '@axe-core/playwright'
import type { Page } from 'playwright-core'
import type { Language } from '../server/src/http/index.ts'
import { texts } from '../server/src/sign-in/texts.ts'
import { openPage, pages } from './pages.ts'
import { type Stage, setStage } from './stage.ts'

const MOST_BYTES = 30 * 1024

type AxeResults = Awaited<ReturnType<AxeBuilder['analyze']>>

/** Describes the tests of every page in one language; a file for each of them, so that they share the time. */
export function describePages(language: Language): void {
  describe(`Every page in ${language}`, () => {
    let stage: Stage
    before(async () => {
      stage = await setStage()
      await stage.service.user('ana@exemplo.com.br')
    })
    after(() => stage.close())
    afterEach(() => assert.deepEqual(stage.complaints.splice(0), []))

    for (const name of Object.keys(pages)) {
      it(`is open to all, light and dark, fits a phone and weighs 30 KB at most: ${name}`, async () => {
        const tab = await openPage(name, stage, language, texts[language])
        assert.equal(await tab.locator('html').getAttribute('lang'), language)
        assert.ok((await weigh(tab)) <= MOST_BYTES)
        await assertAccessible(tab)
        await assertFitsPhone(tab)
        await tab.context().close()
      })
    }
  })
}

/** What a scheme changes, and nothing else does. */
const aboutColours = JSON.stringify({ runOnly: { type: 'rule', values: ['color-contrast', 'link-in-text-block'] } })

/** All of axe's rules in the light scheme; in the dark one those about colours, by the axe that the first look has left in the page: it is large. */
export async function assertAccessible(tab: Page): Promise<void> {
  const look = {
    // Legacy mode only means that frames of other origins are not entered: there are none.
    light: () => new AxeBuilder({ page: tab }).setLegacyMode().analyze(),
    dark: () => tab.evaluate<AxeResults>(`axe.run(${aboutColours})`),
  }
  for (const scheme of ['light', 'dark'] as const) {
    await tab.emulateMedia({ colorScheme: scheme, reducedMotion: 'reduce' })
    const { violations, passes } = await look[scheme]()
    const found = violations.map(({ id, nodes }) => `${scheme}: ${id}: ${nodes.map((node) => node.html).join(' ')}`)
    assert.deepEqual(found, [])
    assert.ok(
      passes.some(({ id }) => id === 'color-contrast'),
      'axe looked at no text',
    )
  }
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
