import { BUILT_IN_LOOK, type Language } from '../pages/index.ts'
import type { Mail } from './message.ts'
import type { MailData, MailKind } from './templates/mail-data.ts'
import type { MailLook } from './templates/mail-look.ts'
import { asHtml } from './templates/mail-page.ts'
import type { MailTemplate } from './templates/mail-template.ts'
import { mailTemplates } from './templates/mail-templates.ts'
import { asText } from './templates/mail-text.ts'
import { voiceOf } from './texts.ts'

export type { MailData, MailKind }

/** Writes a mail of one kind in one language and look. Links must be absolute; every value from users becomes one line of text. Pure. */
export function composeMail<Kind extends MailKind>(
  kind: Kind,
  language: Language,
  data: MailData[Kind],
  look: MailLook = BUILT_IN_LOOK,
): Omit<Mail, 'to'> {
  const voice = voiceOf(language, look.name)
  const template: MailTemplate = mailTemplates[kind](data, voice)
  return {
    subject: template.subject,
    text: asText(template, voice, look),
    html: asHtml(template, voice, look),
    ...(look.senderName !== undefined && { senderName: look.senderName }),
    ...(look.replyTo !== undefined && { replyTo: look.replyTo }),
  }
}
