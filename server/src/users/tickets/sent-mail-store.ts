import { newId } from '../../kit/index.ts'
import { type Queryable, removeInPortions } from '../../storage/index.ts'

export interface SentMail {
  kind: string
  /** The time of writing, in ms; the mail leaves a moment later. */
  at: number
}

/** The mails that a user was sent, without their content. */
export function sentMailStore(db: Queryable) {
  return {
    /** Notes a mail for the account that has this address; without such an account nothing is noted. */
    async note(email: string, kind: string, at: number): Promise<void> {
      await db
        .insertInto('sent_mails')
        .columns(['id', 'user_id', 'kind', 'at'])
        .expression((e) =>
          e
            .selectFrom('users')
            .select((s) => [
              s.val(newId()).as('id'),
              'users.id as user_id',
              s.val(kind).as('kind'),
              s.cast<number>(s.val(at), 'bigint').as('at'),
            ])
            .where('email', '=', email),
        )
        .execute()
    },
    /** The newest first. */
    async list(userId: string, limit: number): Promise<SentMail[]> {
      return db.selectFrom('sent_mails').select(['kind', 'at']).where('user_id', '=', userId).orderBy('id', 'desc').limit(limit).execute()
    },
    async forgetOld(before: number): Promise<void> {
      await removeInPortions(db, 'sent_mails', (e) => e('at', '<', before))
    },
  }
}
