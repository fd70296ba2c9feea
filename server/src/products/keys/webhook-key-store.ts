import type { Sealer } from '../../kit/index.ts'
import type { Queryable } from '../../storage/index.ts'
import type { WebhookKeyInfo } from './key-info.ts'

/** The webhook keys of products. */
export function webhookKeyStore(db: Queryable) {
  return {
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
  }
}
