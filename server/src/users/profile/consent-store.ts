import { markSharing } from '../../app-events/index.ts'
import { prepare, type Queryable } from '../../storage/index.ts'

/** A consent: the scopes that a product may see of a user, and the request's details. */
export interface Sharing {
  productId: string
  product: string
  scopes: string[]
  /** Ms. */
  grantedAt: number
  ip: string
  userAgent: string
}

const holdConsent = prepare((db: Queryable, { userId, productId }: { userId: string; productId: string }) =>
  db
    .updateTable('consents')
    .set((e) => ({ scopes: e.ref('scopes') }))
    .where('user_id', '=', userId)
    .where('product_id', '=', productId),
)

/** The consents by which products may see data of users. */
export function consentStore(db: Queryable) {
  return {
    /** The scopes a user let a product see, or `undefined` when they never did. */
    async findConsent(userId: string, productId: string): Promise<string[] | undefined> {
      const row = await db
        .selectFrom('consents')
        .select('scopes')
        .where('user_id', '=', userId)
        .where('product_id', '=', productId)
        .executeTakeFirst()
      return row?.scopes.split(' ')
    },
    /** The products that a user has given a consent, by their ids; `cursor` is the last product's id of the page before. */
    async listSharings(userId: string, { limit, cursor }: { limit: number; cursor?: string | undefined }): Promise<Sharing[]> {
      let query = db
        .selectFrom('consents')
        .innerJoin('products', 'products.id', 'consents.product_id')
        .select(['product_id', 'name', 'consents.scopes', 'granted_at', 'ip', 'user_agent'])
        .where('user_id', '=', userId)
        .orderBy('product_id')
        .limit(limit)
      if (cursor !== undefined) query = query.where('product_id', '>', cursor)
      return (await query.execute()).map((row) => ({
        productId: row.product_id,
        product: row.name,
        scopes: row.scopes.split(' '),
        grantedAt: row.granted_at,
        ip: row.ip,
        userAgent: row.user_agent,
      }))
    },
    /** Whether a user's consent for a product still stands; it then stands until the transaction ends. */
    async holdConsent(userId: string, productId: string): Promise<boolean> {
      return (await holdConsent(db, { userId, productId })).numAffectedRows === 1n
    },
    /** Withdraws a consent; of any number of concurrent calls exactly one gets `true`. */
    async removeConsent(userId: string, productId: string): Promise<boolean> {
      const { numDeletedRows } = await db
        .deleteFrom('consents')
        .where('user_id', '=', userId)
        .where('product_id', '=', productId)
        .executeTakeFirst()
      if (numDeletedRows === 1n) await markSharing(db, { productId, userId })
      return numDeletedRows === 1n
    },
    async putConsent(
      consent: { userId: string; productId: string; scopes: string; ip: string; userAgent: string },
      at: number,
    ): Promise<void> {
      const { scopes, ip, userAgent } = consent
      const said = { scopes, granted_at: at, ip, user_agent: userAgent }
      await db
        .insertInto('consents')
        .values({ user_id: consent.userId, product_id: consent.productId, ...said })
        .onConflict((conflict) => conflict.columns(['user_id', 'product_id']).doUpdateSet(said))
        .execute()
      await markSharing(db, consent)
    },
  }
}
