import { sql } from 'kysely'
import type { Queryable } from '../../storage/index.ts'
import type { StreamKey } from '../subscription.ts'

/** The product's user, unless the product names the account that has the subscription by its id: that link goes with the account. */
const WITHOUT_ACCOUNT = sql<string | null>`case when product_user = user_id then null else product_user end`

/** The operator's changes of links. */
export function linkStore(db: Queryable) {
  return {
    /** The stream of a subscription, held until the transaction ends, so no event comes between. */
    async holdStreamOf(subscriptionId: string): Promise<StreamKey | undefined> {
      return db
        .updateTable('event_streams')
        .set((e) => ({ source: e.ref('source') }))
        .where('id', '=', (e) => e.selectFrom('subscriptions').select('stream_id').where('subscriptions.id', '=', subscriptionId))
        .returning(['source', 'ref'])
        .executeTakeFirst()
    },
    /** An account by its id or its address, held until the transaction ends. */
    async holdUser(who: { id: string } | { email: string }): Promise<{ id: string; email: string; isVerified: boolean } | undefined> {
      const update = db.updateTable('users').set((e) => ({ role: e.ref('role') }))
      const named = 'id' in who ? update.where('id', '=', who.id) : update.where('email', '=', who.email)
      const row = await named.returning(['id', 'email', 'email_verified_at']).executeTakeFirst()
      return row && { id: row.id, email: row.email, isVerified: row.email_verified_at !== null }
    },
    /** Those of these addresses that have purchases without an account. */
    async listGuests(emails: readonly string[]): Promise<string[]> {
      if (emails.length === 0) return []
      const rows = await db.selectFrom('subscriptions').select('email').where('email', 'in', emails).where('user_id', 'is', null).execute()
      return rows.flatMap(({ email }) => email ?? [])
    },
    /** Removes the link to the account; `linkClosedAt`: since when no address makes one by itself. */
    async unlinkUser(id: string, linkClosedAt: number): Promise<void> {
      await db
        .updateTable('subscriptions')
        .set({ user_id: null, product_user: WITHOUT_ACCOUNT, link_closed_at: linkClosedAt })
        .where('id', '=', id)
        .execute()
    },
    /** Removes the link to the product's user. The next check that gives both inputs makes a new one. */
    async unlinkProductUser(id: string): Promise<void> {
      await db.updateTable('subscriptions').set({ product_user: null }).where('id', '=', id).execute()
    },
    async linkUser(id: string, userId: string, linkClosedAt: number | undefined): Promise<void> {
      await db
        .updateTable('subscriptions')
        .set({ user_id: userId, product_user: WITHOUT_ACCOUNT, link_closed_at: linkClosedAt ?? null })
        .where('id', '=', id)
        .execute()
    },
  }
}
