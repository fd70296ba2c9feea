// Part of `npm run screenshots`: every page and every mail as users see it, into .shots/. With `--docs` those that documents show are
// replaced as well.
import process from 'node:process'
import type { Page } from 'playwright-core'
import { languages } from '../../server/src/pages/index.ts'
import { texts } from '../../server/src/pages/texts.ts'
import { startHarness } from '../harness/harness.ts'
import { openPage, pages } from '../pages/pages.ts'
import { everyMail } from './mails.ts'
import { shootForms } from './shoot.ts'
import { replaceInDocs } from './shown-pictures.ts'

const args = process.argv.slice(2)
const isForDocs = args.includes('--docs')
const wanted = args.filter((arg) => !arg.startsWith('--'))

const harness = await startHarness(undefined, { PORTARIA_EXPERIMENTS: 'cimd' })
try {
  await harness.service.user('ana@exemplo.com.br')
  for (const name of Object.keys(pages).filter(isWanted)) {
    for (const language of languages) {
      const tab = await openPage(name, harness, language, texts[language])
      await shoot(tab, name, language)
      await tab.context().close()
      console.log(`${name} ${language}`)
    }
  }
  for (const { name, language, html } of everyMail().filter((mail) => isWanted(mail.name))) {
    const tab = await harness.visitor({ locale: language })
    await tab.setContent(html)
    await shoot(tab, name, language)
    await tab.context().close()
  }
} finally {
  await harness.close()
}

function isWanted(name: string): boolean {
  return wanted.length === 0 || wanted.includes(name)
}

async function shoot(tab: Page, name: string, language: string): Promise<void> {
  for (const { form, colorScheme, picture } of await shootForms(tab, name, language))
    if (isForDocs && form === 'desktop' && language === 'pt-BR') replaceInDocs(`${name}-${colorScheme}.png`, picture)
}
