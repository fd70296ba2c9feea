import assert from 'node:assert/strict'
import path from 'node:path'
import { after, afterEach, before, describe, it } from 'node:test'
import { isDeepStrictEqual } from 'node:util'
import type { Page } from 'playwright-core'
import { type Language, languages } from '../../server/src/pages/index.ts'
import { texts } from '../../server/src/pages/texts.ts'
import { lookAt } from '../harness/axe.ts'
import { type Harness, startHarness } from '../harness/harness.ts'
import { nameOperator, OPERATOR } from './page-fixture.ts'
import { leadTo, openTab } from './pages.ts'
import { passkeyPages } from './passkey-pages.ts'
import { setupPages } from './setup-pages.ts'

const MAX_BYTES = 30 * 1024

/** The language in which each page is opened; in the others it is asked for once more. */
const FIRST = 'pt-BR'
const others = languages.filter((language) => language !== FIRST)

/** Describes the tests of these pages in every language; several files share the pages, so that they share the time. */
export function describePages(title: string, names: readonly string[]): void {
  describe(title, () => {
    let harness: Harness
    // One tab for many pages, since starting each takes a browser half of the time. After a failure, or with a virtual device, the next
    // page gets a new tab.
    let spare: Page | undefined
    before(async () => {
      harness = await startHarness(undefined, { PORTARIA_EXPERIMENTS: 'cimd' })
      await harness.service.user('ana@exemplo.com.br')
      await nameOperator(harness.service)
    })
    after(() => harness.close())
    afterEach(() => assert.deepEqual(harness.complaints.splice(0), []))

    for (const name of names) {
      it(`are open to all, light and dark, fit a phone and weigh 30 KB at most in every language: ${name}`, async () => {
        const tab = spare ?? (await openTab(harness, FIRST))
        spare = undefined
        await leadTo(name, { tab, harness, labels: texts[FIRST] })
        await assertIsIn(tab, FIRST)
        if (!(name in setupPages)) await assertHasNoNameOfOurs(tab)
        await assertAccessible(tab)
        const shape = await shapeOf(tab)
        await assertFitsPhone(tab)
        const walks = name in passkeyPages ? others : await askAgain(tab, shape, !(name in setupPages))
        if (name in passkeyPages) await tab.context().close()
        else spare = await forget(tab)
        for (const language of walks) await walkIn(language, name)
      })
    }

    /** The whole way in a tab of its own, for a page that comes only once. */
    async function walkIn(language: Language, name: string): Promise<void> {
      const tab = await openTab(harness, language)
      await leadTo(name, { tab, harness, labels: texts[language] })
      await assertIsIn(tab, language)
      if (!(name in setupPages)) await assertHasNoNameOfOurs(tab)
      await assertAccessibleInLight(tab)
      await assertFitsPhone(tab)
      await tab.context().close()
    }
  })
}

/**
 * Asks for the page that a tab shows in each of the other languages, and answers those in which it is another one: a form that is sent a
 * second time may lead elsewhere. Where it is the same but for its words, nothing of it can be other than in the first language but what
 * words can change: not its colours.
 */
async function askAgain(tab: Page, shape: readonly string[], isNamed: boolean): Promise<Language[]> {
  const elsewhere: Language[] = []
  for (const language of others) {
    await tab.context().addCookies([{ name: 'portaria_lang', value: language, url: new URL('/', tab.url()).href }])
    await tab.reload()
    const isSame = (await tab.locator('html').getAttribute('lang')) === language && isDeepStrictEqual(await shapeOf(tab), shape)
    if (!isSame) elsewhere.push(language)
    else {
      await assertIsIn(tab, language)
      if (isNamed) await assertHasNoNameOfOurs(tab)
      await assertAccessibleIn(tab, 'light', 'labels')
      await assertFitsPhone(tab)
    }
  }
  return elsewhere
}

/** The elements of a page without its words, in any order: the switch of languages names the others. */
async function shapeOf(tab: Page): Promise<string[]> {
  return tab.evaluate<string[]>(`[...document.querySelectorAll('*')].map((element) => element.localName + [...element.attributes]
    .filter(({ name }) => ['id', 'class', 'role', 'type', 'name', 'for', 'open', 'hidden'].includes(name))
    .map(({ name, value }) => ' ' + name + '=' + value).sort().join('')).sort()`)
}

async function assertIsIn(tab: Page, language: Language): Promise<void> {
  assert.equal(await tab.locator('html').getAttribute('lang'), language)
  assert.ok((await weigh(tab)) <= MAX_BYTES)
}

/** The operator has a name, so users read no other one: not in the title, and not where only a screen reader finds it. */
async function assertHasNoNameOfOurs(tab: Page): Promise<void> {
  const said = await tab.evaluate<string[]>(`[document.title, document.body.textContent, ...[...document.querySelectorAll('*')].flatMap(
    (element) => ['alt', 'title', 'aria-label', 'placeholder', 'content'].map((name) => element.getAttribute(name) ?? ''))]`)
  assert.ok(said.some((text) => text.includes(OPERATOR)))
  // Where no SMTP is set, as here, pages name the variable to the developer.
  const advice = languages.map((language) => texts[language].checkMail.asFileAdvice(path.resolve('data/mail')))
  const toUsers = said.map((text) => advice.reduce((rest, each) => rest.replace(each, ''), text))
  assert.deepEqual(
    toUsers.filter((text) => /portaria/i.test(text)),
    [],
  )
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
  assert.ok(sawText || rules === 'labels', 'axe looked at no text')
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

/**
 * Asserts that nothing is wider than the narrowest phone, and that nothing to press is smaller than a fingertip; the links of an alert's
 * list excepted. Folded parts are opened first: a browser need not lay out parts that are not seen.
 */
export async function assertFitsPhone(tab: Page): Promise<void> {
  await tab.setViewportSize({ width: 320, height: 640 })
  await tab.evaluate("document.querySelectorAll('details').forEach((each) => (each.open = true))")
  assert.equal(await tab.evaluate<number>('document.documentElement.scrollWidth'), 320)
  const small = await tab
    .locator('a:not([role=alert] a), button, input:not([type=hidden], [type=checkbox], [type=radio], [hidden]), label:has(input)')
    .evaluateAll((elements) =>
      elements.filter((element) => element.getBoundingClientRect().height < 44).map((element) => element.outerHTML),
    )
  assert.deepEqual(small, [])
}
