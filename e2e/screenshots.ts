// `npx node e2e/screenshots.ts`: every page and every mail as people see it, into .shots/, and those that the documentation shows, into docs/screenshots/.
import { mkdirSync, writeFileSync } from 'node:fs'
import process from 'node:process'
import { fileURLToPath } from 'node:url'
import type { Page } from 'playwright-core'
import { languages } from '../server/src/pages/index.ts'
import { texts } from '../server/src/pages/texts.ts'
import { everyMail } from './mails.ts'
import { openPage, pages } from './pages.ts'
import { shootForms } from './shoot.ts'
import { shrinkPng } from './shrink-png.ts'
import { setStage } from './stage.ts'

/** The pages that the documentation shows, by the names they have there. */
const shown: Readonly<Record<string, string>> = {
  login: 'login',
  'login-error': 'error',
  'complete-profile': 'complete-profile',
  nda: 'nda',
  welcome: 'welcome',
  'signed-out': 'signed-out',
}

const docs = fileURLToPath(new URL('../docs/screenshots/', import.meta.url))
const wanted = process.argv.slice(2)
mkdirSync(docs, { recursive: true })

const stage = await setStage()
try {
  await stage.service.user('ana@exemplo.com.br')
  for (const name of Object.keys(pages).filter(isWanted)) {
    for (const language of languages) {
      const tab = await openPage(name, stage, language, texts[language])
      await shoot(tab, name, language)
      await tab.context().close()
      console.log(`${name} ${language}`)
    }
  }
  for (const { name, language, html } of everyMail().filter((mail) => isWanted(mail.name))) {
    const tab = await stage.visitor({ locale: language })
    await tab.setContent(html)
    await shoot(tab, name, language)
    await tab.context().close()
  }
} finally {
  await stage.close()
}

function isWanted(name: string): boolean {
  return wanted.length === 0 || wanted.includes(name)
}

async function shoot(tab: Page, name: string, language: string): Promise<void> {
  for (const { form, colorScheme, picture } of await shootForms(tab, name, language))
    if (form === 'desk' && language === 'pt-BR' && shown[name])
      writeFileSync(`${docs}${shown[name]}-${colorScheme}.png`, shrinkPng(picture))
}
