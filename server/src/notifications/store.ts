import { sql } from 'kysely'
import { type AmountMismatch, aliasSource, type NormalizedEvent, normalizedEvent } from '../payment-history/index.ts'
import type { Queryable } from '../storage/index.ts'
import { addressesIn } from './buyers/addresses.ts'
import { buyerTermsIn, buyerTermsOf } from './buyers/buyer-terms.ts'
import { scrubPayload } from './buyers/scrub-payload.ts'
import { termStore } from './buyers/term-store.ts'
import type { Notification, NotificationOutcome, NotificationStatus } from './notification.ts'
import { mismatchIn, statusIn, toNotification } from './notification-row.ts'
import { addNotification, processNotification } from './write-store.ts'

export interface NotificationFilter {
  source?: string
  productId?: string
  status?: NotificationStatus
  event?: string
  subject?: string
  /** Received at or after, ms. */
  since?: number
}

/** The open notifications of one source and product: for the operator, for their gateway, or given up. */
export interface OpenNotifications {
  source: string
  productId: string | undefined
  state: 'unresolved' | 'awaiting_gateway' | 'failed'
  count: number
}

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

/** A notification that waits, its row held. */
export interface HeldNotification {
  /** The gateway or sender that gave its payment the names. */
  source: string
  normalized: NormalizedEvent
  status: NotificationStatus
  why: string | undefined
  /** Only if it is applied without its plan. */
  subscriptionId: string | undefined
  mismatch: AmountMismatch | undefined
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
    /** The normalized event of a pending notification at this moment; `undefined` when it does not wait. */
    async readPending(id: string): Promise<NormalizedEvent | undefined> {
      const row = await db
        .selectFrom('notifications')
        .select('normalized')
        .where('id', '=', id)
        .where('processed_at', 'is', null)
        .executeTakeFirst()
      return row?.normalized ? normalizedEvent.parse(JSON.parse(row.normalized)) : undefined
    },
    /** The normalized event of a pending notification, its row held until the transaction ends; else `undefined`. */
    async holdPending(id: string): Promise<HeldNotification | undefined> {
      const row = await db
        .updateTable('notifications')
        .set((e) => ({ status: e.ref('status') }))
        .where('id', '=', id)
        .where('normalized', 'is not', null)
        .where('processed_at', 'is', null)
        .returning(['source', 'normalized', 'status', 'why', 'subscription_id', 'paid_amount', 'plan_price'])
        .executeTakeFirst()
      if (!row?.normalized) return undefined
      const normalized = normalizedEvent.parse(JSON.parse(row.normalized))
      return {
        source: aliasSource(row.source, normalized),
        normalized,
        status: statusIn(row),
        why: row.why ?? undefined,
        subscriptionId: row.subscription_id ?? undefined,
        mismatch: mismatchIn(row),
      }
    },
    /** Whether the gateway of a notification was being asked, or had been given up, its row held as above. */
    async holdAsked(id: string): Promise<boolean> {
      const row = await db
        .updateTable('notifications')
        .set((e) => ({ status: e.ref('status') }))
        .where('id', '=', id)
        .where((e) => e.or([e('status', '=', 'failed'), e.and([e('status', '=', 'unresolved'), e('why', '=', 'awaiting_gateway')])]))
        .returning('id')
        .executeTakeFirst()
      return row !== undefined
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
    /** Newest first, `limit` at most; `cursor` is the id of the last one of the page before. */
    async list({
      limit,
      cursor,
      source,
      productId,
      status,
      event,
      subject,
      since,
    }: NotificationFilter & { limit: number; cursor?: string }): Promise<Notification[]> {
      let query = withSuccessors(db).orderBy('notifications.id', 'desc').limit(limit)
      if (cursor !== undefined) query = query.where('notifications.id', '<', cursor)
      if (source !== undefined) query = query.where('source', '=', source)
      if (productId !== undefined) query = query.where('product_id', '=', productId)
      if (status !== undefined) query = query.where('status', '=', status)
      if (status !== undefined && status !== 'processed') query = query.where(isOutOfTheOrdinary())
      if (event !== undefined) query = query.where('event', '=', event)
      if (subject !== undefined) query = query.where('subject', '=', subject)
      if (since !== undefined) query = query.where('received_at', '>=', since)
      return (await query.execute()).map(toNotification)
    },
    /** The number of notifications that are not processed, by source and by what they wait for. */
    async countOpen(): Promise<OpenNotifications[]> {
      const state = sql<
        OpenNotifications['state']
      >`case when status = 'failed' then 'failed' when why = 'awaiting_gateway' then 'awaiting_gateway' else 'unresolved' end`
      const rows = await db
        .selectFrom('notifications')
        .select((e) => ['source', 'product_id', state.as('state'), e.fn.countAll().as('count')])
        .where('status', 'in', ['unresolved', 'failed'] satisfies NotificationStatus[])
        .where(isOutOfTheOrdinary())
        .groupBy(['source', 'product_id', state])
        .execute()
      return rows.map(({ source, product_id, state, count }) => ({
        source,
        productId: product_id ?? undefined,
        state,
        count: Number(count),
      }))
    },
  }
}

/** Joins the subscription that took the place of a merged one. */
function withSuccessors(db: Queryable) {
  return db
    .selectFrom('notifications')
    .leftJoin('merged_subscriptions', 'merged_subscriptions.id', 'subscription_id')
    .selectAll('notifications')
    .select('successor_id')
}

/** The words of the index over statuses, by which a database knows that it may use it. */
function isOutOfTheOrdinary() {
  return sql<boolean>`status != 'processed'`
}
