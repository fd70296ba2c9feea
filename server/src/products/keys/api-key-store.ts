import type { Queryable } from '../../storage/index.ts'
import { toApiKey } from '../product-row.ts'
import type { ApiKeyInfo } from './key-info.ts'

/** The API keys of products. */
export function apiKeyStore(db: Queryable) {
  return {
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
  }
}
