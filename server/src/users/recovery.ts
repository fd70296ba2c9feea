import { z } from 'zod'
import { type Now, normaliseEmail, type Sealer } from '../kit/index.ts'
import { addJob } from '../outbox/index.ts'
import type { Language } from '../pages/index.ts'
import type { Storage, Transaction } from '../storage/index.ts'
import type { Ticket } from './tickets/ticket.ts'

/** How the mail of a recovery speaks and looks. `productId`: the app that it began at. */
interface RecoveryMail {
  language: Language
  productId?: string | undefined
}

/**
 * Begins the recovery of a forgotten password. The outbox finds out later whether there is an account: answer, work and time of the form
 * are the same for every address.
 */
export async function beginRecovery(
  email: string,
  mail: RecoveryMail,
  { storage, sealer, now }: { storage: Storage; sealer: Sealer; now: Now },
): Promise<void> {
  await storage.transaction((tx) => queueRecovery(tx, email, mail, { sealer, at: now() }))
}

/** The same, in a transaction that makes a new password necessary. */
export async function queueRecovery(
  tx: Transaction,
  email: string,
  { language, productId }: RecoveryMail,
  { sealer, at }: { sealer: Sealer; at: number },
): Promise<void> {
  const mail = { email: normaliseEmail(email) ?? '', language, ...(productId !== undefined && { productId }) }
  await addJob(tx, { kind: 'recovery_mail', payload: mail }, { sealer, at })
}

const begun = z.object({ productId: z.string().optional() })

/** The app at which a recovery began, of its ticket. */
export function readRecoveryProduct({ payload }: Ticket): string | undefined {
  return begun.parse(payload).productId
}
