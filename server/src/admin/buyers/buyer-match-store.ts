import type { Queryable } from '../../storage/index.ts'

/** Of each kind of match. More are no evidence. */
const MOST = 10
/** A name before the `@` that more have than this, as `contato@`, identifies nobody. */
const COMMON = 3

/** A notification without what was sent. */
export interface MatchedNotification {
  id: string
  source: string
  event: string
  status: string
  why: string | undefined
  productId: string | undefined
  subscriptionId: string | undefined
  /** Ms. */
  receivedAt: number
}

/** Users and purchases by what one knows of the other; each look-up by an index, and bounded. */
export function buyerMatchStore(db: Queryable) {
  return {
    /** The users with one of these addresses. */
    async findUsersByAddress(addresses: readonly string[]): Promise<string[]> {
      if (addresses.length === 0) return []
      const rows = await db.selectFrom('users').select('id').where('email', 'in', addresses).limit(MOST).execute()
      return rows.map(({ id }) => id)
    },
    /** The users whose addresses are the same before the `@`, at another domain; none where there are many. */
    async findUsersByMailboxName(address: string): Promise<string[]> {
      const beginning = address.slice(0, address.lastIndexOf('@') + 1)
      const rows = await db
        .selectFrom('users')
        .select(['id', 'email'])
        .where('email', '>=', beginning)
        .where('email', '<', `${beginning}\u{10ffff}`)
        .where('email', '!=', address)
        .limit(COMMON + 1)
        .execute()
      return rows.length > COMMON ? [] : rows.filter(({ email }) => email.startsWith(beginning)).map(({ id }) => id)
    },
    /** The subscriptions that were bought with one of these addresses, with or without a user. */
    async findBoughtWith(addresses: readonly string[]): Promise<string[]> {
      if (addresses.length === 0) return []
      const rows = await db.selectFrom('subscriptions').select('id').where('email', 'in', addresses).limit(MOST).execute()
      return rows.map(({ id }) => id)
    },
    /** The subscriptions without a user whose addresses are the same before the `@`, at another domain; none where there are many. */
    async findBoughtByMailboxName(address: string): Promise<string[]> {
      const beginning = address.slice(0, address.lastIndexOf('@') + 1)
      const rows = await db
        .selectFrom('subscriptions')
        .select(['id', 'email'])
        .where('email', '>=', beginning)
        .where('email', '<', `${beginning}\u{10ffff}`)
        .where('email', '!=', address)
        .where('user_id', 'is', null)
        .limit(COMMON + 1)
        .execute()
      return rows.length > COMMON ? [] : rows.filter(({ email }) => email?.startsWith(beginning)).map(({ id }) => id)
    },
    /** These notifications without their payloads, with the subscriptions that they are about now. The newest first. */
    async listNotifications(ids: readonly string[]): Promise<MatchedNotification[]> {
      if (ids.length === 0) return []
      const rows = await db
        .selectFrom('notifications')
        .leftJoin('merged_subscriptions', 'merged_subscriptions.id', 'subscription_id')
        .select(['notifications.id', 'source', 'event', 'status', 'why', 'product_id', 'subscription_id', 'successor_id', 'received_at'])
        .where('notifications.id', 'in', ids)
        .orderBy('notifications.id', 'desc')
        .execute()
      return rows.map((row) => ({
        id: row.id,
        source: row.source,
        event: row.event,
        status: row.status,
        why: row.why ?? undefined,
        productId: row.product_id ?? undefined,
        subscriptionId: row.successor_id ?? row.subscription_id ?? undefined,
        receivedAt: row.received_at,
      }))
    },
  }
}
