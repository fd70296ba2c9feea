import type { Now } from '../kit/index.ts'
import type { Delivery } from './delivery.ts'
import { envelope } from './envelope.ts'
import { greet } from './greet-server.ts'
import { writeMailFile } from './mail-file.ts'
import { type Mail, refuseMail } from './message.ts'
import { parseSender } from './sender.ts'
import { openPool, send } from './smtp-pool.ts'
import { parseSmtpUrl } from './smtp-url.ts'

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
