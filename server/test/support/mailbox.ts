import type { AddressInfo } from 'node:net'
import { after } from 'node:test'
import { setTimeout as wait } from 'node:timers/promises'
import PostalMime, { type Email } from 'postal-mime'
import { SMTPServer } from 'smtp-server'

export interface Mailbox {
  /** For `PORTARIA_SMTP_URL`. */
  url: string
  /** Everything that arrived, oldest first. */
  mails: Array<Email & { recipient: string }>
  /** While true the server refuses every mail for now, as one that is overloaded does. */
  isBusy: boolean
  /** The first mail to this address that `fits`, waiting up to a minute for it. */
  find(recipient: string, fits?: (mail: Email) => boolean): Promise<Email>
  stop(): Promise<void>
}

/** A real SMTP server that keeps what it is given. */
export async function startMailbox(): Promise<Mailbox> {
  const mailbox: Mailbox = {
    url: '',
    mails: [],
    isBusy: false,
    async find(recipient, fits = () => true) {
      for (let tries = 0; tries < 1_200; tries++) {
        const found = mailbox.mails.find((mail) => mail.recipient === recipient && fits(mail))
        if (found) return found
        await wait(50)
      }
      throw new Error(
        `no such mail to ${recipient}; there are: ${mailbox.mails.map((mail) => `${mail.recipient}: ${mail.subject}`).join('; ')}`,
      )
    },
    stop: () => new Promise((resolve) => server.close(() => resolve())),
  }
  const server = new SMTPServer({
    authOptional: true,
    // The service keeps a connection open for the next mail; nobody waits for it at the end of a test.
    closeTimeout: 50,
    disabledCommands: ['STARTTLS'],
    onRcptTo: (_address, _session, done) => done(mailbox.isBusy ? Object.assign(new Error('busy'), { responseCode: 451 }) : null),
    onData(stream, session, done) {
      const chunks: Buffer[] = []
      stream.on('data', (chunk: Buffer) => chunks.push(chunk))
      stream.on('end', () => {
        PostalMime.parse(Buffer.concat(chunks)).then((mail) => {
          for (const { address } of session.envelope.rcptTo) mailbox.mails.push({ ...mail, recipient: address })
          done()
        }, done)
      })
    },
  })
  server.on('error', () => undefined) // a sender that was killed breaks its connection off
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  mailbox.url = `smtp://127.0.0.1:${(server.server.address() as AddressInfo).port}`
  after(mailbox.stop)
  return mailbox
}

/** The six digits of a mail. */
export function codeIn({ text = '' }: Email): string {
  const code = /\b(\d{6})\b/.exec(text.replaceAll(/(?<=\d) (?=\d)/g, ''))?.[1]
  if (code === undefined) throw new Error(`no code in: ${text}`)
  return code
}

/** The first link of a mail to this path, as path and query. */
export function linkIn({ text = '' }: Email, path: string): string {
  const address = [...text.matchAll(/https?:\/\/\S+/g)].map(([url]) => new URL(url)).find(({ pathname }) => pathname === path)
  if (!address) throw new Error(`no link to ${path} in: ${text}`)
  return address.pathname + address.search
}
