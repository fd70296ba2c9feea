import type { Transaction } from '../../../storage/index.ts'
import type { MailJobDeps } from '../../tickets/deliver-mail.ts'
import { mailLanguage, queueMail } from '../../tickets/queue-mail.ts'
import { mintReportUrl } from '../../tickets/ticket-links.ts'
import type { User } from '../../user.ts'

type Deps = Pick<MailJobDeps, 'sealer' | 'codeKey' | 'baseUrl' | 'now'>

/** Notifies a user that their CPF or CNPJ was corrected in a browser of theirs, and from where. `taxId`: the new one, masked. */
export async function queueTaxIdCorrected(
  tx: Transaction,
  user: User,
  { taxId, device, ip }: { taxId: string; device: string; ip: string },
  deps: Deps,
): Promise<void> {
  const at = deps.now()
  const data = { name: user.name, when: at, device, ip, taxId, reportUrl: await mintReportUrl(tx, user, deps) }
  await queueMail(tx, { to: user.email, kind: 'tax_id_corrected', data, language: mailLanguage(user) }, { sealer: deps.sealer, at })
}

/** The same where support changed it: somebody may have posed as the user. `taxId`: masked; `null`: it was removed. */
export async function queueTaxIdChangedBySupport(tx: Transaction, user: User, taxId: string | null, deps: Deps): Promise<void> {
  const at = deps.now()
  const data = { name: user.name, when: at, ...(taxId !== null && { taxId }), reportUrl: await mintReportUrl(tx, user, deps) }
  await queueMail(
    tx,
    { to: user.email, kind: 'tax_id_changed_by_support', data, language: mailLanguage(user) },
    { sealer: deps.sealer, at },
  )
}
