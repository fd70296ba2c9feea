import { prepare, type Queryable } from '../../storage/index.ts'

/** The health of a product's gateway. Times in ms. */
export interface GatewayHealth {
  gateway: string
  productId: string
  lastDeliveryAt: number | undefined
  verificationFailures: number
  lastVerificationFailureAt: number | undefined
  /** The first of the failed verifications since the last good one; `undefined` after a good one. */
  failingSince: number | undefined
}

/** One node's failed verifications of one product and gateway that are not written yet. Times in ms. */
export interface UnwrittenFailures {
  count: number
  lastAt: number
  /** The first of them after the last verified delivery; `undefined` if none failed since. */
  since: number | undefined
}

/** While all is well a delivery is noted once in this time: it only matters that some arrive. */
const NOTED_EVERY_MS = 60_000

export function gatewayHealthStore(db: Queryable) {
  return {
    /** Notes a verified delivery. Answers whether one was noted lately, and all is well: then nothing is written. */
    async noteDelivery(gateway: string, productId: string, at: number): Promise<boolean> {
      // Read first: on PostgreSQL even an upsert without effect holds the row, and deliveries would wait for each other's commits.
      const [known] = (await findNoted(db, { gateway, productId })).rows
      const isNoted = known !== undefined && (known.last_delivery_at ?? 0) >= at - NOTED_EVERY_MS && known.failing_since === null
      if (isNoted) return true
      const row = {
        gateway,
        product_id: productId,
        last_delivery_at: at,
        verification_failures: 0,
        last_verification_failure_at: null,
        failing_since: null,
      }
      await db
        .insertInto('gateway_health')
        .values(row)
        .onConflict((conflict) => conflict.columns(['gateway', 'product_id']).doUpdateSet({ last_delivery_at: at, failing_since: null }))
        .execute()
      return false
    },
    /** Adds the failed verifications since the last call. */
    async countVerificationFailures(gateway: string, productId: string, { count, lastAt, since }: UnwrittenFailures): Promise<void> {
      const row = {
        gateway,
        product_id: productId,
        last_delivery_at: null,
        verification_failures: count,
        last_verification_failure_at: lastAt,
      }
      await db
        .insertInto('gateway_health')
        .values({ ...row, failing_since: since ?? null })
        .onConflict((conflict) =>
          conflict.columns(['gateway', 'product_id']).doUpdateSet((e) => ({
            verification_failures: e('gateway_health.verification_failures', '+', count),
            last_verification_failure_at: lastAt,
            failing_since: e.fn.coalesce('gateway_health.failing_since', e.val(since ?? null)),
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
        verificationFailures: row.verification_failures,
        lastVerificationFailureAt: row.last_verification_failure_at ?? undefined,
        failingSince: row.failing_since ?? undefined,
      }))
    },
  }
}

const findNoted = prepare((db, { gateway, productId }: { gateway: string; productId: string }) =>
  db
    .selectFrom('gateway_health')
    .select(['last_delivery_at', 'failing_since'])
    .where('gateway', '=', gateway)
    .where('product_id', '=', productId),
)
