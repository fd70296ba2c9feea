// mail: the mails to users, and their delivery. Owns: the kinds of mail and their texts in every language, their text and HTML, delivery by
// SMTP or, in development, into files. Does not own: when a mail is sent and how often it is tried (outbox), its recipient (the floor whose
// action it reports). No address and no body of a mail ever reaches a log or an error from here.
export { composeMail, type MailData, type MailKind } from './compose.ts'
export { createMailer, type Mailer } from './deliver.ts'
export type { Delivery } from './delivery.ts'
export { type Mail, parseMail } from './message.ts'
export { parseSender } from './sender.ts'
export { parseSmtpUrl } from './smtp-url.ts'
export type { MailLook } from './templates/mail-look.ts'
export { mailStyles } from './templates/mail-styles.ts'
