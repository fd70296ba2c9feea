import type { Queryable } from '../storage/index.ts'

export interface DeletionRequest {
  userId: string
  requestedAt: number
  /** The time of the deletion, in ms. */
  dueAt: number
}

/** Requests for deletion. A row is taken once: by the undoing, or by the deletion. */
export function deletionStore(db: Queryable) {
  return {
    /** Records a request: of any number of concurrent calls for one user exactly one gets `true`. */
    async insert({ userId, requestedAt, dueAt }: DeletionRequest): Promise<boolean> {
      const { numInsertedOrUpdatedRows } = await db
        .insertInto('deletion_requests')
        .values({ user_id: userId, requested_at: requestedAt, due_at: dueAt })
        .onConflict((conflict) => conflict.doNothing())
        .executeTakeFirstOrThrow()
      return numInsertedOrUpdatedRows === 1n
    },
    /** Holds a request, if there is one, until the transaction ends. */
    async hold(userId: string): Promise<void> {
      await db.updateTable('deletion_requests').set({ user_id: userId }).where('user_id', '=', userId).execute()
    },
    /** Withdraws a request: of any number of concurrent calls, of this and of `takeDue`, exactly one gets it. */
    async take(userId: string): Promise<DeletionRequest | undefined> {
      const row = await db.deleteFrom('deletion_requests').where('user_id', '=', userId).returningAll().executeTakeFirst()
      return row && { userId: row.user_id, requestedAt: row.requested_at, dueAt: row.due_at }
    },
    /** Takes a due request, as above; `false` when there is none. */
    async takeDue(userId: string, now: number): Promise<boolean> {
      const { numDeletedRows } = await db
        .deleteFrom('deletion_requests')
        .where('user_id', '=', userId)
        .where('due_at', '<=', now)
        .executeTakeFirst()
      return numDeletedRows === 1n
    },
    /** The users with a due request, the longest due first. */
    async listDue(now: number, limit: number): Promise<string[]> {
      const rows = await db
        .selectFrom('deletion_requests')
        .select('user_id')
        .where('due_at', '<=', now)
        .orderBy('due_at')
        .limit(limit)
        .execute()
      return rows.map((row) => row.user_id)
    },
  }
}
