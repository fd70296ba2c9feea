import type { Queryable } from '../storage/index.ts'
import type { LineKey } from './subscription.ts'

/** A buyer, with the lines that may hold their data. */
export interface Buyer {
  userId: string
  /** The account's address, if its person has proven it: what is bought with an address that is not theirs is another's. */
  email: string | undefined
}

export interface BoughtRow {
  id: string
  lineId: string
  number: number
  userId: string | undefined
  email: string | undefined
}

export function forgetBuyerStore(db: Queryable) {
  return {
    /** The address of an account if it is proven. Its row is held until the transaction ends. */
    async holdVerifiedAddress(userId: string): Promise<string | undefined> {
      const row = await db
        .updateTable('users')
        .set((e) => ({ role: e.ref('role') }))
        .where('id', '=', userId)
        .returning(['email', 'email_verified_at'])
        .executeTakeFirst()
      return row && row.email_verified_at !== null ? row.email : undefined
    },
    /** The lines with a subscription of the buyer's, or that a product links to the account's own id, or of `subscriptionIds`, held until the transaction ends. */
    async holdLines({ userId, email }: Buyer, subscriptionIds: readonly string[]): Promise<Array<{ id: string; ref: string }>> {
      const bought = db.selectFrom('subscriptions').select('line_id')
      const products = db.selectFrom('products').select('id') // by which the index finds a product's user
      return db
        .updateTable('subscription_lines')
        .set((e) => ({ source: e.ref('source') }))
        .where((e) =>
          e.or([
            e('id', 'in', bought.where('user_id', '=', userId)),
            e('id', 'in', bought.where('product_id', 'in', products).where('product_user', '=', userId)),
            ...(email === undefined ? [] : [e('id', 'in', bought.where('email', '=', email))]),
            ...(subscriptionIds.length === 0 ? [] : [e('id', 'in', bought.where('id', 'in', subscriptionIds))]),
          ]),
        )
        .returning(['id', 'ref'])
        .execute()
    },
    /** The subscriptions of a line, oldest first. */
    async listOfLine(lineId: string): Promise<BoughtRow[]> {
      const rows = await db
        .selectFrom('subscriptions')
        .select(['id', 'line_id', 'number', 'user_id', 'email'])
        .where('line_id', '=', lineId)
        .orderBy('number')
        .execute()
      return rows.map((row) => ({
        id: row.id,
        lineId: row.line_id,
        number: row.number,
        userId: row.user_id ?? undefined,
        email: row.email ?? undefined,
      }))
    },
    /** Lines that became a part of another. */
    listParts(lineId: string): Promise<Array<{ id: string; ref: string }>> {
      return db.selectFrom('subscription_lines').select(['id', 'ref']).where('merged_into', '=', lineId).execute()
    },
    /** Leaves the keyed hash where the address was; no address will claim it again. */
    async forgetAddress(subscriptionId: string, emailHash: string | undefined, at: number): Promise<void> {
      await db
        .updateTable('subscriptions')
        .set((e) => ({
          email: null,
          claim_closed_at: e.fn.coalesce('claim_closed_at', e.val(at)),
          ...(emailHash !== undefined && { email_hash: emailHash }),
        }))
        .where('id', '=', subscriptionId)
        .execute()
    },
    /** Takes what products have linked to the account's own id from it: an id that is nobody's any more opens nothing. */
    async unlinkUserId(lineId: string, userId: string): Promise<void> {
      await db
        .updateTable('subscriptions')
        .set({ product_user: null })
        .where('line_id', '=', lineId)
        .where('product_user', '=', userId)
        .execute()
    },
    /** From now on events of the line is kept without an address. */
    async forgetLine(id: string, ref: string, at: number): Promise<void> {
      await db
        .updateTable('subscription_lines')
        .set((e) => ({ ref, buyer_forgotten_at: e.fn.coalesce('buyer_forgotten_at', e.val(at)) }))
        .where('id', '=', id)
        .execute()
    },
    /** Takes an address, or all of them, out of a line's events; answers which notifications brought that events. */
    async forgetInEvents(lineId: string, email: string | undefined): Promise<string[]> {
      let update = db.updateTable('subscription_events').set({ email: null }).where('line_id', '=', lineId)
      if (email !== undefined) update = update.where('email', '=', email)
      const rows = await update.returning('notification_id').execute()
      return rows.flatMap(({ notification_id }) => (notification_id === null ? [] : [notification_id]))
    },
    async isForgotten({ source, ref }: LineKey): Promise<boolean> {
      const row = await db
        .selectFrom('subscription_lines as part')
        .innerJoin('subscription_lines as whole', (join) =>
          join.on((e) => e('whole.id', '=', e.fn.coalesce('part.merged_into', 'part.id'))),
        )
        .select('whole.buyer_forgotten_at')
        .where('part.source', '=', source)
        .where('part.ref', '=', ref)
        .executeTakeFirst()
      return row !== undefined && row.buyer_forgotten_at !== null
    },
  }
}
