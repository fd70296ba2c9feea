import type { Language } from '../pages/index.ts'
import type { Mail } from './message.ts'
import type { MailData, MailKind } from './templates/mail-data.ts'
import { asHtml } from './templates/mail-page.ts'
import type { MailTemplate } from './templates/mail-template.ts'
import { mailTemplates } from './templates/mail-templates.ts'
import { asText } from './templates/mail-text.ts'

export type { MailData, MailKind }

/** Writes a mail of one kind in one language. Links must be absolute; every value from users becomes one line of text. Pure. */
export function composeMail<Kind extends MailKind>(kind: Kind, language: Language, data: MailData[Kind]): Omit<Mail, 'to'> {
  const template: MailTemplate = mailTemplates[kind](data, language)
  return { subject: template.subject, text: asText(template, language), html: asHtml(template, language) }
}
