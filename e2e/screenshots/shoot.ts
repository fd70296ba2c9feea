import { fileURLToPath } from 'node:url'
import type { Page } from 'playwright-core'

const forms = { desktop: { width: 1100, height: 720 }, phone: { width: 390, height: 844 } }
const shots = fileURLToPath(new URL('../../.shots/', import.meta.url))

/** Pictures of a page on a desk and on a phone, light and dark, into .shots/. */
export async function shootForms(tab: Page, name: string, language: string) {
  const pictures: { form: string; colorScheme: string; picture: Buffer }[] = []
  for (const [form, viewport] of Object.entries(forms)) {
    await tab.setViewportSize(viewport)
    for (const colorScheme of ['light', 'dark'] as const) {
      await tab.emulateMedia({ colorScheme })
      // The caret blinks, the countdown runs: both stand still for a picture.
      const path = `${shots}${name}.${form}.${colorScheme}.${language}.png`
      pictures.push({ form, colorScheme, picture: await tab.screenshot({ path, fullPage: true, animations: 'disabled' }) })
    }
  }
  return pictures
}
