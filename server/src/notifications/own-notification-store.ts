import type { Queryable } from '../storage/index.ts'

export interface OwnNotification {
  id: string
  source: string
  event: string
  status: string
  /** Ms. */
  receivedAt: number
  /** The text as sent, if it is about this person alone. A gateway's payload names others too. */
  payload: string | undefined
}

/**
 * The notifications about a user's payments, newest first: those under their verified address, and those of subscriptions linked to them.
 * A subscription that is linked to another account belongs to that one, because mailboxes change hands.
 */
export async function listOwnNotifications(
  db: Queryable,
  { userId, email, ids, limit }: { userId: string; email: string | undefined; ids: readonly string[]; limit: number },
): Promise<OwnNotification[]> {
  if (email === undefined && ids.length === 0) return []
  const rows = await db
    .selectFrom('notifications')
    .leftJoin('merged_subscriptions', 'merged_subscriptions.id', 'subscription_id')
    .leftJoin('subscriptions', (join) => join.on((e) => e('subscriptions.id', '=', e.fn.coalesce('successor_id', 'subscription_id'))))
    .select(['notifications.id', 'notifications.source', 'event', 'status', 'received_at', 'payload', 'subject'])
    .where((e) =>
      e.or([
        ...(email === undefined ? [] : [e.and([e('subject', '=', email), e.or([e('user_id', 'is', null), e('user_id', '=', userId)])])]),
        ...(ids.length === 0 ? [] : [e('notifications.id', 'in', ids)]),
      ]),
    )
    .orderBy('notifications.id', 'desc')
    .limit(limit)
    .execute()
  return rows.map((row) => ({
    id: row.id,
    source: row.source,
    event: row.event,
    status: row.status,
    receivedAt: row.received_at,
    payload: row.source === 'purchase' && email !== undefined && row.subject === email ? row.payload : undefined,
  }))
}
