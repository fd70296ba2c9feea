import { sql } from 'kysely'
import { type NotificationRow, prepare } from '../storage/index.ts'

// The two statements that every delivery runs, compiled once.

/** Writes a notification, unless its source has sent the same before. */
export const addNotification = prepare((db, row: Omit<NotificationRow, 'buyer' | 'applied' | 'paid_amount' | 'plan_price' | 'took_ms'>) =>
  db
    .insertInto('notifications')
    .values({
      id: row.id,
      source: row.source,
      product_id: row.product_id,
      digest: row.digest,
      event: row.event,
      status: row.status,
      why: row.why,
      subject: row.subject,
      payload: row.payload,
      query: row.query,
      normalized: row.normalized,
      subscription_id: row.subscription_id,
      received_at: row.received_at,
      processed_at: row.processed_at,
    })
    .onConflict((conflict) => conflict.doNothing()),
)

/**
 * Writes the outcome of a notification. Earlier lines of `applied` stay, and one is added. The payload is written if it was left out: a row
 * of full length that grows later takes two pages of SQLite's log instead of one.
 */
export const processNotification = prepare(
  (db, row: Omit<NotificationRow, 'source' | 'product_id' | 'digest' | 'event' | 'subject' | 'query' | 'buyer' | 'received_at'>) =>
    db
      .updateTable('notifications')
      .set({
        status: row.status,
        why: row.why,
        payload: sql<string>`case when payload = '' then cast(${row.payload} as text) else payload end`,
        normalized: row.normalized,
        applied: sql<
          string | null
        >`coalesce(applied || cast(${'\n'} as text) || cast(${row.applied} as text), cast(${row.applied} as text), applied)`,
        subscription_id: row.subscription_id,
        processed_at: row.processed_at,
        paid_amount: row.paid_amount,
        plan_price: row.plan_price,
        took_ms: sql<number | null>`coalesce(took_ms, cast(${row.took_ms} as integer))`,
      })
      .where('id', '=', row.id),
)
