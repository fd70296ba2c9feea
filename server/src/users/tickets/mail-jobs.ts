import { z } from 'zod'
import { readMailLook } from '../../appearance/index.ts'
import { MINUTE_MS } from '../../kit/index.ts'
import { composeMail, type MailData, parseMail } from '../../mail/index.ts'
import type { JobHandler } from '../../outbox/index.ts'
import { languages } from '../../pages/index.ts'
import { userStore } from '../store.ts'
import type { User } from '../user.ts'
import { deliver, type MailJobDeps } from './deliver-mail.ts'
import { sentMailStore } from './sent-mail-store.ts'
import { mintTicket, TICKET_MS } from './ticket.ts'
import { ticketUrl } from './ticket-links.ts'

const SIGN_UP_MINUTES = TICKET_MS.sign_up / MINUTE_MS

const language = z.enum(languages)

const productId = z.string().optional()

const signUp = z.object({ email: z.string(), name: z.string(), secret: z.string(), code: z.string(), language, productId })

const recovery = z.object({ email: z.string(), language, productId })

/**
 * The outbox handlers of accounts. The existence of an account is looked up here, after the answer to the browser, so that neither its text
 * nor its time can tell. A mail delivered twice after a crash says the same; a recovery mail's second ticket is valid as well.
 */
export function mailJobs(deps: MailJobDeps): Record<'mail' | 'sign_up_mail' | 'recovery_mail' | 'account_deleted_mail', JobHandler> {
  const { storage, sealer, codeKey, baseUrl, now } = deps
  return {
    mail: (payload, job) => deliver(parseMail(payload), job, deps),
    account_deleted_mail: (payload, job) => deliver(parseMail(payload), job, deps),
    async sign_up_mail(payload, job) {
      const { email, name, secret, code, language, productId } = signUp.parse(payload)
      const look = await readMailLook(storage.db, productId)
      const user = await userStore(storage.db).findByEmail(email)
      const mail =
        user && user.emailVerifiedAt !== undefined
          ? composeMail('account_exists', language, existing(user, baseUrl), look)
          : composeMail(
              'confirm_address',
              language,
              { name, code, url: ticketUrl(baseUrl, '/verify', secret), minutes: SIGN_UP_MINUTES },
              look,
            )
      await deliver({ to: email, ...mail }, job, deps)
      if (user)
        await sentMailStore(storage.db).note(email, user.emailVerifiedAt === undefined ? 'confirm_address' : 'account_exists', now())
    },
    async recovery_mail(payload, job) {
      const { email, language, productId } = recovery.parse(payload)
      const user = await userStore(storage.db).findByEmail(email)
      if (!user || user.disabledAt !== undefined) return
      const ticket = { purpose: 'reset_password', userId: user.id, email, payload: productId === undefined ? {} : { productId } } as const
      const { secret } = await mintTicket(storage.db, ticket, { sealer, codeKey, at: now() })
      const data = { name: user.name, url: ticketUrl(baseUrl, '/reset-password', secret), minutes: TICKET_MS.reset_password / MINUTE_MS }
      const look = await readMailLook(storage.db, productId)
      await deliver({ to: email, ...composeMail('reset_password', language, data, look) }, job, deps)
      await sentMailStore(storage.db).note(email, 'reset_password', now())
    },
  }
}

function existing({ name }: User, baseUrl: string): MailData['account_exists'] {
  return { name, signInUrl: `${baseUrl}/login`, recoverUrl: `${baseUrl}/recover` }
}
