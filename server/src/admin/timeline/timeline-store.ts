import { timeOfId } from '../../kit/index.ts'
import { AWAITS_PURCHASE } from '../../notifications/index.ts'
import { listAwaitingPurchase, listDuplicates } from '../../payment-history/index.ts'
import { inPages, type Page, type PageAfter, type Queryable } from '../../storage/index.ts'
import { readFacts } from './purchase-facts-store.ts'
import { isBefore, type TimelineEntry } from './timeline-entry.ts'
import { idBefore, upTo, uuidIn } from './timeline-place.ts'

/** Gateways give the times of events in seconds, so several share one: no user has more in one second. */
const MAX_AT_ONCE = 200

/** The newest of each kind after a cursor: every read uses an index, and reads `limit` rows. */
export function timelineStore(db: Queryable, { after, limit }: { after: PageAfter | undefined; limit: number }) {
  const newest = { sort: 'at', direction: 'desc', limit } as const
  const byTime: Page = { ...newest, after: after && { ...after, id: upTo(after) } }
  const byEnd: Page = { ...newest, after: after && { ...after, id: uuidIn(after) } }
  const byId: Page = { ...newest, after: after && { value: 0, id: idBefore(after) } }
  return {
    async listSignIns(userId: string): Promise<TimelineEntry[]> {
      const query = sessions().select('sessions.created_at as at').where('user_id', '=', userId)
      const rows = await inPages(query, { column: 'sessions.created_at', id: 'sessions.id', page: byTime }).execute()
      return rows.map(({ id, at, product, ip, user_agent }) => ({
        ...{ id, at, order: at, kind: 'sign_in', what: product === null ? 'sign_in' : 'product_sign_in', path: undefined },
        details: { product, ip, user_agent },
      }))
    },
    async listSessionEnds(userId: string): Promise<TimelineEntry[]> {
      const query = sessions().select('ended_at').where('user_id', '=', userId).where('ended_at', 'is not', null)
      const rows = await inPages(query, { column: 'sessions.ended_at', id: 'sessions.id', page: byEnd }).execute()
      return rows.map(({ id, ended_at, ended_reason, product, ip, user_agent }) => ({
        ...{
          id: `${id} end`,
          at: ended_at ?? 0,
          order: ended_at ?? 0,
          kind: 'session_end',
          what: ended_reason ?? 'ended',
          path: undefined,
        },
        details: { product, ip, user_agent },
      }))
    },
    /** The events of the user's streams, read by stream; a stream has a few events a month. */
    async listPurchases(userId: string): Promise<TimelineEntry[]> {
      const own = db
        .selectFrom('subscriptions')
        .select((e) => ['stream_id', e.fn.max('id').as('subscription_id')])
        .where('user_id', '=', userId)
        .groupBy('stream_id')
      let query = db
        .selectFrom(own.as('own'))
        .innerJoin('subscription_events as event', 'event.stream_id', 'own.stream_id')
        .leftJoin('plans', 'plans.id', 'event.plan_id')
        .select([
          'event.stream_id',
          'event.key',
          'kind',
          'at',
          'amount',
          'foreign_amount',
          'method',
          'plans.name as plan',
          'subscription_id',
        ])
        .orderBy('at', 'desc')
        .limit(limit + MAX_AT_ONCE)
      if (after) query = query.where('at', '<=', Number(after.value))
      const rows = await query.execute()
      const already = await listDuplicates(db, [...new Set(rows.map(({ stream_id }) => stream_id))])
      const unmatched = rows.filter(({ stream_id, key }) => !already.get(stream_id)?.has(key))
      const facts = await readFacts(db, unmatched)
      const found = unmatched.map(
        ({ stream_id, key, kind, at, subscription_id, plan, amount, foreign_amount, method }): TimelineEntry => ({
          ...{ id: `${stream_id} ${key}`, at, order: at, kind: 'purchase', what: kind, path: `/subscriptions/${subscription_id}/show` },
          details: facts.get(`${stream_id} ${key}`) ?? { plan, amount, foreign_amount, method },
        }),
      )
      return found.filter((one) => isBefore(one, after))
    },
    async listNotifications(subject: string): Promise<TimelineEntry[]> {
      const query = db
        .selectFrom('notifications')
        .select(['id', 'event', 'source', 'status', 'why', 'received_at'])
        .where('subject', '=', subject)
      const rows = await inPages(query, { column: 'id', id: 'id', page: byId }).execute()
      const processed = rows.filter(({ status }) => status === 'processed').map(({ id }) => id)
      const awaiting = await listAwaitingPurchase(db, processed)
      return rows.map(({ id, event, source, status, why, received_at }) => ({
        ...{ id, at: received_at, order: timeOfId(id), kind: 'notification', what: event, path: `/notifications/${id}/show` },
        details: { source, status, why: awaiting.has(id) ? AWAITS_PURCHASE : why },
      }))
    },
    async listMails(userId: string): Promise<TimelineEntry[]> {
      const query = db.selectFrom('sent_mails').select(['id', 'kind', 'at']).where('user_id', '=', userId)
      const rows = await inPages(query, { column: 'id', id: 'id', page: byId }).execute()
      return rows.map(({ id, kind, at }) => ({ id, at, order: timeOfId(id), kind: 'mail', what: kind, path: undefined, details: {} }))
    },
    /** Actions on the user (`target`), or by them (`actor`). */
    async listChanges(by: 'target' | 'actor', name: string): Promise<TimelineEntry[]> {
      const query = db.selectFrom('audit').select(['id', 'at', 'action', 'actor', 'target', 'reason']).where(by, '=', name)
      const rows = await inPages(query, { column: 'id', id: 'id', page: byId }).execute()
      return rows.map(({ id, at, action, actor, target, reason }) => ({
        ...{ id, at, order: timeOfId(id), kind: 'change', what: action, path: `/audit/${id}/show` },
        details: { actor, target, reason },
      }))
    },
  }

  function sessions() {
    return (
      db
        .selectFrom('sessions')
        .leftJoin('products', 'products.id', 'product_id')
        .select(['sessions.id', 'ended_reason', 'products.name as product', 'ip', 'user_agent'])
        // An impersonator's action counts as theirs: it is listed among the changes.
        .where('impersonator_id', 'is', null)
    )
  }
}
