import type { Voice } from '../texts.ts'
import { footerLinks, type MailLook } from './mail-look.ts'
import type { MailTemplate } from './mail-template.ts'

/** The plain text of a mail: complete, each link on a line of its own so that every client recognises it. */
export function asText(template: MailTemplate, { language, labels }: Voice, look: MailLook): string {
  const { neverAsked, automatic, answerable } = labels
  const links = footerLinks(look, language).map(({ label, href }) => `${label}: ${href.replace(/^mailto:/, '')}`)
  const foot = [look.name, look.footer, template.why, neverAsked, look.replyTo === undefined ? automatic : answerable, ...links]
  const blocks = [
    template.title.toLocaleUpperCase(language),
    template.greeting,
    ...template.paragraphs,
    template.code && `    ${template.code}`,
    template.facts?.map(({ label, value }) => `${label}: ${value}`).join('\n'),
    ...[template.action, template.otherAction].map((action) => action && linkBlock(action)),
    ...template.closing,
    `-- \n${foot.filter((line) => line !== undefined).join('\n')}`,
  ]
  return `${blocks.filter(Boolean).join('\n\n')}\n`
}

function linkBlock({ lead, label, url }: NonNullable<MailTemplate['action']>): string {
  return [lead, label, url].filter(Boolean).join('\n')
}
