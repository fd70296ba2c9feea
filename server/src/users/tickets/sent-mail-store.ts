import { newId } from '../../kit/index.ts'
import { type Queryable, removeInPortions } from '../../storage/index.ts'

export interface SentMail {
  kind: string
  /** When it was written, in ms; it leaves a moment later. */
  at: number
}

/** Which mails a user was sent. What they said is not kept. */
export function sentMailStore(db: Queryable) {
  return {
    /** Notes a mail for the account that has this address; one for nobody's address is not noted. */
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
