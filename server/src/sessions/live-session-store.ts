import { prepare, type Queryable } from '../storage/index.ts'
import { livePlanOfSession } from '../subscriptions/index.ts'
import type { Impersonator, LiveSession } from './session.ts'

/** All that makes a session live at `now`, in one read by primary or unique key. */
const selectLive = (db: Queryable, now: number) =>
  db
    .selectFrom('sessions')
    .innerJoin('users', 'users.id', 'sessions.user_id')
    .innerJoin('users_company', 'users_company.user_id', 'sessions.user_id')
    .leftJoin('beta_users', 'beta_users.user_id', 'sessions.user_id')
    .leftJoin('products', 'products.id', 'sessions.product_id')
    .leftJoin('consents', (join) =>
      join.onRef('consents.user_id', '=', 'sessions.user_id').onRef('consents.product_id', '=', 'sessions.product_id'),
    )
    .leftJoin('users as actor', 'actor.id', 'sessions.impersonator_id')
    .leftJoin('users_company as actor_company', 'actor_company.user_id', 'sessions.impersonator_id')
    .leftJoin('sessions as actors_own', 'actors_own.id', 'sessions.impersonator_session_id')
    .select(['sessions.id', 'sessions.user_id', 'sessions.product_id', 'sessions.client_id', 'sessions.bound_hash'])
    .select('sessions.openid_since')
    .select(['sessions.created_at', 'sessions.expires_at'])
    .select(['users.email', 'users_company.name', 'users_company.avatar_url', 'users_company.is_producer', 'users_company.company_name'])
    .select(['users_company.rank_name', 'nda_accepted_at'])
    .select(['products.audience', 'products.scopes', 'consents.scopes as consented_scopes'])
    .select(['sessions.impersonator_id', 'sessions.impersonator_session_id', 'actor_company.name as actor_name'])
    .select(livePlanOfSession(now))
    .where('sessions.expires_at', '>', now)
    .where('sessions.ended_at', 'is', null)
    .where('users.disabled_at', 'is', null)
    // An impersonation lives while its administrator is a signed-in owner and its user has no power themselves.
    .where((e) =>
      e.or([
        e('sessions.impersonator_id', 'is', null),
        e.and([
          e('actor.role', '=', 'owner'),
          e('actor.disabled_at', 'is', null),
          e('actors_own.ended_at', 'is', null),
          e('actors_own.expires_at', '>', now),
          e('users.role', 'is', null),
        ]),
      ]),
    )

const liveById = prepare((db, { id, now }: { id: string; now: number }) => selectLive(db, now).where('sessions.id', '=', id))

const liveByBoundHash = prepare((db, { boundHash, now }: { boundHash: string; now: number }) =>
  selectLive(db, now).where('sessions.bound_hash', '=', boundHash),
)

interface Child {
  parentId: string
  productId: string
  openIdSince: number
}

const selectChild = (db: Queryable, { parentId, productId, openIdSince, now }: Child & { now: number }) =>
  selectLive(db, now)
    .where('sessions.parent_id', '=', parentId)
    .where('sessions.product_id', '=', productId)
    .where('sessions.openid_since', '=', openIdSince)
    .orderBy('sessions.id')
    .limit(1)

const liveChild = prepare((db, child: Child & { now: number }) => selectChild(db, child).where('sessions.client_id', 'is', null))

const liveChildOfClient = prepare((db, child: Child & { clientId: string; now: number }) =>
  selectChild(db, child).where('sessions.client_id', '=', child.clientId),
)

/** Sessions that have not ended, are not past their time, and whose user is not disabled. */
export function liveSessionStore(db: Queryable) {
  return {
    async findLive(id: string, now: number): Promise<LiveSession | undefined> {
      return first(await liveById(db, { id, now }))
    },
    /** The session that a client of OpenID Connect began below one of the domain, under these settings of its product. */
    async findLiveChild({ clientId, ...child }: Child & { clientId: string | undefined }, now: number): Promise<LiveSession | undefined> {
      return first(
        clientId === undefined ? await liveChild(db, { ...child, now }) : await liveChildOfClient(db, { ...child, clientId, now }),
      )
    },
    async findLiveByBoundHash(boundHash: string, now: number): Promise<LiveSession | undefined> {
      return first(await liveByBoundHash(db, { boundHash, now }))
    },
  }
}

type Row = NonNullable<Awaited<ReturnType<ReturnType<typeof selectLive>['executeTakeFirst']>>>

function first({ rows: [row] }: { rows: Row[] }): LiveSession | undefined {
  return row && toLive(row)
}

function toLive(row: Row): LiveSession {
  return {
    id: row.id,
    userId: row.user_id,
    productId: row.product_id ?? undefined,
    clientId: row.client_id ?? undefined,
    openIdSince: row.openid_since ?? undefined,
    boundHash: row.bound_hash ?? undefined,
    createdAt: row.created_at,
    expiresAt: row.expires_at,
    impersonation: toImpersonator(row),
    stale: false,
    era: 0,
    seenAt: 0,
    takenAt: 0,
    claimsUntil: row.plan_until ?? Number.POSITIVE_INFINITY,
    claims: {
      email: seesEmail(row) ? row.email : undefined,
      name: row.name,
      isProducer: row.is_producer === 1,
      isBeta: row.nda_accepted_at !== null,
      planSlug: row.plan_slug ?? undefined,
      avatarUrl: row.avatar_url ?? undefined,
      companyName: row.company_name ?? undefined,
      rankName: row.rank_name ?? undefined,
    },
  }
}

/** A product may have received the scope after the user agreed: an external one sees no more than both allow. */
function seesEmail(row: Pick<Row, 'product_id' | 'audience' | 'scopes' | 'consented_scopes'>): boolean {
  const has = (scopes: string | null) => (scopes ?? '').split(' ').includes('read:email')
  return row.product_id === null || (has(row.scopes) && (row.audience === 'internal' || has(row.consented_scopes)))
}

function toImpersonator(row: {
  impersonator_id: string | null
  impersonator_session_id: string | null
  actor_name: string | null
}): Impersonator | undefined {
  if (row.impersonator_id === null || row.impersonator_session_id === null) return undefined
  return { userId: row.impersonator_id, sessionId: row.impersonator_session_id, name: row.actor_name ?? '' }
}
