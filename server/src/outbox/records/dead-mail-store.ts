import { type Queryable, removeInPortions } from '../../storage/index.ts'
import type { JobKind } from '../job.ts'

const OF_USERS: readonly JobKind[] = ['mail', 'sign_up_mail', 'recovery_mail', 'account_deleted_mail', 'backchannel_logout']

/** Removes mails and notices of sign-outs that were given up before then (ms): they name users, also those removed since. */
export async function forgetDeadMails(db: Queryable, before: number): Promise<void> {
  await removeInPortions(db, 'outbox', (e) => e.and([e('dead_at', '<', before), e('kind', 'in', OF_USERS)]))
}
