import { firstIdAt, HOUR_MS } from '../../kit/index.ts'
import { SESSION_SECONDS, type SignInMethod } from '../../sessions/index.ts'
import { inPages, type Page, type Queryable } from '../../storage/index.ts'

export interface SessionFilter {
  userId?: string | undefined
  productId?: string | undefined
  /** Only those that are valid now. */
  live?: boolean | undefined
  ip?: string | undefined
  /** Only those begun by a sign-in: neither handed off to a product, nor by an administrator who acts as the user. */
  begun?: 'by_sign_in' | undefined
  /** Only those begun by this method. */
  signInMethod?: SignInMethod | undefined
  /** Begun at or after, and before, in ms. */
  since?: number | undefined
  until?: number | undefined
}

/** The node that made an id may have had another clock. */
const CLOCKS_DIFFER_MS = HOUR_MS

export type SessionRecord = NonNullable<Awaited<ReturnType<typeof findSession>>>

const whole = (db: Queryable) =>
  db
    .selectFrom('sessions')
    .innerJoin('users', 'users.id', 'sessions.user_id')
    .leftJoin('products', 'products.id', 'sessions.product_id')
    .select([
      'sessions.id',
      'user_id',
      'users.email',
      'users.role',
      'product_id',
      'products.slug as product',
      'parent_id',
      'sign_in_method',
    ])
    .select(['sessions.created_at', 'last_seen_at', 'expires_at', 'ended_at', 'ended_reason', 'ip', 'user_agent', 'impersonator_id'])

/** Newest first or last: ids are made in the order of time. */
export async function listSessions(
  db: Queryable,
  { userId, productId, live, ip, begun, signInMethod, since, until }: SessionFilter,
  { page, now }: { page: Page; now: number },
): Promise<SessionRecord[]> {
  let query = whole(db)
  if (userId !== undefined) query = query.where('sessions.user_id', '=', userId)
  if (productId !== undefined) query = query.where('sessions.product_id', '=', productId)
  if (ip !== undefined) query = query.where('sessions.ip', '=', ip)
  if (since !== undefined) query = query.where('sessions.id', '>=', firstIdAt(since))
  if (until !== undefined) query = query.where('sessions.id', '<', firstIdAt(until))
  if (begun === 'by_sign_in') query = query.where((e) => e(e.fn.coalesce('parent_id', 'impersonator_id'), 'is', null))
  if (signInMethod !== undefined) query = query.where('sign_in_method', '=', signInMethod)
  if (live === true) {
    query = query.where('sessions.ended_at', 'is', null).where('sessions.expires_at', '>', now)
    // No session lives longer: older ones have expired and are not read.
    query = query.where('sessions.id', '>=', firstIdAt(now - SESSION_SECONDS * 1_000 - CLOCKS_DIFFER_MS))
  }
  if (live === false) query = query.where((e) => e.or([e('sessions.ended_at', 'is not', null), e('sessions.expires_at', '<=', now)]))
  return inPages(query, { column: 'sessions.id', id: 'sessions.id', page }).execute()
}

export function findSession(db: Queryable, id: string) {
  return whole(db).where('sessions.id', '=', id).executeTakeFirst()
}
