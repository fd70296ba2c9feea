import type { Locator, Page } from 'playwright-core'

/** How much an errand asked of its user. */
export interface Cost {
  clicks: number
  /** Texts that were typed. */
  texts: number
  /** Keys that were pressed besides. */
  keys: number
}

/** All that a user has: a mouse and a keyboard. Whatever is done with them is counted. */
export interface Hands {
  click(target: Locator): Promise<void>
  /** Types into a field, which is clicked first unless the console has put the cursor there. */
  type(field: Locator, text: string): Promise<void>
  press(key: string): Promise<void>
  cost: Cost
}

/** Begins an errand on the page that is open. */
export function beginErrand(page: Page): Hands {
  const cost: Cost = { clicks: 0, texts: 0, keys: 0 }
  const click = async (target: Locator) => {
    cost.clicks += 1
    await target.click()
  }
  return {
    cost,
    click,
    async type(field, text) {
      await field.waitFor()
      if ((await field.and(page.locator(':focus')).count()) === 0) await click(field)
      cost.texts += 1
      await field.fill(text)
    },
    async press(key) {
      cost.keys += 1
      await page.keyboard.press(key)
    },
  }
}
