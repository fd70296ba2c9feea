import { DAY_MS } from '../../kit/index.ts'
import type { Transaction } from '../../storage/index.ts'
import type { User } from '../user.ts'
import type { MailJobDeps } from './deliver-mail.ts'
import { mailLanguage, queueMail } from './queue-mail.ts'
import { mintTicket, TICKET_MS } from './ticket.ts'
import { ticketUrl } from './ticket-links.ts'

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
