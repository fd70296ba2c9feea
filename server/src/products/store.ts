import { type Sealer, sha256Hex } from '../kit/index.ts'
import type { Queryable } from '../storage/index.ts'
import { GATEWAYS, METHODS, type PaymentMethod } from './payment-methods.ts'
import type { ApiKeyInfo, OpenIdClient, Product, WebhookKeyInfo } from './product.ts'
import { fromRow, toApiKey, toColumns, toProduct } from './product-row.ts'

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

    /** Registers an address for one product. `false` when it is already registered, for any product. */
    async addRedirectUri(productId: string, uri: string, trusted: boolean, at: number): Promise<boolean> {
      const row = { uri, product_id: productId, trusted: trusted ? 1 : 0, created_at: at }
      const { numInsertedOrUpdatedRows } = await db
        .insertInto('redirect_uris')
        .values(row)
        .onConflict((conflict) =>
          // The product's own address may become a trusted one.
          trusted
            ? conflict
                .column('uri')
                .doUpdateSet({ trusted: 1 })
                .where('redirect_uris.product_id', '=', productId)
                .where('redirect_uris.trusted', '=', 0)
            : conflict.doNothing(),
        )
        .executeTakeFirstOrThrow()
      return numInsertedOrUpdatedRows === 1n
    },
    async removeRedirectUri(productId: string, uri: string): Promise<boolean> {
      const { numDeletedRows } = await db
        .deleteFrom('redirect_uris')
        .where('uri', '=', uri)
        .where('product_id', '=', productId)
        .executeTakeFirst()
      return numDeletedRows === 1n
    },
    /** The registration of exactly these bytes (SQLite and PostgreSQL both compare text bytewise here). */
    async findRedirectUri(uri: string): Promise<{ uri: string; product: Product; trusted: boolean } | undefined> {
      const row = await db
        .selectFrom('redirect_uris')
        .innerJoin('products', 'products.id', 'redirect_uris.product_id')
        .selectAll('products')
        .select(['redirect_uris.uri', 'redirect_uris.trusted'])
        .where('redirect_uris.uri', '=', uri)
        .executeTakeFirst()
      return row && { uri: row.uri, product: toProduct(row), trusted: row.trusted === 1 }
    },
    async listRedirectUris(productId: string): Promise<Array<{ uri: string; trusted: boolean }>> {
      const rows = await db
        .selectFrom('redirect_uris')
        .select(['uri', 'trusted'])
        .where('product_id', '=', productId)
        .orderBy('uri')
        .execute()
      return rows.map(({ uri, trusted }) => ({ uri, trusted: trusted === 1 }))
    },
    async listAllRedirectUris(): Promise<string[]> {
      return (await db.selectFrom('redirect_uris').select('uri').execute()).map(({ uri }) => uri)
    },

    async insertApiKey(productId: string, key: { id: string; hash: string; hint: string }, at: number): Promise<void> {
      await db
        .insertInto('api_keys')
        .values({ ...key, product_id: productId, created_at: at, revoked_at: null, last_used_at: null })
        .execute()
    },
    async listApiKeys(productId: string): Promise<ApiKeyInfo[]> {
      const rows = await db.selectFrom('api_keys').selectAll().where('product_id', '=', productId).orderBy('id').execute()
      return rows.map(toApiKey)
    },
    async hasLiveApiKey(productId: string): Promise<boolean> {
      const row = await db
        .selectFrom('api_keys')
        .select('id')
        .where('product_id', '=', productId)
        .where('revoked_at', 'is', null)
        .executeTakeFirst()
      return row !== undefined
    },
    /** Ends a key of this product; `false` when there is no such live key. */
    async revokeApiKey(productId: string, id: string, at: number): Promise<boolean> {
      const { numUpdatedRows } = await db
        .updateTable('api_keys')
        .set({ revoked_at: at })
        .where('id', '=', id)
        .where('product_id', '=', productId)
        .where('revoked_at', 'is', null)
        .executeTakeFirst()
      return numUpdatedRows === 1n
    },

    async insertWebhookKey(productId: string, key: { id: string; hash: string; hint: string; sealed: string }, at: number): Promise<void> {
      await db
        .insertInto('webhook_keys')
        .values({ ...key, product_id: productId, created_at: at, revoked_at: null })
        .execute()
    },
    /** A product's webhook keys, newest first, opened for display; a key that can't be unsealed is left out. */
    async listWebhookKeys(productId: string, sealer: Sealer): Promise<WebhookKeyInfo[]> {
      const rows = await db.selectFrom('webhook_keys').selectAll().where('product_id', '=', productId).orderBy('id', 'desc').execute()
      return rows.flatMap(({ id, sealed, created_at, revoked_at }) => {
        const key = sealer.open(sealed, `webhook_keys.sealed.${id}`)
        return key === undefined ? [] : [{ id, key, createdAt: created_at, revokedAt: revoked_at ?? undefined }]
      })
    },
    /** All webhook keys as they are sealed, revoked ones included: a few for each product. */
    async listSealedWebhookKeys(): Promise<Array<{ id: string; sealed: string }>> {
      return db.selectFrom('webhook_keys').select(['id', 'sealed']).orderBy('id').execute()
    },
    async resealWebhookKey(id: string, sealed: string): Promise<void> {
      await db.updateTable('webhook_keys').set({ sealed }).where('id', '=', id).execute()
    },
    /** Keeps the `keep` newest live webhook keys and ends the others. */
    async retireWebhookKeys(productId: string, keep: number, at: number): Promise<void> {
      const newest = db
        .selectFrom('webhook_keys')
        .select('id')
        .where('product_id', '=', productId)
        .where('revoked_at', 'is', null)
        .orderBy('id', 'desc')
        .limit(keep)
      await db
        .updateTable('webhook_keys')
        .set({ revoked_at: at })
        .where('product_id', '=', productId)
        .where('revoked_at', 'is', null)
        .where('id', 'not in', newest)
        .execute()
    },

    async setPaymentMethods(productId: string, methods: readonly PaymentMethod[]): Promise<void> {
      await db.deleteFrom('product_payment_methods').where('product_id', '=', productId).execute()
      if (methods.length === 0) return
      await db
        .insertInto('product_payment_methods')
        .values(methods.map((entry) => ({ ...entry, product_id: productId })))
        .execute()
    },
    async listPaymentMethods(productId: string): Promise<PaymentMethod[]> {
      const rows = await db
        .selectFrom('product_payment_methods')
        .select(['method', 'gateway'])
        .where('product_id', '=', productId)
        .execute()
      return METHODS.flatMap((method) => {
        const gateway = GATEWAYS.find((name) => rows.some((row) => row.method === method && row.gateway === name))
        return gateway ? [{ method, gateway }] : []
      })
    },
  }
}
