import type { Language } from '../../pages/index.ts'
import { texts } from '../texts.ts'
import type { MailTemplate } from './mail-template.ts'

/** The plain text of a mail: complete, each link on a line of its own so that every client recognises it. */
export function asText(template: MailTemplate, language: Language): string {
  const { neverAsked, automatic } = texts[language]
  const blocks = [
    template.title.toLocaleUpperCase(language),
    template.greeting,
    ...template.paragraphs,
    template.code && `    ${template.code}`,
    template.facts?.map(({ label, value }) => `${label}: ${value}`).join('\n'),
    ...[template.action, template.otherAction].map((action) => action && linkBlock(action)),
    ...template.closing,
    `-- \nPortaria\n${template.why}\n${neverAsked}\n${automatic}`,
  ]
  return `${blocks.filter(Boolean).join('\n\n')}\n`
}

function linkBlock({ lead, label, url }: NonNullable<MailTemplate['action']>): string {
  return [lead, label, url].filter(Boolean).join('\n')
}
