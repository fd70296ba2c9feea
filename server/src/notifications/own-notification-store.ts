import type { Queryable } from '../storage/index.ts'

export interface OwnNotification {
  id: string
  source: string
  event: string
  status: string
  /** Ms. */
  receivedAt: number
  /** What was sent, where it speaks of this person alone: a gateway's payload names others too. */
  payload: string | undefined
}

/** What was told about a person's payments: under their proven address, and of what is linked to them. Newest first. */
export async function listOwnNotifications(
  db: Queryable,
  { email, ids, limit }: { email: string | undefined; ids: readonly string[]; limit: number },
): Promise<OwnNotification[]> {
  if (email === undefined && ids.length === 0) return []
  const rows = await db
    .selectFrom('notifications')
    .select(['id', 'source', 'event', 'status', 'received_at', 'payload', 'subject'])
    .where((e) => e.or([...(email === undefined ? [] : [e('subject', '=', email)]), ...(ids.length === 0 ? [] : [e('id', 'in', ids)])]))
    .orderBy('id', 'desc')
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
