import type { Queryable } from '../../storage/index.ts'

/** The apps that a user has gone to by a redirect of ours, for the user's own list of them. */
export function openedAppStore(db: Queryable) {
  return {
    /** Later visits change nothing. */
    async note(userId: string, productId: string, at: number): Promise<void> {
      await db
        .insertInto('opened_apps')
        .values({ user_id: userId, product_id: productId, first_opened_at: at })
        .onConflict((conflict) => conflict.columns(['user_id', 'product_id']).doNothing())
        .execute()
    },
    async removeOfUser(userId: string): Promise<void> {
      await db.deleteFrom('opened_apps').where('user_id', '=', userId).execute()
    },
    async list(userId: string, limit: number): Promise<Array<{ product: string; firstOpenedAt: number }>> {
      const rows = await db
        .selectFrom('opened_apps')
        .innerJoin('products', 'products.id', 'product_id')
        .select(['products.name', 'first_opened_at'])
        .where('user_id', '=', userId)
        .orderBy('products.name')
        .limit(limit)
        .execute()
      return rows.map(({ name, first_opened_at }) => ({ product: name, firstOpenedAt: first_opened_at }))
    },
  }
}
