import type { Transaction } from '../../storage/index.ts'
import type { MailJobDeps } from './deliver-mail.ts'
import { mintTicket } from './ticket.ts'

/** The link of a ticket. The secret is in the query, which our logs leave out and our pages never pass on. */
export function ticketUrl(
  baseUrl: string,
  path: '/verify' | '/reset-password' | '/invitation' | '/confirm-email' | '/report-sign-in' | '/undo-deletion',
  secret: string,
): string {
  return `${baseUrl}${path}?ticket=${secret}`
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
