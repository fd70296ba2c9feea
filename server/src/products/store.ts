import { sha256Hex } from '../kit/index.ts'
import type { Queryable } from '../storage/index.ts'
import type { OpenIdClient, Product } from './product.ts'
import { fromRow, toColumns, toProduct } from './product-row.ts'

export type ProductStore = ReturnType<typeof productStore>

/** All SQL about products. Pass a transaction to write several things at once. */
export function productStore(db: Queryable) {
  return {
    /** `false` when its slug is taken. */
    async insert(product: Product): Promise<boolean> {
      const { createdAt } = product
      const { numInsertedOrUpdatedRows } = await db
        .insertInto('products')
        .values({ id: product.id, created_at: createdAt, ...toColumns(product), updated_at: createdAt })
        .onConflict((conflict) => conflict.column('slug').doNothing())
        .executeTakeFirstOrThrow()
      return numInsertedOrUpdatedRows === 1n
    },
    async update(product: Product, at: number): Promise<void> {
      await db
        .updateTable('products')
        .set({ ...toColumns(product), updated_at: at })
        .where('id', '=', product.id)
        .execute()
    },
    async findById(id: string): Promise<Product | undefined> {
      return fromRow(await db.selectFrom('products').selectAll().where('id', '=', id).executeTakeFirst())
    },
    async findBySlug(slug: string): Promise<Product | undefined> {
      return fromRow(await db.selectFrom('products').selectAll().where('slug', '=', slug).executeTakeFirst())
    },
    async findByPublishableKey(key: string): Promise<Product | undefined> {
      return fromRow(await db.selectFrom('products').selectAll().where('publishable_key', '=', key).executeTakeFirst())
    },
    /** The product whose live API key this is, found by the key's hash. */
    async findByApiKey(key: string): Promise<Product | undefined> {
      const row = await db
        .selectFrom('products')
        .selectAll('products')
        .innerJoin('api_keys', 'api_keys.product_id', 'products.id')
        .where('api_keys.hash', '=', sha256Hex(key))
        .where('api_keys.revoked_at', 'is', null)
        .executeTakeFirst()
      return fromRow(row)
    },
    /** The product whose live webhook key this is, found by the key's hash. */
    async findByWebhookKey(key: string): Promise<Product | undefined> {
      const row = await db
        .selectFrom('products')
        .selectAll('products')
        .innerJoin('webhook_keys', 'webhook_keys.product_id', 'products.id')
        .where('webhook_keys.hash', '=', sha256Hex(key))
        .where('webhook_keys.revoked_at', 'is', null)
        .executeTakeFirst()
      return fromRow(row)
    },
    /** Whether any product is notified of ended sessions. */
    async hasLogoutAddress(): Promise<boolean> {
      const withAddress = db.selectFrom('products').select('id').where('backchannel_logout_uri', 'is not', null)
      return (await withAddress.limit(1).executeTakeFirst()) !== undefined
    },
    async listAll(): Promise<Product[]> {
      return (await db.selectFrom('products').selectAll().orderBy('id').execute()).map(toProduct)
    },
    async listOpenIdClients(): Promise<OpenIdClient[]> {
      const rows = await db.selectFrom('products').selectAll().where('openid', 'is not', null).execute()
      const uris = await db
        .selectFrom('redirect_uris')
        .select(['product_id', 'uri'])
        .where('product_id', 'in', db.selectFrom('products').select('id').where('openid', 'is not', null))
        .orderBy('created_at')
        .execute()
      return rows.map(toProduct).flatMap((product) => {
        const { openid } = product
        const redirectUris = uris.filter(({ product_id }) => product_id === product.id).map(({ uri }) => uri)
        return openid ? [{ product: { ...product, openid }, redirectUris }] : []
      })
    },
    /** The names of all products. */
    async listNames(): Promise<Array<{ id: string; slug: string; name: string }>> {
      return db.selectFrom('products').select(['id', 'slug', 'name']).execute()
    },
    async list({ limit, cursor }: { limit: number; cursor?: string }): Promise<Product[]> {
      let query = db.selectFrom('products').selectAll().orderBy('id').limit(limit)
      if (cursor !== undefined) query = query.where('id', '>', cursor)
      return (await query.execute()).map(toProduct)
    },
  }
}
