import { sql } from 'kysely'
import type { NormalizedEvent } from '../payment-history/index.ts'
import type { Queryable } from '../storage/index.ts'
import { addressesIn } from './buyers/addresses.ts'
import { buyerTermsIn, buyerTermsOf } from './buyers/buyer-terms.ts'
import { scrubPayload } from './buyers/scrub-payload.ts'
import { termStore } from './buyers/term-store.ts'
import type { Notification, NotificationOutcome } from './notification.ts'
import { toNotification } from './notification-row.ts'
import { addNotification, processNotification } from './write-store.ts'

/** A notification as it is first written. `digest` is the same for the same notification, however often it is sent. */
export interface Received
  extends Pick<Notification, 'id' | 'source' | 'productId' | 'event' | 'status' | 'why' | 'subject' | 'payload' | 'receivedAt'> {
  digest: string
  /** The payload as it was parsed, so that it is not parsed again. */
  body?: unknown
  /** The query that came with it, where that says something. */
  query?: string
  /** Its normalized event, while that waits. */
  normalized?: NormalizedEvent
}

/** No gateway sends so many buyers at once. A sender that does keeps none of their addresses. */
const MAX_ADDRESSES = 50

export function notificationStore(db: Queryable) {
  return {
    /**
     * Keeps a notification and what it is found by. Of any number of calls with one source and digest, exactly one gets `true`. `isOpen`:
     * the same transaction writes the payload with the outcome (`process`).
     */
    async add(
      { id, source, productId, digest, event, status, why, subject, payload, body, query, normalized, receivedAt }: Received,
      { isOpen = false }: { isOpen?: boolean } = {},
    ): Promise<boolean> {
      const text = normalized ? JSON.stringify(normalized) : null
      const addresses = addressesIn(payload, text ?? undefined)
      const isList = addresses.length > MAX_ADDRESSES
      const { numAffectedRows } = await addNotification(db, {
        id,
        source,
        product_id: productId ?? null,
        digest,
        event,
        status,
        why: why ?? null,
        subject: subject ?? null,
        payload: isList ? scrubPayload(payload) : isOpen ? '' : payload,
        query: query ?? null,
        normalized: text,
        subscription_id: null,
        received_at: receivedAt,
        processed_at: null,
      })
      const isNew = numAffectedRows === 1n
      if (!isNew || isList) return isNew
      const terms = body === undefined ? buyerTermsOf(payload) : buyerTermsIn(body)
      // By its subject a notification is found already.
      await termStore(db).note(id, [...addresses.filter((address) => address !== subject), ...terms])
      return isNew
    },
    /** Writes the outcome of a notification. While it is pending its normalized event is kept, and no time says when it was processed. */
    async process(id: string, outcome: NotificationOutcome): Promise<void> {
      const normalized = outcome.normalized ? JSON.stringify(outcome.normalized) : null
      if (normalized !== null) await termStore(db).note(id, addressesIn(normalized)) // an address from the API stands in no payload
      await processNotification(db, {
        id,
        status: outcome.status,
        why: outcome.why ?? null,
        normalized,
        applied: outcome.applied ? JSON.stringify(outcome.applied) : null,
        subscription_id: outcome.subscriptionId ?? null,
        processed_at: outcome.at ?? null,
        paid_amount: outcome.mismatch?.paid ?? null,
        plan_price: outcome.mismatch?.price ?? null,
        payload: outcome.payload ?? '',
        took_ms: outcome.tookMs ?? null,
      })
    },
    async findById(id: string): Promise<Notification | undefined> {
      const row = await withSuccessors(db).where('notifications.id', '=', id).executeTakeFirst()
      return row && toNotification(row)
    },
    /** The one notification of a source with this digest. */
    async findByDigest(source: string, digest: string): Promise<Notification | undefined> {
      const row = await withSuccessors(db).where('source', '=', source).where('digest', '=', digest).executeTakeFirst()
      return row && toNotification(row)
    },
    /**
     * Notes the buyer of a notification, and their address, as the gateway's API or the operator gives it. The notification is found by
     * both.
     */
    async noteBuyer(id: string, { buyer, email }: { buyer?: string | undefined; email: string | undefined }): Promise<void> {
      if (buyer !== undefined) await db.updateTable('notifications').set({ buyer }).where('id', '=', id).execute()
      await termStore(db).note(id, [...new Set([...buyerTermsOf(buyer), ...addressesIn(email)])])
    },
    /** Ordered by id. */
    async listByIds(ids: readonly string[]): Promise<Notification[]> {
      if (ids.length === 0) return []
      const rows = await withSuccessors(db).where('notifications.id', 'in', ids).execute()
      const found = new Map(rows.map((row) => [row.id, toNotification(row)]))
      return ids.flatMap((id) => found.get(id) ?? [])
    },
  }
}

/** Joins the subscription that took the place of a merged one. */
export function withSuccessors(db: Queryable) {
  return db
    .selectFrom('notifications')
    .leftJoin('merged_subscriptions', 'merged_subscriptions.id', 'subscription_id')
    .selectAll('notifications')
    .select('successor_id')
}

/** Worded as in the partial index over statuses: without it a database reads all notifications. */
export function isNotProcessed() {
  return sql<boolean>`status != 'processed'`
}

/** Needs somebody: it failed, or is unresolved and no gateway is being asked about it. By the same index. */
export function isStuck() {
  return sql<boolean>`status in ('unresolved', 'failed') and ${isNotProcessed()} and (why is null or why != 'awaiting_gateway')`
}
