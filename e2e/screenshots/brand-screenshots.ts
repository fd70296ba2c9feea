// Part of `npm run screenshots -- --brands`: the pages that users see most, and mails, in three brands, into .shots/brands/. Names of
// pages: only those.
import { mkdirSync } from 'node:fs'
import process from 'node:process'
import { fileURLToPath } from 'node:url'
import type { Page } from 'playwright-core'
import { addImage, changeAppearance, examineAccent, readMailLook } from '../../server/src/appearance/index.ts'
import { type Language, languages } from '../../server/src/pages/index.ts'
import { texts } from '../../server/src/pages/texts.ts'
import { wantPng } from '../../server/test/support/routes/brand-files.ts'
import { startHarness } from '../harness/harness.ts'
import { openPage } from '../pages/pages.ts'
import { everyMail } from './mails.ts'

const NAMES = [
  ...[
    'login',
    'login-error',
    'login-providers',
    'too-many-attempts',
    'sign-up',
    'sign-up-errors',
    'check-mail',
    'recover',
    'recover-error',
  ],
  ...['recovery-sent', 'welcome', 'welcome-sharing', 'refused-start', 'ticket-gone', 'complete-profile', 'profile-errors', 'second-factor'],
  ...[
    'account-full',
    'own-profile',
    'own-profile-errors',
    'own-tax-id-corrected',
    'own-sessions',
    'own-delete',
    'second-factor-settings-codes',
  ],
]
const MAILS = ['mail-confirm_address', 'mail-new_device', 'mail-tax_id_corrected', 'mail-deletion_requested']
const wanted = process.argv.slice(2).filter((arg) => !arg.startsWith('--'))
const isWanted = (name: string) => wanted.length === 0 || wanted.includes(name)
const FORMS = { desktop: { width: 1440, height: 900 }, phone: { width: 390, height: 844 } }

const folder = fileURLToPath(new URL('../../.shots/brands/', import.meta.url))
mkdirSync(folder, { recursive: true })
const wave = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 220 56"><circle cx="28" cy="28" r="24" fill="#1a4fd6"/><path d="M10 30q9-12 18 0t18 0" fill="none" stroke="#fff" stroke-width="5"/><path d="M66 14v28M66 14l12 16 12-16v28M102 42l10-28 10 28M106 33h12M134 42V14h10q8 0 8 8t-8 8h-10l18 12M186 14h-18v28h18M168 28h14" fill="none" stroke="#1a4fd6" stroke-width="5"/></svg>`

const harness = await startHarness(undefined, { PORTARIA_EXPERIMENTS: 'cimd' })
const deps = { ...harness.service.context, actor: 'operator:test' }
try {
  await harness.service.user('ana@exemplo.com.br')
  const logo = await imageOf(Buffer.from(wave))
  const common = { supportUrl: 'mailto:ajuda@marca.example', termsUrl: 'https://marca.example/t', privacyUrl: 'https://marca.example/p' }
  const yellow = examineAccent('#ffd400')?.nearest ?? '#7d6a00'
  const brands = {
    blue: { name: 'Maré Cursos', accent: '#1a4fd6', logoLight: logo, footer: 'Maré Cursos Ltda · CNPJ 12.345.678/0001-95', ...common },
    red: { name: 'Editora Rubi', accent: '#c8102e', logoLight: null, footer: null, ...common },
    yellow: { name: 'Sol & Praia', accent: yellow, logoLight: await imageOf(wantPng(360, 90, [255, 212, 0])), ...common },
  }
  for (const [brand, look] of Object.entries(brands)) {
    const changed = await changeAppearance(undefined, look, deps)
    if ('refusal' in changed) throw new Error(JSON.stringify(changed))
    for (const language of brand === 'blue' ? languages : (['pt-BR'] as const)) {
      for (const name of NAMES.filter(isWanted)) {
        const tab = await openPage(name, harness, language, texts[language])
        await shoot(tab, [brand, name, language])
      }
      await shootMails(brand, language)
      console.log(`${brand} ${language}`)
    }
  }
} finally {
  await harness.close()
}

async function imageOf(content: Buffer): Promise<string> {
  const added = await addImage(content, deps)
  if ('refusal' in added) throw new Error(added.refusal)
  return added.hash
}

async function shootMails(brand: string, language: Language): Promise<void> {
  const look = await readMailLook(harness.service.context.storage.db)
  const mails = everyMail(look).filter((mail) => mail.language === language && MAILS.includes(mail.name) && isWanted(mail.name))
  for (const { name, html } of mails) {
    const tab = await harness.visitor({ locale: language })
    // A logo has a whole address in a mail that is sent: that of the running service here.
    await tab.setContent(html.replaceAll('src="/assets/', `src="${harness.service.url}/assets/`))
    await tab.waitForLoadState('networkidle')
    await shoot(tab, [brand, name, language])
  }
}

async function shoot(tab: Page, name: readonly string[]): Promise<void> {
  for (const [form, viewport] of Object.entries(FORMS)) {
    await tab.setViewportSize(viewport)
    for (const colorScheme of ['light', 'dark'] as const) {
      await tab.emulateMedia({ colorScheme })
      const options = { path: `${folder}${[...name, form, colorScheme].join('.')}.png`, fullPage: true, animations: 'disabled' } as const
      // A browser under load now and then has no picture to give.
      await tab.screenshot(options).catch(() => tab.screenshot(options))
    }
  }
  await tab.context().close()
}
