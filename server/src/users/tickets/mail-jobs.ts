import { z } from 'zod'
import { readMailLook } from '../../appearance/index.ts'
import { DAY_MS, MINUTE_MS, type Now, type Sealer } from '../../kit/index.ts'
import { composeMail, type Mail, type MailData, type Mailer, type MailKind, parseMail } from '../../mail/index.ts'
import { addJob, FatalJobFault, type JobHandler } from '../../outbox/index.ts'
import { type Language, languages } from '../../pages/index.ts'
import type { Storage, Transaction } from '../../storage/index.ts'
import { userStore } from '../store.ts'
import type { User } from '../user.ts'
import { sentMailStore } from './sent-mail-store.ts'
import { mintTicket, TICKET_MS } from './ticket.ts'

export interface MailJobDeps {
  storage: Storage
  mailer: Pick<Mailer, 'deliver'>
  sealer: Sealer
  codeKey: Uint8Array
  /** `PORTARIA_URL`: every link is built from it, never from a header. */
  baseUrl: string
  now: Now
}

const SIGN_UP_MINUTES = TICKET_MS.sign_up / MINUTE_MS

const language = z.enum(languages)
const productId = z.string().optional()
const signUp = z.object({ email: z.string(), name: z.string(), secret: z.string(), code: z.string(), language, productId })
const recovery = z.object({ email: z.string(), language, productId })

interface QueuedMail<Kind extends MailKind> {
  to: string
  kind: Kind
  data: MailData[Kind]
  language: Language
  productId?: string | undefined
}

/** Writes a mail into the outbox, in the transaction of the change that it reports. `productId`: the app in whose sign-in it happened. */
export async function queueMail<Kind extends MailKind>(
  tx: Transaction,
  { to, kind, data, language, productId }: QueuedMail<Kind>,
  { sealer, at }: { sealer: Sealer; at: number },
): Promise<void> {
  const payload: Mail = { to, ...composeMail(kind, language, data, await readMailLook(tx, productId)) }
  await sentMailStore(tx).note(to, kind, at)
  await addJob(tx, { kind: 'mail', payload }, { sealer, at })
}

/**
 * The last mail, in the transaction that removes the account. Only the sealed job has the address. It goes with the delivery or, after two
 * days, without it: no dead letter keeps it.
 */
export async function queueAccountDeletedMail(tx: Transaction, user: User, { sealer, at }: { sealer: Sealer; at: number }): Promise<void> {
  const mail = composeMail('account_deleted', mailLanguage(user), { name: user.name }, await readMailLook(tx))
  const payload: Mail = { to: user.email, ...mail }
  await addJob(tx, { kind: 'account_deleted_mail', payload }, { sealer, at })
}

/** The language in which a user wants mail. */
export function mailLanguage({ language: chosen }: { language: string | undefined }): Language {
  return languages.find((one) => one === chosen) ?? 'pt-BR'
}

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

/** An invitation for an account that the operator made without a password. */
export async function queueInvitation(
  tx: Transaction,
  user: { id: string; email: string; name: string; language: string | undefined },
  deps: Omit<MailJobDeps, 'storage' | 'mailer'>,
): Promise<void> {
  const { sealer, codeKey, baseUrl, now } = deps
  const at = now()
  const { secret } = await mintTicket(
    tx,
    { purpose: 'invitation', userId: user.id, email: user.email, payload: {} },
    { sealer, codeKey, at },
  )
  const data = { name: user.name, url: ticketUrl(baseUrl, '/invitation', secret), days: TICKET_MS.invitation / DAY_MS }
  await queueMail(tx, { to: user.email, kind: 'invitation', data, language: mailLanguage(user) }, { sealer, at })
}

/** Notifies a user of their new role, and where to use it. */
export async function queueRoleGiven(
  tx: Transaction,
  user: Pick<User, 'email' | 'name' | 'language'> & { role: NonNullable<User['role']> },
  { sealer, baseUrl, now }: Pick<MailJobDeps, 'sealer' | 'baseUrl' | 'now'>,
): Promise<void> {
  const data = { name: user.name, role: user.role, url: `${baseUrl}/admin` }
  await queueMail(tx, { to: user.email, kind: 'role_given', data, language: mailLanguage(user) }, { sealer, at: now() })
}

/** Makes the "this wasn't me" link for mails about changes that the user should have caused. */
export async function mintReportUrl(
  tx: Transaction,
  { id, email }: { id: string; email: string },
  { sealer, codeKey, baseUrl, now }: Pick<MailJobDeps, 'sealer' | 'codeKey' | 'baseUrl' | 'now'>,
): Promise<string> {
  const { secret } = await mintTicket(tx, { purpose: 'report_sign_in', userId: id, email, payload: {} }, { sealer, codeKey, at: now() })
  return ticketUrl(baseUrl, '/report-sign-in', secret)
}

/** The link of a ticket. The secret is in the query, which our logs leave out and our pages never pass on. */
export function ticketUrl(
  baseUrl: string,
  path: '/verify' | '/reset-password' | '/invitation' | '/confirm-email' | '/report-sign-in' | '/undo-deletion',
  secret: string,
): string {
  return `${baseUrl}${path}?ticket=${secret}`
}

async function deliver(
  mail: Mail,
  { id, signal }: { id: string; signal: AbortSignal },
  { mailer, baseUrl }: Pick<MailJobDeps, 'mailer' | 'baseUrl'>,
): Promise<void> {
  // A look's paths have no host. Quotes in texts are escaped, so this is never one of them.
  const html = mail.html.replaceAll('src="/assets/', `src="${baseUrl}/assets/`)
  const delivery = await mailer.deliver({ ...mail, html }, { messageId: id, signal })
  if ('delivered' in delivery) return
  // Without a configured mail server, trying for days would only fill the log; the job stays where the operator sees it.
  if (delivery.refused !== 'temporary') throw new FatalJobFault(delivery.reason)
  throw new Error(delivery.reason)
}
