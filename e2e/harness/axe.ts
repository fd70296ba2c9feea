import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { setTimeout } from 'node:timers/promises'
import type { Page } from 'playwright-core'

const axe = readFileSync(createRequire(import.meta.resolve('@axe-core/playwright')).resolve('axe-core/axe.min.js'), 'utf8')

/** The findings of axe: each fault as its rule and the markup, and whether there was text whose colours it could judge. */
export interface Look {
  faults: string[]
  sawText: boolean
}

/** A fault stays. A colour that began to change during the look does not. */
const MORE_LOOKS = 2
const BETWEEN_LOOKS_MS = 500

const lists = {
  everything: {},
  colours: { runOnly: { type: 'rule', values: ['color-contrast', 'link-in-text-block'] } },
  labels: { rules: { 'color-contrast': { enabled: false } } },
}

const moving = 'document.getAnimations().filter(({ effect }) => effect.getComputedTiming().endTime < Infinity)'

/** Gives axe to every page that this tab opens. The browser keeps it and compiles it once. No page runs it unasked. */
export async function carryAxe(tab: Page): Promise<void> {
  await tab.addInitScript({ content: `window.loadAxe = () => { ${axe} }` })
}

/**
 * Has axe look at a page by all its rules, by those whose outcome a colour scheme can change, or by those whose outcome labels can. It is
 * large, so a page is given it once, and what it approves of stays in the browser. Frames are not entered: the page of a preview is looked
 * at by itself.
 */
export async function lookAt(tab: Page, rules: keyof typeof lists = 'everything'): Promise<Look> {
  const isThere = await tab.evaluate<boolean>('("axe" in window || window.loadAxe?.(), "axe" in window)')
  if (!isThere) await tab.evaluate(`${axe};undefined`)
  let look = await lookOnce(tab, rules)
  for (let more = 0; more < MORE_LOOKS && look.faults.length > 0; more++) {
    await setTimeout(BETWEEN_LOOKS_MS)
    look = await lookOnce(tab, rules)
  }
  return look
}

async function lookOnce(tab: Page, rules: keyof typeof lists): Promise<Look> {
  // An element that fades in has no colours yet that could be judged.
  await tab.evaluate(`Promise.allSettled(${moving}.map(({ finished }) => finished))`)
  return tab.evaluate<Look>(`axe.run(${JSON.stringify({ ...lists[rules], resultTypes: ['violations'], iframes: false })}).then(({ violations, passes }) => ({
    faults: violations.map(({ id, nodes }) => id + ': ' + nodes.map(({ html }) => html).join(' ')),
    sawText: passes.some(({ id }) => id === 'color-contrast'),
  }))`)
}
