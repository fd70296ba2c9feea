import { prepare, type Queryable, removeInPortions, type SessionRow } from '../storage/index.ts'
import { liveSessionStore } from './live-session-store.ts'
import type { SignInMethod } from './session.ts'

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
  /** How its user signed in. Neither a product's session nor an impersonation has it. */
  signInMethod?: SignInMethod | undefined
  /** For an impersonation: the administrator and their own session. */
  impersonation?: { userId: string; sessionId: string }
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
    sign_in_method: row.sign_in_method,
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
        sign_in_method: session.signInMethod ?? null,
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
}
