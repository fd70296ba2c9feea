import { readMailLook } from '../../appearance/index.ts'
import type { Sealer } from '../../kit/index.ts'
import { composeMail, type Mail, type MailData, type MailKind } from '../../mail/index.ts'
import { addJob } from '../../outbox/index.ts'
import { type Language, languages } from '../../pages/index.ts'
import type { Transaction } from '../../storage/index.ts'
import type { User } from '../user.ts'
import { sentMailStore } from './sent-mail-store.ts'

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
