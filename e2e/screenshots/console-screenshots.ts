// Part of `npm run screenshots`: every page of the console, light and dark, into .shots/console/. With `--docs` those that documents show
// are replaced as well. With `--all`: whole pages in each language, in each scheme, on a phone, a tablet and a wide desk. Names of pages:
// only those.
import { mkdirSync, writeFileSync } from 'node:fs'
import process from 'node:process'
import { fileURLToPath } from 'node:url'
import type { Page } from 'playwright-core'
import { SMTPServer } from 'smtp-server'
import type { Language } from '../../server/src/pages/index.ts'
import { texts } from '../../server/src/pages/texts.ts'
import { freePort } from '../../server/test/support/free-port.ts'
import { WEBHOOKS } from '../../server/test/support/gateways/purchases.ts'
import { type ConsoleHarness, startConsoleHarness } from '../console/console-harness.ts'
import { consolePages } from '../console/console-pages.ts'
import { beginInThePast, fillShop, OWNER } from '../console/console-shop.ts'
import { NOW } from '../console/scheduled-event.ts'
import { signIn } from '../harness/steps.ts'
import { replaceInDocs } from './shown-pictures.ts'

/** How a page is looked at. */
interface Look {
  language: Language
  colorScheme: 'light' | 'dark'
  form: keyof typeof sizes
}

const sizes = {
  desktop: { width: 1280, height: 860 },
  phone: { width: 390, height: 844 },
  tablet: { width: 768, height: 1024 },
  wide: { width: 1440, height: 900 },
}
const schemes = ['light', 'dark'] as const
const shown: Look[] = schemes.map((colorScheme) => ({ language: 'pt-BR', colorScheme, form: 'desktop' }))
const languages = ['pt-BR', 'en', 'es'] as const
const more: Look[] = languages.flatMap((language) =>
  (['phone', 'tablet', 'wide'] as const).flatMap((form) => schemes.map((colorScheme): Look => ({ language, colorScheme, form }))),
)

const args = process.argv.slice(2)
const extent = args.includes('--all') ? 'all' : 'shown'
const isForDocs = args.includes('--docs')
const names = args.filter((arg) => !arg.startsWith('--'))
const folder = fileURLToPath(new URL('../../.shots/console/', import.meta.url))
mkdirSync(folder, { recursive: true })

beginInThePast()
const mailPort = await freePort()
const mails = new SMTPServer({
  ...{ authOptional: true, disabledCommands: ['STARTTLS'] },
  onData: (stream, _session, done) => void stream.resume().on('end', () => done()),
}).listen(mailPort, '127.0.0.1')
const environment = { ...WEBHOOKS, PORTARIA_SMTP_URL: `smtp://127.0.0.1:${mailPort}`, PORTARIA_TRUST_PROXY: '1' }
const harness = await startConsoleHarness(environment)
const { service } = harness
const clube = await fillShop(service)
try {
  const looks = extent === 'all' ? more : shown
  for (const language of new Set(looks.map((look) => look.language))) {
    const page = await enter(harness, language)
    for (const [name, { path, act, labels }] of Object.entries(consolePages)) {
      if (names.length > 0 && !names.includes(name)) continue
      if (labels !== undefined && labels !== language) continue
      await page.setViewportSize(sizes.desktop)
      await page.goto(`${service.url}/admin${typeof path === 'string' ? path : await path({ service, clube })}`)
      await untilStill(page)
      await act?.(page)
      for (const look of looks.filter((one) => one.language === language)) await shoot(page, name, look)
    }
    await page.context().close()
  }
  // The clock that stands still is a script, which the sandboxed preview refuses.
  const complaints = harness.complaints.filter((complaint) => !complaint.includes('Blocked script execution'))
  if (complaints.length > 0) throw new Error(complaints.join('\n'))
} finally {
  await harness.close()
  clube.close()
  mails.close()
}

/** Somebody of the shop signs in, at the time at which the pictures are taken. */
async function enter({ visitor, service: { url } }: ConsoleHarness, language: Language): Promise<Page> {
  const page = await visitor({ locale: language, viewport: sizes.desktop, timezoneId: 'America/Sao_Paulo', reducedMotion: 'reduce' })
  await page.clock.setFixedTime(NOW)
  await page.goto(`${url}/admin/sign-in`)
  await signIn(page, OWNER, { labels: texts[language] })
  await page.getByRole('heading', { level: 1 }).waitFor()
  return page
}

/** Until nothing loads any more. */
async function untilStill(page: Page): Promise<void> {
  await page.waitForLoadState('networkidle')
  await page.getByRole('progressbar').first().waitFor({ state: 'detached' })
}

async function shoot(page: Page, name: string, { language, colorScheme, form }: Look): Promise<void> {
  await page.setViewportSize(sizes[form])
  await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' })
  await page.getByRole('progressbar').first().waitFor({ state: 'detached' })
  // A picture of a whole page shows the fixed bars where the window is. They belong at the top.
  await page.evaluate('scrollTo(0, 0)')
  const isWhole = extent === 'all' && (await page.getByRole('dialog').count()) === 0
  const picture = await page.screenshot({ fullPage: isWhole, animations: 'disabled', caret: 'hide' })
  if (extent === 'shown') {
    writeFileSync(`${folder}${name}-${colorScheme}.png`, picture)
    if (isForDocs) replaceInDocs(`console/${name}-${colorScheme}.png`, picture)
    return
  }
  writeFileSync(`${folder}${name}.${form}.${colorScheme}.${language}.png`, picture)
  const [width, screen] = await page.evaluate<[number, number]>('[document.documentElement.scrollWidth, innerWidth]')
  console.log(`${name} ${form} ${colorScheme} ${language}${width > screen ? `: ${width} wide` : ''}`)
}
