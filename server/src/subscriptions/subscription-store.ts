import { sql } from 'kysely'
import { DAY_MS } from '../kit/index.ts'
import { prepare, type Queryable } from '../storage/index.ts'
import type { Method } from './method.ts'
import type { Subscription } from './subscription.ts'
import { toColumns, toLinks, toSubscription } from './subscription-row.ts'
import type { SubscriptionState } from './subscription-states.ts'
import { insertSubscription, updateSubscription } from './write-subscription-store.ts'

export interface SubscriptionFilter {
  userId?: string
  email?: string
  /** The hash that replaces the address of a deleted account: those subscriptions are found too. */
  emailHash?: string
  productId?: string
  state?: SubscriptionState
}

export function subscriptionStore(db: Queryable) {
  return {
    /**
     * Writes a new subscription. If no user has it, it goes to the user with the verified address of its buyer. Answers it as it is then.
     * `awaitsLink`: no user of the product has it, and one has another of the same address.
     */
    async insert(subscription: Subscription, at: number): Promise<{ written: Subscription; awaitsLink: boolean }> {
      const [row] = (await insertSubscription(db, { ...toColumns(subscription), email_hash: null, created_at: at })).rows
      if (!row) throw new Error('a subscription just written is not there')
      return { written: { ...subscription, userId: row.user_id ?? undefined }, awaitsLink: row.awaits_link === 1 }
    },
    /**
     * Writes a changed subscription. Its links stay, unless it was handed on to another user. If no user has it, it goes to the given one,
     * or to the user with the verified address of its buyer: this event may be the first with an address. Answers it with links that were
     * made at the same moment.
     */
    async update(subscription: Subscription): Promise<{ written: Subscription; awaitsLink: boolean }> {
      const [row] = (await updateSubscription(db, toColumns(subscription))).rows
      if (!row) throw new Error('a subscription to be written is not there')
      return { written: { ...subscription, ...toLinks(row) }, awaitsLink: row.awaits_link === 1 }
    },
    /** Removes the subscriptions of a stream from this number on; answers them as they were, oldest first. */
    async removeFrom(streamId: string, number: number): Promise<Subscription[]> {
      const rows = await db
        .deleteFrom('subscriptions')
        .where('stream_id', '=', streamId)
        .where('number', '>=', number)
        .returningAll()
        .execute()
      return rows.map(toSubscription).sort((a, b) => a.number - b.number)
    },
    async findById(id: string): Promise<Subscription | undefined> {
      const row = await db.selectFrom('subscriptions').selectAll().where('id', '=', id).executeTakeFirst()
      return row && toSubscription(row)
    },
    /** The subscriptions in the order of the ids; missing ones are left out. */
    async listByIds(ids: readonly string[]): Promise<Subscription[]> {
      if (ids.length === 0) return []
      const rows = await db.selectFrom('subscriptions').selectAll().where('id', 'in', ids).execute()
      const found = new Map(rows.map((row) => [row.id, toSubscription(row)]))
      return ids.flatMap((id) => found.get(id) ?? [])
    },
    /** The subscriptions of a stream, oldest first. */
    async listOfStream(streamId: string): Promise<Subscription[]> {
      return (await listOfStream(db, { streamId })).rows.map(toSubscription)
    },
    /** Newest first, `limit` at most; `cursor` is the id of the last one of the page before. */
    async list({
      limit,
      cursor,
      userId,
      email,
      emailHash,
      productId,
      state,
    }: SubscriptionFilter & { limit: number; cursor?: string }): Promise<Subscription[]> {
      let query = db.selectFrom('subscriptions').selectAll().orderBy('id', 'desc').limit(limit)
      if (cursor !== undefined) query = query.where('id', '<', cursor)
      if (userId !== undefined) query = query.where('user_id', '=', userId)
      if (email !== undefined) {
        query = query.where((e) => e.or([e('email', '=', email), ...(emailHash === undefined ? [] : [e('email_hash', '=', emailHash)])]))
      }
      if (productId !== undefined) query = query.where('product_id', '=', productId)
      if (state !== undefined) query = query.where('state', '=', state)
      return (await query.execute()).map(toSubscription)
    },
    /** Links every purchase of an account's address that no user has; answers those, in the order of their ids. */
    async link(userId: string, email: string): Promise<Array<{ id: string; productId: string | undefined }>> {
      const rows = await db
        .updateTable('subscriptions')
        .set({ user_id: userId })
        .where('email', '=', email)
        .where('user_id', 'is', null)
        .where('link_closed_at', 'is', null)
        .returning(['id', 'product_id'])
        .execute()
      return rows.map(({ id, product_id }) => ({ id, productId: product_id ?? undefined })).sort((a, b) => (a.id < b.id ? -1 : 1))
    },
    /** Sets the end of access to a product by its days of grace for each method; an unknown method counts as a card. One statement. */
    async moveAccess(productId: string, { pix, boleto, card }: Readonly<Record<Method, number>>): Promise<void> {
      const ms = (days: number) => sql.lit(days * DAY_MS)
      const graceMs = sql<number>`case method when 'pix' then ${ms(pix)} when 'boleto' then ${ms(boleto)} else ${ms(card)} end`
      await db
        .updateTable('subscriptions')
        .set({ access_until: sql<number>`grace_from + ${graceMs}` })
        .where('product_id', '=', productId)
        .where('grace_from', 'is not', null)
        .execute()
    },
    /** An account's address, if it is verified. */
    async verifiedAddress(userId: string): Promise<string | undefined> {
      const row = await db
        .selectFrom('users')
        .select('email')
        .where('id', '=', userId)
        .where('email_verified_at', 'is not', null)
        .executeTakeFirst()
      return row?.email
    },
  }
}

const listOfStream = prepare((db, { streamId }: { streamId: string }) =>
  db.selectFrom('subscriptions').selectAll().where('stream_id', '=', streamId).orderBy('number'),
)
