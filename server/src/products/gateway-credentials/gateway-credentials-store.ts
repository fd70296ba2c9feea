import type { Sealer } from '../../kit/index.ts'
import type { Queryable } from '../../storage/index.ts'
import { GATEWAYS, type Gateway } from '../payment-methods.ts'
import type { GatewayCredentials, GatewayCredentialsInfo } from './gateway-credentials.ts'

const place = (productId: string, gateway: string) => `gateway_credentials.sealed.${productId}.${gateway}`

/** All SQL about products' credentials for gateways. */
export function gatewayCredentialsStore(db: Queryable) {
  return {
    /** Replaces a product's credentials for one gateway. */
    async put(
      productId: string,
      gateway: Gateway,
      { webhookSecret, accessToken, apiUrl, isTest }: GatewayCredentials,
      { sealer, at }: { sealer: Sealer; at: number },
    ): Promise<void> {
      const sealed = sealer.seal(JSON.stringify({ webhookSecret, accessToken }), place(productId, gateway))
      const values = { sealed, api_url: apiUrl ?? null, is_test: isTest ? 1 : 0, updated_at: at }
      await db
        .insertInto('gateway_credentials')
        .values({ product_id: productId, gateway, ...values, created_at: at })
        .onConflict((conflict) => conflict.columns(['product_id', 'gateway']).doUpdateSet(values))
        .execute()
    },
    /** With the secrets in clear. `undefined` where there are none. Throws when they can't be unsealed, which is a fault of ours. */
    async find(productId: string, gateway: Gateway, sealer: Sealer): Promise<GatewayCredentials | undefined> {
      const row = await db
        .selectFrom('gateway_credentials')
        .select(['sealed', 'api_url', 'is_test'])
        .where('product_id', '=', productId)
        .where('gateway', '=', gateway)
        .executeTakeFirst()
      if (!row) return undefined
      const plain = sealer.open(row.sealed, place(productId, gateway))
      if (plain === undefined) throw new Error(`${place(productId, gateway)} does not open with this master key`)
      const secrets = JSON.parse(plain) as Pick<GatewayCredentials, 'webhookSecret' | 'accessToken'>
      return { ...secrets, apiUrl: row.api_url ?? undefined, isTest: row.is_test === 1 }
    },
    /** The gateways that a product has credentials for, without the secrets. */
    async list(productId: string): Promise<GatewayCredentialsInfo[]> {
      const rows = await db
        .selectFrom('gateway_credentials')
        .select(['gateway', 'api_url', 'is_test', 'created_at', 'updated_at'])
        .where('product_id', '=', productId)
        .execute()
      return GATEWAYS.flatMap((gateway) =>
        rows
          .filter((row) => row.gateway === gateway)
          .map(({ api_url, is_test, created_at, updated_at }) => ({
            gateway,
            apiUrl: api_url ?? undefined,
            isTest: is_test === 1,
            createdAt: created_at,
            updatedAt: updated_at,
          })),
      )
    },
    async remove(productId: string, gateway: Gateway): Promise<boolean> {
      const { numDeletedRows } = await db
        .deleteFrom('gateway_credentials')
        .where('product_id', '=', productId)
        .where('gateway', '=', gateway)
        .executeTakeFirst()
      return numDeletedRows === 1n
    },

    /** All of them as they are sealed, held until the transaction ends: a concurrent change waits, and is not overwritten. */
    async holdSealed(): Promise<Array<{ id: string; sealed: string }>> {
      const rows = await db
        .updateTable('gateway_credentials')
        .set((e) => ({ sealed: e.ref('sealed') }))
        .returning(['product_id', 'gateway', 'sealed'])
        .execute()
      return rows.map(({ product_id, gateway, sealed }) => ({ id: `${product_id}.${gateway}`, sealed }))
    },
    /** `id` is the product's id and the gateway, with a dot between them. */
    async reseal(id: string, sealed: string): Promise<void> {
      const [productId = '', gateway = ''] = id.split('.')
      await db
        .updateTable('gateway_credentials')
        .set({ sealed })
        .where('product_id', '=', productId)
        .where('gateway', '=', gateway)
        .execute()
    },
  }
}
