import type { Language } from '../pages/index.ts'
import type { MailTemplate } from './letter.ts'
import { texts } from './texts.ts'

/** The plain text of a mail: complete, each link alone on its line so that every client makes it one. */
export function asText(letter: MailTemplate, language: Language): string {
  const { neverAsked, automatic } = texts[language]
  const blocks = [
    letter.title.toLocaleUpperCase(language),
    letter.greeting,
    ...letter.paragraphs,
    letter.code && `    ${letter.code}`,
    letter.facts?.map(({ label, value }) => `${label}: ${value}`).join('\n'),
    ...[letter.action, letter.otherAction].map((action) => action && linkBlock(action)),
    ...letter.closing,
    `-- \nPortaria\n${letter.why}\n${neverAsked}\n${automatic}`,
  ]
  return `${blocks.filter(Boolean).join('\n\n')}\n`
}

function linkBlock({ lead, label, url }: NonNullable<MailTemplate['action']>): string {
  return [lead, label, url].filter(Boolean).join('\n')
}
