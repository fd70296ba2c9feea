import type { SendMailOptions } from 'nodemailer'
import type { Now } from '../kit/index.ts'
import { type Delivery, refusalOf } from './delivery.ts'
import { writeMailFile } from './mail-file.ts'
import { type Mail, refuseMail } from './message.ts'
import { parseSender, type Sender } from './sender.ts'
import { parseSmtpUrl, type SmtpServer } from './smtp-url.ts'

export interface Mailer {
  /**
   * Hands one mail to the mail server, or writes it into a file. `messageId` is the id of the job: the same job sends the same Message-ID,
   * so that a mail sent twice after a crash can be recognised.
   */
  deliver(mail: Mail, options: { signal: AbortSignal; messageId: string }): Promise<Delivery>
  /** Connects to the mail server, greets it and logs in, with five seconds for each step, and sends nothing. */
  verify(): Promise<'answers' | Exclude<Delivery, { delivered: unknown }>>
  /** Closes the connections; a mail under way is finished. */
  close(): Promise<void>
}

export interface MailerOptions {
  /** `smtp://` or `smtps://`, see `parseSmtpUrl`. */
  smtpUrl: string | undefined
  /** An address, or `Name <address>`. */
  from: string
  /** The folder for mails when there is no mail server; `undefined` in production. */
  folder: string | undefined
  /** Called with the path of each mail written there. */
  onFile?: ((file: string) => void) | undefined
  now: Now
}

const CONNECT_MS = 10_000
const SILENCE_MS = 15_000
const IDLE_MS = 60_000
const GREET_MS = 5_000

/** Throws at once for an invalid mail server or sender. The first mail loads the library and connects. */
export function createMailer({ smtpUrl, from, folder, onFile, now }: MailerOptions): Mailer {
  const sender = parseSender(from)
  const server = smtpUrl === undefined ? undefined : parseSmtpUrl(smtpUrl)
  let pool: ReturnType<typeof openPool> | undefined
  let closed = false
  return {
    async deliver(mail, { signal, messageId }) {
      if (closed) return { refused: 'temporary', reason: 'the mailer is closed' }
      const unfit = refuseMail(mail)
      if (unfit !== undefined) return { refused: 'final', reason: unfit }
      const message = envelope(mail, sender, { messageId, at: now() })
      if (server) {
        pool ??= openPool(server)
        return await send(await pool, message, signal)
      }
      if (folder === undefined) return { refused: 'nothing_configured', reason: 'no mail server is configured' }
      const file = await writeMailFile(message, mail, { folder, at: now(), messageId })
      onFile?.(file)
      return { delivered: 'as_file' }
    },
    async verify() {
      return server ? await greet(server) : { refused: 'nothing_configured', reason: 'no mail server is configured' }
    },
    async close() {
      closed = true
      const open = await pool
      open?.close()
    },
  }
}

type Pool = Awaited<ReturnType<typeof openPool>>

async function openPool(server: SmtpServer) {
  const { createTransport } = await import('nodemailer')
  return createTransport({
    ...parametersOf(server),
    pool: true,
    connectionTimeout: CONNECT_MS,
    greetingTimeout: CONNECT_MS,
    dnsTimeout: CONNECT_MS,
    socketTimeout: SILENCE_MS,
    idleTimeout: IDLE_MS,
    maxConnections: 4,
    maxRequeues: 2, // only for a connection that broke before a byte of the mail was sent
  })
}

/** Given one by one: nodemailer's reading of a URL could switch on a log of the whole traffic. */
function parametersOf({ host, port, implicitTls, requireTls, verifyCertificate, auth }: SmtpServer) {
  return {
    host,
    port,
    secure: implicitTls,
    requireTLS: requireTls,
    tls: { rejectUnauthorized: verifyCertificate, minVersion: 'TLSv1.2' as const },
    ...(auth && { auth }),
    logger: false,
    disableFileAccess: true,
    disableUrlAccess: true,
  }
}

async function greet(server: SmtpServer): ReturnType<Mailer['verify']> {
  const { createTransport } = await import('nodemailer')
  const limits = { connectionTimeout: GREET_MS, greetingTimeout: GREET_MS, dnsTimeout: GREET_MS, socketTimeout: GREET_MS }
  const transport = createTransport({ ...parametersOf(server), ...limits })
  try {
    await transport.verify()
    return 'answers'
  } catch (fault) {
    const refused = refusalOf(fault)
    return 'refused' in refused ? refused : { refused: 'temporary', reason: 'unknown fault' }
  } finally {
    transport.close()
  }
}

async function send(pool: Pool, message: SendMailOptions, signal: AbortSignal): Promise<Delivery> {
  try {
    await pool.sendMail({ ...message, signal })
    return { delivered: 'by_smtp' }
  } catch (fault) {
    return refusalOf(fault)
  }
}

function envelope(mail: Mail, sender: Sender, { messageId, at }: { messageId: string; at: number }): SendMailOptions {
  if (!/^[\w.-]{1,100}$/.test(messageId)) throw new TypeError('a message id is made of letters, digits, dots and dashes')
  return {
    from: mail.senderName === undefined ? sender : { ...sender, name: mail.senderName },
    ...(mail.replyTo !== undefined && { replyTo: mail.replyTo }),
    to: { name: '', address: mail.to },
    envelope: { from: sender.address, to: [mail.to] },
    subject: mail.subject,
    text: mail.text,
    html: mail.html,
    textEncoding: 'quoted-printable',
    date: new Date(at),
    messageId: `<${messageId}@${sender.address.split('@')[1]}>`,
    headers: { 'Auto-Submitted': 'auto-generated' }, // RFC 3834: prevents automatic replies
  }
}
