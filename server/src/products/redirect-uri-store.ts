import type { Queryable } from '../storage/index.ts'
import type { Product } from './product.ts'
import { toProduct } from './product-row.ts'

/** The registered redirect URIs. */
export function redirectUriStore(db: Queryable) {
  return {
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
  }
}
