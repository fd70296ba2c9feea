import type { Queryable, SessionRow } from '../../storage/index.ts'

/** A session that has just ended. */
export interface EndedSession {
  id: string
  userId: string
  /** The product whose own session it was; `undefined` for one of the domain. */
  productId: string | undefined
  impersonatorId: string | undefined
}

/** A user's sessions that passkey `passkeyId` has begun; `keep` is the requesting one. */
export interface OfPasskey {
  userId: string
  passkeyId: string
  keep: string
}

/** A user's sessions that any identity provider has begun; `keep` is the requesting one. */
export type OfProviders = Omit<OfPasskey, 'passkeyId'>

const ENDED = ['id', 'user_id', 'product_id', 'impersonator_id'] as const
type EndedRow = Pick<SessionRow, (typeof ENDED)[number]>

/** The ends of sessions. Each answers those that were live. */
export function sessionEndStore(db: Queryable) {
  const ending = (reason: string, at: number) =>
    db.updateTable('sessions').set({ ended_at: at, ended_reason: reason }).where('ended_at', 'is', null).returning(ENDED)
  const others = ({ userId, keep }: OfProviders, reason: string, at: number) =>
    ending(reason, at).where('user_id', '=', userId).where('parent_id', 'is', null).where('id', '!=', keep)
  /** Sessions of the domain that have ended, with their product sessions, which end after them as in `end`. */
  const withChildren = async (parents: EndedRow[], reason: string, at: number): Promise<EndedSession[]> => {
    if (parents.length === 0) return []
    const of = parents.map(({ id }) => id)
    const children = await ending(reason, at).where('parent_id', 'in', of).execute()
    return [...parents, ...children].map(toEnded)
  }

  return {
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
    /** Ends a user's sessions in a product; answers those that were live. */
    async endInProduct({ userId, productId }: { userId: string; productId: string }, reason: string, at: number): Promise<EndedSession[]> {
      const own = ending(reason, at).where('user_id', '=', userId).where('product_id', '=', productId)
      return (await own.execute()).map(toEnded)
    },
    /**
     * Ends the live sessions of the domain that a passkey has begun, but the one to keep, with their product sessions, parents first as in
     * `end`. Answers those that were live.
     */
    async endOfPasskey({ passkeyId, ...whose }: OfPasskey, reason: string, at: number): Promise<EndedSession[]> {
      const parents = await others(whose, reason, at).where('passkey_id', '=', passkeyId).execute()
      return withChildren(parents, reason, at)
    },
    /**
     * The same for those that an identity provider has begun. A session notes no provider, and none of before noted its method, so those
     * end with them; impersonations, which no sign-in begins, do not.
     */
    async endOfProviders(whose: OfProviders, reason: string, at: number): Promise<EndedSession[]> {
      const parents = await others(whose, reason, at)
        .where('impersonator_id', 'is', null)
        .where((e) => e.or([e('sign_in_method', '=', 'provider'), e('sign_in_method', 'is', null)]))
        .execute()
      return withChildren(parents, reason, at)
    },
    /**
     * Ends up to `limit` sessions that began by `begunBy`, in the order of their ids, after the id `after`: the `reached`. Their product
     * sessions and impersonations end with them, as in `end`, whenever they began. Answers all that were live.
     */
    async endNext(
      reason: string,
      { at, begunBy, after, limit }: { at: number; begunBy: number; after: string; limit: number },
    ): Promise<{ reached: EndedSession[]; ended: EndedSession[] }> {
      const live = db.selectFrom('sessions').select('id').where('id', '>', after).where('ended_at', 'is', null)
      const next = live.where('created_at', '<=', begunBy).orderBy('id').limit(limit)
      const reached = (await ending(reason, at).where('id', 'in', next).execute()).map(toEnded)
      if (reached.length === 0) return { reached, ended: [] }
      const ids = reached.map(({ id }) => id)
      const children = await ending(reason, at).where('parent_id', 'in', ids).execute()
      const impersonation = await ending(reason, at).where('impersonator_session_id', 'in', ids).execute()
      return { reached, ended: [...reached, ...[...children, ...impersonation].map(toEnded)] }
    },
    /** Ends up to `limit` sessions of a client that describes itself. */
    async endNextOfClient(clientId: string, reason: string, { at, limit }: { at: number; limit: number }): Promise<EndedSession[]> {
      const live = db.selectFrom('sessions').select('id').where('client_id', '=', clientId).where('ended_at', 'is', null)
      return (await ending(reason, at).where('id', 'in', live.orderBy('id').limit(limit)).execute()).map(toEnded)
    },
  }
}

function toEnded(row: EndedRow): EndedSession {
  return { id: row.id, userId: row.user_id, productId: row.product_id ?? undefined, impersonatorId: row.impersonator_id ?? undefined }
}
