import type { MasterKeys, Sealer } from '../../kit/index.ts'
import type { MailJobDeps } from '../../users/index.ts'

interface InviteDeps {
  config: { baseUrl: string; smtpUrl: string | undefined; mailFolder: string | undefined }
  sealer: Sealer
  masterKeys: Pick<MasterKeys, 'ticketCode'>
}

/** The sender of invitations, or `undefined` where no mail server is configured. */
export function inviteOf({ config, sealer, masterKeys }: InviteDeps): Pick<MailJobDeps, 'sealer' | 'codeKey' | 'baseUrl'> | undefined {
  return sendsNothing(config) ? undefined : { sealer, codeKey: masterKeys.ticketCode, baseUrl: config.baseUrl }
}

/** In production without a mail server. */
export function sendsNothing({ smtpUrl, mailFolder }: Pick<InviteDeps['config'], 'smtpUrl' | 'mailFolder'>): boolean {
  return smtpUrl === undefined && mailFolder === undefined
}
