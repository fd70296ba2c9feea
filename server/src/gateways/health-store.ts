import type { Queryable } from '../storage/index.ts'

/** How a product's gateway is doing. Times in ms. */
export interface GatewayHealth {
  gateway: string
  productId: string
  lastDeliveryAt: number | undefined
  proofFailures: number
  lastProofFailureAt: number | undefined
  /** The first wrong proof after which none was right; `undefined` while they are. */
  failingSince: number | undefined
}

/** While all is well a delivery is noted once in so long: what matters is whether any come. */
const NOTED_EVERY_MS = 60_000

export function gatewayHealthStore(db: Queryable) {
  return {
    async noteDelivery(gateway: string, productId: string, at: number): Promise<void> {
      await db
        .insertInto('gateway_health')
        .values({
          gateway,
          product_id: productId,
          last_delivery_at: at,
          proof_failures: 0,
          last_proof_failure_at: null,
          failing_since: null,
        })
        .onConflict((conflict) =>
          conflict
            .columns(['gateway', 'product_id'])
            .doUpdateSet({ last_delivery_at: at, failing_since: null })
            .where((e) =>
              e.or([
                e('gateway_health.last_delivery_at', 'is', null),
                e('gateway_health.last_delivery_at', '<', at - NOTED_EVERY_MS),
                e('gateway_health.failing_since', 'is not', null),
              ]),
            ),
        )
        .execute()
    },
    async countProofFailure(gateway: string, productId: string, at: number): Promise<void> {
      await db
        .insertInto('gateway_health')
        .values({ gateway, product_id: productId, last_delivery_at: null, proof_failures: 1, last_proof_failure_at: at, failing_since: at })
        .onConflict((conflict) =>
          conflict.columns(['gateway', 'product_id']).doUpdateSet((e) => ({
            proof_failures: e('gateway_health.proof_failures', '+', 1),
            last_proof_failure_at: at,
            failing_since: e.fn.coalesce('gateway_health.failing_since', e.val(at)),
          })),
        )
        .execute()
    },
    async list(): Promise<GatewayHealth[]> {
      const rows = await db.selectFrom('gateway_health').selectAll().orderBy('product_id').orderBy('gateway').execute()
      return rows.map((row) => ({
        gateway: row.gateway,
        productId: row.product_id,
        lastDeliveryAt: row.last_delivery_at ?? undefined,
        proofFailures: row.proof_failures,
        lastProofFailureAt: row.last_proof_failure_at ?? undefined,
        failingSince: row.failing_since ?? undefined,
      }))
    },
  }
}
