import path from 'node:path'
import { sendsNothing } from '../../admin/index.ts'
import type { AppContext } from '../../context.ts'

/** How a user without a password gets one. */
export function passwordHint({ email }: { email: string }, { config }: Pick<AppContext, 'config'>): string {
  const byHand = `portaria user set-password ${email} --password-stdin`
  if (sendsNothing(config))
    return `No password yet, and no mail will be sent since PORTARIA_SMTP_URL is not set. Set a password:  ${byHand}`
  const way =
    config.smtpUrl === undefined && config.mailFolder !== undefined
      ? `PORTARIA_SMTP_URL is not set: the running service writes the mail to ${path.normalize(`${config.mailFolder}/`)}.`
      : 'The running service sends it.'
  return `No password yet: an invitation to choose one goes to ${email}, its link valid for 7 days. ${way}\nIt leads to ${config.baseUrl}: if users reach the service elsewhere, give this command the service's own environment.\nOr set a password:  ${byHand}`
}
