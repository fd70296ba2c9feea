import type { Queryable } from '../storage/index.ts'
import { livePlanOfSession } from '../subscriptions/index.ts'
import type { LiveSession } from './session.ts'
import type { SigningKey } from './signing-key.ts'

/** A row of `sessions`, before anything is known about its person. */
export interface SessionRecord {
  id: string
  userId: string
  productId: string | undefined
  parentId: string | undefined
  boundHash: string | undefined
  createdAt: number
  expiresAt: number
  ip: string
  userAgent: string
  /** When its person last proved who they are, in ms; a product's session has no such time. */
  provenAt: number | undefined
  /** When they last did so with more than one factor: a code after the password, or a device that knows its person. */
  twoFactorsAt: number | undefined
  /** The passkey that began it; `undefined` for every other way in, and for a product's session. */
  passkeyId: string | undefined
}

export function sessionStore(db: Queryable) {
  /** Everything a session that is live `now` is made of, in one read by primary or unique key. */
  const live = (now: number) =>
    db
      .selectFrom('sessions')
      .innerJoin('users', 'users.id', 'sessions.user_id')
      .innerJoin('users_company', 'users_company.user_id', 'sessions.user_id')
      .leftJoin('beta_users', 'beta_users.user_id', 'sessions.user_id')
      .leftJoin('products', 'products.id', 'sessions.product_id')
      .select(['sessions.id', 'sessions.user_id', 'sessions.product_id', 'sessions.bound_hash', 'sessions.expires_at'])
      .select(['users.email', 'users_company.name', 'avatar_url', 'is_producer', 'company_name', 'rank_name', 'nda_accepted_at', 'scopes'])
      .select(livePlanOfSession(now))
      .where('sessions.expires_at', '>', now)
      .where('sessions.ended_at', 'is', null)
      .where('users.disabled_at', 'is', null)
  type Row = NonNullable<Awaited<ReturnType<ReturnType<typeof live>['executeTakeFirst']>>>
  return {
    async insert(session: SessionRecord): Promise<void> {
      await db
        .insertInto('sessions')
        .values({
          id: session.id,
          user_id: session.userId,
          product_id: session.productId ?? null,
          parent_id: session.parentId ?? null,
          bound_hash: session.boundHash ?? null,
          created_at: session.createdAt,
          expires_at: session.expiresAt,
          ended_at: null,
          ended_reason: null,
          ip: session.ip,
          user_agent: session.userAgent.slice(0, 400),
          proven_at: session.provenAt ?? null,
          two_factors_at: session.twoFactorsAt ?? null,
          last_seen_at: session.createdAt,
          passkey_id: session.passkeyId ?? null,
        })
        .execute()
    },
    /** A session that has not ended, is not past its time, and whose person is not disabled. */
    async findLive(id: string, now: number): Promise<LiveSession | undefined> {
      return toLive(await live(now).where('sessions.id', '=', id).executeTakeFirst())
    },
    async findLiveByBoundHash(boundHash: string, now: number): Promise<LiveSession | undefined> {
      return toLive(await live(now).where('sessions.bound_hash', '=', boundHash).executeTakeFirst())
    },
    /** Its person has proven again who they are; `twoFactorsAt` only if they showed more than one factor. */
    async prove(id: string, at: number, twoFactorsAt: number | undefined): Promise<void> {
      const proof = { proven_at: at, ...(twoFactorsAt !== undefined && { two_factors_at: twoFactorsAt }) }
      await db.updateTable('sessions').set(proof).where('id', '=', id).execute()
    },
    /** When the person of a session that has not ended last proved who they are, and when last with more than one factor, in ms: as the database knows it, whatever a node remembers. */
    async findProof(id: string): Promise<{ provenAt: number | undefined; twoFactorsAt: number | undefined } | undefined> {
      const row = await db
        .selectFrom('sessions')
        .select(['proven_at', 'two_factors_at'])
        .where('id', '=', id)
        .where('ended_at', 'is', null)
        .executeTakeFirst()
      return row && { provenAt: row.proven_at ?? undefined, twoFactorsAt: row.two_factors_at ?? undefined }
    },
    /** Holds a live session's row until the transaction ends, so that it can't be ended meanwhile; `false` when it is not live. */
    async hold(id: string, now: number): Promise<boolean> {
      const { numUpdatedRows } = await db
        .updateTable('sessions')
        .set((e) => ({ ended_at: e.ref('ended_at') }))
        .where('id', '=', id)
        .where('ended_at', 'is', null)
        .where('expires_at', '>', now)
        .executeTakeFirst()
      return numUpdatedRows === 1n
    },
    /**
     * Ends a session and the product sessions that came from it; answers the ids that were live until now. The parent goes first: a redemption that held
     * it has then committed, and the second statement sees its child.
     */
    async end(id: string, reason: string, at: number): Promise<string[]> {
      const ending = () =>
        db.updateTable('sessions').set({ ended_at: at, ended_reason: reason }).where('ended_at', 'is', null).returning('id')
      const parent = await ending().where('id', '=', id).execute()
      const children = await ending().where('parent_id', '=', id).execute()
      return [...parent, ...children].map((row) => row.id)
    },
    /** Ends all of a person's sessions, parents first as in `end`; answers how many were live. */
    async endAll(userId: string, reason: string, at: number): Promise<number> {
      const ending = () =>
        db.updateTable('sessions').set({ ended_at: at, ended_reason: reason }).where('user_id', '=', userId).where('ended_at', 'is', null)
      const parents = await ending().where('parent_id', 'is', null).executeTakeFirst()
      const children = await ending().executeTakeFirst()
      return Number(parents.numUpdatedRows + children.numUpdatedRows)
    },
    /** Ends a person's sessions but the one to keep and its product sessions, parents first as in `end`. */
    async endOthers(userId: string, keep: string, reason: string, at: number): Promise<void> {
      const ending = () =>
        db.updateTable('sessions').set({ ended_at: at, ended_reason: reason }).where('user_id', '=', userId).where('ended_at', 'is', null)
      await ending().where('parent_id', 'is', null).where('id', '!=', keep).execute()
      await ending().where('parent_id', 'is not', null).where('parent_id', '!=', keep).execute()
    },
    /** Ends every session there is: what a restored backup does. */
    async endEverything(reason: string, at: number): Promise<void> {
      await db.updateTable('sessions').set({ ended_at: at, ended_reason: reason }).where('ended_at', 'is', null).execute()
    },
    /** Whether a person has ever signed in here, as far as sessions are kept. */
    async hasAnyOf(userId: string): Promise<boolean> {
      return (await db.selectFrom('sessions').select('id').where('user_id', '=', userId).limit(1).executeTakeFirst()) !== undefined
    },
    /** How many of a person's sessions are live, those of products among them. */
    async countLive(userId: string, now: number): Promise<number> {
      const { count } = await db
        .selectFrom('sessions')
        .select((e) => e.fn.countAll().as('count'))
        .where('user_id', '=', userId)
        .where('ended_at', 'is', null)
        .where('expires_at', '>', now)
        .executeTakeFirstOrThrow()
      return Number(count)
    },
    async exists(id: string): Promise<boolean> {
      return (await db.selectFrom('sessions').select('id').where('id', '=', id).executeTakeFirst()) !== undefined
    },
    async forgetExpired(before: number): Promise<void> {
      await db.deleteFrom('sessions').where('expires_at', '<', before).execute()
    },
  }

  function toLive(row: Row | undefined): LiveSession | undefined {
    if (!row) return undefined
    const seesEmail = row.product_id === null || (row.scopes ?? '').split(' ').includes('read:email')
    return {
      id: row.id,
      userId: row.user_id,
      productId: row.product_id ?? undefined,
      boundHash: row.bound_hash ?? undefined,
      expiresAt: row.expires_at,
      stale: false,
      seenAt: 0,
      claimsUntil: row.plan_until ?? Number.POSITIVE_INFINITY,
      claims: {
        email: seesEmail ? row.email : undefined,
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
}

export function signingKeyStore(db: Queryable) {
  return {
    async list(): Promise<SigningKey[]> {
      const rows = await db.selectFrom('signing_keys').selectAll().orderBy('signs_from').execute()
      return rows.map((row) => ({
        kid: row.kid,
        publicJwk: row.public_jwk,
        privateSealed: row.private_sealed,
        createdAt: row.created_at,
        signsFrom: row.signs_from,
        revokedAt: row.revoked_at ?? undefined,
      }))
    },
    async insert(key: SigningKey): Promise<void> {
      await db
        .insertInto('signing_keys')
        .values({
          kid: key.kid,
          public_jwk: key.publicJwk,
          private_sealed: key.privateSealed,
          created_at: key.createdAt,
          signs_from: key.signsFrom,
          revoked_at: null,
        })
        .execute()
    },
    /** `false` when there is no such key that is not revoked already. */
    async revoke(kid: string, at: number): Promise<boolean> {
      const { numUpdatedRows } = await db
        .updateTable('signing_keys')
        .set({ revoked_at: at })
        .where('kid', '=', kid)
        .where('revoked_at', 'is', null)
        .executeTakeFirst()
      return numUpdatedRows === 1n
    },
    /** Replaces a private half by the same one sealed with another key. */
    async reseal(kid: string, privateSealed: string): Promise<void> {
      await db.updateTable('signing_keys').set({ private_sealed: privateSealed }).where('kid', '=', kid).execute()
    },
  }
}
