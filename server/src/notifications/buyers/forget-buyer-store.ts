import { type AppliedEvent, type NormalizedEvent, normalizedEvent } from '../../payment-history/index.ts'
import type { Queryable } from '../../storage/index.ts'
import { attemptStore } from '../attempts/attempt-store.ts'
import type { NotificationStatus } from '../notification.ts'
import { appliedIn, statusIn } from '../notification-row.ts'
import { addressesIn } from './addresses.ts'
import { buyerTermsOf } from './buyer-terms.ts'
import { termStore } from './term-store.ts'

/** The parts of a notification in which a buyer's data can stand. */
interface KeptText {
  status: NotificationStatus
  why: string | undefined
  payload: string
  query: string | undefined
  buyer: string | undefined
  normalized: NormalizedEvent | undefined
  applied: readonly AppliedEvent[]
}

type Scrubbed = Omit<KeptText, 'status' | 'buyer'>

export function forgetBuyerStore(db: Queryable) {
  return {
    /** The notifications in which an address stands, whatever has become of them, and the subscriptions they went to. */
    async listAbout(address: string): Promise<Array<{ id: string; subscriptionId: string | undefined }>> {
      const holding = db.selectFrom('notification_terms').select('notification_id').where('term', '=', address)
      const rows = await db
        .selectFrom('notifications')
        .leftJoin('merged_subscriptions', 'merged_subscriptions.id', 'subscription_id')
        .select(['notifications.id', 'subscription_id', 'successor_id'])
        .where((e) => e.or([e('subject', '=', address), e('notifications.id', 'in', holding)]))
        .execute()
      return rows.map((row) => ({ id: row.id, subscriptionId: row.successor_id ?? row.subscription_id ?? undefined }))
    },
    /** The text of a notification, its normalized event while it waits, and what of it was applied. */
    async read(id: string): Promise<KeptText | undefined> {
      const row = await db
        .selectFrom('notifications')
        .select(['status', 'why', 'payload', 'query', 'buyer', 'normalized', 'applied'])
        .where('id', '=', id)
        .executeTakeFirst()
      return (
        row && {
          status: statusIn(row),
          why: row.why ?? undefined,
          payload: row.payload,
          query: row.query ?? undefined,
          buyer: row.buyer ?? undefined,
          normalized: row.normalized === null ? undefined : normalizedEvent.parse(JSON.parse(row.normalized)),
          applied: appliedIn(row.applied),
        }
      )
    },
    /** Leaves this of a notification, in the place of what it was. */
    async scrub(id: string, { why, payload, query, normalized, applied }: Scrubbed, before: KeptText): Promise<void> {
      const texts = [before.payload, before.buyer, JSON.stringify(before.normalized), JSON.stringify(before.applied)]
      await termStore(db).forget(id, [...addressesIn(...texts), ...buyerTermsOf(before.payload), ...buyerTermsOf(before.buyer)])
      await db
        .updateTable('notifications')
        .set({
          subject: null,
          why: why ?? null,
          payload,
          query: query ?? null,
          buyer: null,
          normalized: normalized ? JSON.stringify(normalized) : null,
          applied: applied.length === 0 ? null : applied.map((one) => JSON.stringify(one)).join('\n'),
        })
        .where('id', '=', id)
        .execute()
      await attemptStore(db).forgetTexts(id)
    },
  }
}
