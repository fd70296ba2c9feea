import { sql } from 'kysely'
import type { NotificationRow, Queryable } from '../storage/index.ts'
import { NOTIFICATION_STATUSES, type Notification, type NotificationStatus, type Told, told } from './notification.ts'

export interface NotificationFilter {
  source?: string
  status?: NotificationStatus
  event?: string
  subject?: string
  /** Received at or after, ms. */
  since?: number
}

/** A notification as it is first written. `digest` is the same for the same notification, however often it is sent. */
export interface Received
  extends Pick<Notification, 'id' | 'source' | 'productId' | 'event' | 'status' | 'why' | 'subject' | 'payload' | 'receivedAt'> {
  digest: string
}

export function notificationStore(db: Queryable) {
  return {
    /** Keeps a notification. Of any number with one source and digest, exactly one gets `true`. */
    async add({ id, source, productId, digest, event, status, why, subject, payload, receivedAt }: Received): Promise<boolean> {
      const { numInsertedOrUpdatedRows } = await db
        .insertInto('notifications')
        .values({
          id,
          source,
          product_id: productId ?? null,
          digest,
          event,
          status,
          why: why ?? null,
          subject: subject ?? null,
          payload,
          told: null,
          subscription_id: null,
          received_at: receivedAt,
          settled_at: null,
        })
        .onConflict((conflict) => conflict.doNothing())
        .executeTakeFirstOrThrow()
      return numInsertedOrUpdatedRows === 1n
    },
    /** Writes what has become of a notification. What it tells is kept while it waits. */
    async settle(
      id: string,
      outcome: { status: NotificationStatus; why?: string; told?: Told; subscriptionId?: string; at?: number },
    ): Promise<void> {
      await db
        .updateTable('notifications')
        .set({
          status: outcome.status,
          why: outcome.why ?? null,
          told: outcome.told ? JSON.stringify(outcome.told) : null,
          subscription_id: outcome.subscriptionId ?? null,
          settled_at: outcome.at ?? null,
        })
        .where('id', '=', id)
        .execute()
    },
    /** What a waiting notification tells, its row held until the transaction ends; `undefined` when it does not wait. */
    async holdWaiting(id: string): Promise<{ source: string; told: Told; why: string | undefined } | undefined> {
      const row = await db
        .updateTable('notifications')
        .set((e) => ({ status: e.ref('status') }))
        .where('id', '=', id)
        .where('status', '=', 'unresolved')
        .returning(['source', 'told', 'why'])
        .executeTakeFirst()
      return row?.told ? { source: row.source, told: told.parse(JSON.parse(row.told)), why: row.why ?? undefined } : undefined
    },
    async findById(id: string): Promise<Notification | undefined> {
      const row = await db.selectFrom('notifications').selectAll().where('id', '=', id).executeTakeFirst()
      return row && toNotification(row)
    },
    /** The one notification of a source with this digest. */
    async findByDigest(source: string, digest: string): Promise<Notification | undefined> {
      const row = await db
        .selectFrom('notifications')
        .selectAll()
        .where('source', '=', source)
        .where('digest', '=', digest)
        .executeTakeFirst()
      return row && toNotification(row)
    },
    /** Newest first, `limit` at most; `cursor` is the id of the last one of the page before. */
    async list({
      limit,
      cursor,
      source,
      status,
      event,
      subject,
      since,
    }: NotificationFilter & { limit: number; cursor?: string }): Promise<Notification[]> {
      let query = db.selectFrom('notifications').selectAll().orderBy('id', 'desc').limit(limit)
      if (cursor !== undefined) query = query.where('id', '<', cursor)
      if (source !== undefined) query = query.where('source', '=', source)
      if (status !== undefined) query = query.where('status', '=', status)
      if (status !== undefined && status !== 'processed') query = query.where(isOutOfTheOrdinary())
      if (event !== undefined) query = query.where('event', '=', event)
      if (subject !== undefined) query = query.where('subject', '=', subject)
      if (since !== undefined) query = query.where('received_at', '>=', since)
      return (await query.execute()).map(toNotification)
    },
    /** How many wait for the operator. */
    async countWaiting(): Promise<number> {
      const { count } = await db
        .selectFrom('notifications')
        .select((e) => e.fn.countAll().as('count'))
        .where('status', '=', 'unresolved' satisfies NotificationStatus)
        .where(isOutOfTheOrdinary())
        .executeTakeFirstOrThrow()
      return Number(count)
    },
  }
}

/** The words of the index over statuses, by which a database knows that it may use it. */
function isOutOfTheOrdinary() {
  return sql<boolean>`status != 'processed'`
}

function toNotification(row: NotificationRow): Notification {
  const status = NOTIFICATION_STATUSES.find((name) => name === row.status)
  if (!status) throw new Error(`a notification of an unknown status: ${row.status}`)
  return {
    id: row.id,
    source: row.source,
    productId: row.product_id ?? undefined,
    event: row.event,
    status,
    why: row.why ?? undefined,
    subject: row.subject ?? undefined,
    payload: row.payload,
    subscriptionId: row.subscription_id ?? undefined,
    receivedAt: row.received_at,
    settledAt: row.settled_at ?? undefined,
  }
}
