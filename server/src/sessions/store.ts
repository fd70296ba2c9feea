import { prepare, type Queryable, removeInPortions, type SessionRow } from '../storage/index.ts'
import { liveSessionStore } from './live-session-store.ts'

/** A row of `sessions`, without its user. */
export interface SessionRecord {
  id: string
  userId: string
  productId: string | undefined
  /** The client that described itself (decision 161). */
  clientId?: string | undefined
  /** Of a session that a client of OpenID Connect began: the settings of its product at that time, by their `since`. */
  openIdSince?: number | undefined
  parentId: string | undefined
  boundHash: string | undefined
  createdAt: number
  expiresAt: number
  ip: string
  userAgent: string
  /** The last authentication, in ms. A product's session has none. */
  authenticatedAt: number | undefined
  /** The last one with more than one factor: a code after the password, or a device that verifies its user. */
  secondFactorAt: number | undefined
  /** The passkey that began it, if one did. A product's session has none. */
  passkeyId: string | undefined
  /** For an impersonation: the administrator and their own session. */
  impersonation?: { userId: string; sessionId: string }
}

/** A session that has just ended. */
export interface EndedSession {
  id: string
  userId: string
  /** The product whose own session it was; `undefined` for one of the domain. */
  productId: string | undefined
  impersonatorId: string | undefined
}

const insertSession = prepare((db: Queryable, row: Omit<SessionRow, 'ended_at' | 'ended_reason'>) =>
  db.insertInto('sessions').values({
    id: row.id,
    user_id: row.user_id,
    product_id: row.product_id,
    client_id: row.client_id,
    openid_since: row.openid_since,
    parent_id: row.parent_id,
    bound_hash: row.bound_hash,
    created_at: row.created_at,
    expires_at: row.expires_at,
    ended_at: null,
    ended_reason: null,
    ip: row.ip,
    user_agent: row.user_agent,
    authenticated_at: row.authenticated_at,
    second_factor_at: row.second_factor_at,
    impersonator_id: row.impersonator_id,
    impersonator_session_id: row.impersonator_session_id,
    last_seen_at: row.last_seen_at,
    passkey_id: row.passkey_id,
  }),
)

const holdSession = prepare((db: Queryable, { id, now }: { id: string; now: number }) =>
  db
    .updateTable('sessions')
    .set((e) => ({ ended_at: e.ref('ended_at') }))
    .where('id', '=', id)
    .where('ended_at', 'is', null)
    .where('expires_at', '>', now),
)

export function sessionStore(db: Queryable) {
  return {
    ...liveSessionStore(db),
    async insert(session: SessionRecord): Promise<void> {
      await insertSession(db, {
        id: session.id,
        user_id: session.userId,
        product_id: session.productId ?? null,
        client_id: session.clientId ?? null,
        openid_since: session.openIdSince ?? null,
        parent_id: session.parentId ?? null,
        bound_hash: session.boundHash ?? null,
        created_at: session.createdAt,
        expires_at: session.expiresAt,
        ip: session.ip,
        user_agent: session.userAgent.slice(0, 400),
        authenticated_at: session.authenticatedAt ?? null,
        second_factor_at: session.secondFactorAt ?? null,
        impersonator_id: session.impersonation?.userId ?? null,
        impersonator_session_id: session.impersonation?.sessionId ?? null,
        last_seen_at: session.impersonation ? null : session.createdAt,
        passkey_id: session.passkeyId ?? null,
      })
    },
    /** The session under which a session stands, live or ended: of a product's session, the browser's. */
    async findParentId(id: string): Promise<string | undefined> {
      const row = await db.selectFrom('sessions').select('parent_id').where('id', '=', id).executeTakeFirst()
      return row?.parent_id ?? undefined
    },
    /** The user has authenticated again; `secondFactorAt` only with more than one factor. An impersonation never authenticates. */
    async recordAuthentication(id: string, at: number, secondFactorAt: number | undefined): Promise<void> {
      const factor = { authenticated_at: at, ...(secondFactorAt !== undefined && { second_factor_at: secondFactorAt }) }
      await db.updateTable('sessions').set(factor).where('id', '=', id).where('impersonator_id', 'is', null).execute()
    },
    /** The user has shown a second factor beside a recent authentication, which stays as old as it is. */
    async recordSecondFactor(id: string, at: number): Promise<void> {
      await db.updateTable('sessions').set({ second_factor_at: at }).where('id', '=', id).where('impersonator_id', 'is', null).execute()
    },
    /**
     * The last authentication of a session that has not ended, and the last with a second factor, in ms. Read from the database, whatever a
     * node remembers.
     */
    async findAuthTimes(id: string): Promise<{ authenticatedAt: number | undefined; secondFactorAt: number | undefined } | undefined> {
      const row = await db
        .selectFrom('sessions')
        .select(['authenticated_at', 'second_factor_at'])
        .where('id', '=', id)
        .where('ended_at', 'is', null)
        .executeTakeFirst()
      return row && { authenticatedAt: row.authenticated_at ?? undefined, secondFactorAt: row.second_factor_at ?? undefined }
    },
    /** Holds a live session's row until the transaction ends, so that nothing ends it meanwhile; `false` when it is not live. */
    async hold(id: string, now: number): Promise<boolean> {
      return (await holdSession(db, { id, now })).numAffectedRows === 1n
    },
    /**
     * Ends a session, its product sessions and its impersonations; answers those that were live. The parent goes first: a redemption that
     * held it has then committed, and the second statement sees its child.
     */
    async end(id: string, reason: string, at: number): Promise<EndedSession[]> {
      const parent = await ending(reason, at).where('id', '=', id).execute()
      const children = await ending(reason, at).where('parent_id', '=', id).execute()
      const impersonation = await ending(reason, at).where('impersonator_session_id', '=', id).execute()
      return [...parent, ...children, ...impersonation].map(toEnded)
    },
    /** Ends all sessions of a user, parents first as in `end`, and their impersonations; answers those that were live. */
    async endAll(userId: string, reason: string, at: number): Promise<EndedSession[]> {
      const parents = await ending(reason, at).where('user_id', '=', userId).where('parent_id', 'is', null).execute()
      const children = await ending(reason, at).where('user_id', '=', userId).execute()
      const impersonation = await ending(reason, at).where('impersonator_id', '=', userId).execute()
      return [...parents, ...children, ...impersonation].map(toEnded)
    },
    /** Ends a user's sessions but `keep` and its children, parents first as in `end`; answers those that were live. */
    async endOthers(userId: string, keep: string, reason: string, at: number): Promise<EndedSession[]> {
      const own = () => ending(reason, at).where('user_id', '=', userId)
      const parents = await own().where('parent_id', 'is', null).where('id', '!=', keep).execute()
      const children = await own().where('parent_id', 'is not', null).where('parent_id', '!=', keep).execute()
      const impersonation = await ending(reason, at)
        .where('impersonator_id', '=', userId)
        .where('impersonator_session_id', '!=', keep)
        .execute()
      return [...parents, ...children, ...impersonation].map(toEnded)
    },
    /** Ends the impersonations by a user and of them; answers those that were live. */
    async endImpersonations(userId: string, reason: string, at: number): Promise<EndedSession[]> {
      const byThem = await ending(reason, at).where('impersonator_id', '=', userId).execute()
      const asThem = await ending(reason, at).where('user_id', '=', userId).where('impersonator_id', 'is not', null).execute()
      return [...byThem, ...asThem].map(toEnded)
    },
    /** Ends the sessions whose time is up; answers them. */
    async endExpiredImpersonations(reason: string, { at, limit }: { at: number; limit: number }): Promise<EndedSession[]> {
      const expired = db.selectFrom('sessions').select('id').where('impersonator_id', 'is not', null).where('expires_at', '<=', at)
      const some = ending(reason, at).where('id', 'in', expired.where('ended_at', 'is', null).limit(limit))
      return (await some.execute()).map(toEnded)
    },
    /** Ends up to `limit` sessions that began by `begunBy`, in the order of their ids, after the id `after`. */
    async endNext(
      reason: string,
      { at, begunBy, after, limit }: { at: number; begunBy: number; after: string; limit: number },
    ): Promise<EndedSession[]> {
      const live = db.selectFrom('sessions').select('id').where('id', '>', after).where('ended_at', 'is', null)
      const next = live.where('created_at', '<=', begunBy).orderBy('id').limit(limit)
      return (await ending(reason, at).where('id', 'in', next).execute()).map(toEnded)
    },
    /** Ends up to `limit` sessions of a client that describes itself. */
    async endNextOfClient(clientId: string, reason: string, { at, limit }: { at: number; limit: number }): Promise<EndedSession[]> {
      const live = db.selectFrom('sessions').select('id').where('client_id', '=', clientId).where('ended_at', 'is', null)
      return (await ending(reason, at).where('id', 'in', live.orderBy('id').limit(limit)).execute()).map(toEnded)
    },
    /** Whether a user has ever signed in here, as far back as sessions are kept. */
    async hasAnyOf(userId: string): Promise<boolean> {
      const own = db.selectFrom('sessions').select('id').where('user_id', '=', userId).where('impersonator_id', 'is', null)
      return (await own.limit(1).executeTakeFirst()) !== undefined
    },
    async exists(id: string): Promise<boolean> {
      return (await db.selectFrom('sessions').select('id').where('id', '=', id).executeTakeFirst()) !== undefined
    },
    async forgetExpired(before: number): Promise<void> {
      await removeInPortions(db, 'sessions', (e) => e('expires_at', '<', before))
    },
  }

  function ending(reason: string, at: number) {
    const ended = db.updateTable('sessions').set({ ended_at: at, ended_reason: reason }).where('ended_at', 'is', null)
    return ended.returning(ENDED)
  }
}

export const ENDED = ['id', 'user_id', 'product_id', 'impersonator_id'] as const

export function toEnded(row: Pick<SessionRow, (typeof ENDED)[number]>): EndedSession {
  return { id: row.id, userId: row.user_id, productId: row.product_id ?? undefined, impersonatorId: row.impersonator_id ?? undefined }
}
