// mail: what the service writes to people, and how it gets there.
// Owns: the kinds of mail and their words in every language, their text and HTML, delivery by SMTP or, in development, into files.
// Does not own: when a mail is sent and how often it is tried (outbox), and who gets it (the floor whose action it tells of).
// An address and the body of a mail never reach a log or an error from here.
export { composeMail, type MailData, type MailKind } from './compose.ts'
export { createMailer, type Mailer } from './deliver.ts'
export type { Delivery } from './delivery.ts'
export { type Mail, parseMail } from './message.ts'
export { parseSender } from './sender.ts'
export { parseSmtpUrl } from './smtp-url.ts'
