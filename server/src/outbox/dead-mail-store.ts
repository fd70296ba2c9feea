import { type Queryable, removeInPortions } from '../storage/index.ts'
import type { JobKind } from './job.ts'

const MAILS: readonly JobKind[] = ['mail', 'sign_up_mail', 'recovery_mail', 'account_deleted_mail']

/** Removes mails that were given up before then (ms): they hold addresses, also of users removed since. */
export async function forgetDeadMails(db: Queryable, before: number): Promise<void> {
  await removeInPortions(db, 'outbox', (e) => e.and([e('dead_at', '<', before), e('kind', 'in', MAILS)]))
}
