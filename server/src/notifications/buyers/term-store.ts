import { prepareWithList, type Queryable } from '../../storage/index.ts'

/**
 * The terms by which notifications are found: addresses, and what `buyer-details.ts` reads of a buyer. They say nothing that the payload
 * beside them does not, and both go together.
 */
export function termStore(db: Queryable) {
  return {
    async note(notificationId: string, terms: readonly string[]): Promise<void> {
      if (terms.length === 0) return
      await noteTerms(db, { notificationId }, terms)
    },
    async forget(notificationId: string, terms: readonly string[]): Promise<void> {
      if (terms.length === 0) return
      await db.deleteFrom('notification_terms').where('term', 'in', terms).where('notification_id', '=', notificationId).execute()
    },
  }
}

const noteTerms = prepareWithList((db, { notificationId }: { notificationId: string }, terms) =>
  db
    .insertInto('notification_terms')
    .values(terms.map((term) => ({ term, notification_id: notificationId })))
    .onConflict((conflict) => conflict.doNothing()),
)
