// Draws the mark for what shows no SVG: `npx node e2e/screenshots/mark-pictures.ts`, after a change of its shapes.
import { mkdirSync, writeFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { markShapes } from '../../server/src/pages/assets/assets.ts'
import { openBrowser } from '../harness/browser.ts'
import { shrinkPng } from './shrink-png.ts'

const folder = fileURLToPath(new URL('../../server/src/pages/assets/mark/', import.meta.url))
mkdirSync(folder, { recursive: true })
const browser = await openBrowser()
// A device cuts the corners of a touch icon itself; on a tab they are round.
for (const { name, side, shapes } of [
  { name: 'touch-icon.png', side: 180, shapes: markShapes.replace('rx="9"', '') },
  { name: 'favicon.png', side: 32, shapes: markShapes },
]) {
  const page = await (await browser.newContext({ viewport: { width: side, height: side } })).newPage()
  await page.setContent(
    `<style>body{margin:0}svg{display:block}</style><svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 32 32" width="${side}" height="${side}">${shapes}</svg>`,
  )
  const picture = await page.screenshot({ omitBackground: true })
  // The smaller one has corners that nothing is drawn on, which a palette does not know.
  writeFileSync(folder + name, side > 32 ? shrinkPng(picture) : picture)
}
await browser.close()
