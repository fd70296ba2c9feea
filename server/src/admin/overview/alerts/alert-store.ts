import { DAY_MS, firstIdAt } from '../../../kit/index.ts'
import { GATEWAYS } from '../../../products/index.ts'
import type { Queryable } from '../../../storage/index.ts'
import type { SubscriptionState } from '../../../subscriptions/index.ts'

/** Counts for the alerts about the operator's own setup. */
export function alertStore(db: Queryable) {
  return {
    /**
     * Purchases that were probably reported twice: by the own checkout and by a gateway, for the same product and address, within a day of
     * each other. Only of these products, only since a time (ms), and only while the own checkout's one has not ended.
     */
    async listDuplicatePurchases(
      productIds: readonly string[],
      since: number,
    ): Promise<Array<{ productId: string; gateway: string; count: number }>> {
      const rows = await db
        .selectFrom('subscriptions as own')
        .innerJoin('event_streams as own_stream', 'own_stream.id', 'own.stream_id')
        .innerJoin('subscriptions as other', (join) =>
          join.onRef('other.email', '=', 'own.email').onRef('other.product_id', '=', 'own.product_id'),
        )
        .innerJoin('event_streams as other_stream', 'other_stream.id', 'other.stream_id')
        .select((e) => ['own.product_id', 'other_stream.source', e.fn.count('own.id').distinct().as('count')])
        .where('own.id', '>', firstIdAt(since))
        .where('own.state', 'in', ['active', 'past_due'] satisfies SubscriptionState[])
        .where('own.product_id', 'in', productIds)
        .where('own_stream.source', '=', 'purchase')
        .where('other_stream.source', 'in', GATEWAYS)
        .where((e) => e.between(e('other.created_at', '-', e.ref('own.created_at')), e.lit(-DAY_MS), e.lit(DAY_MS)))
        .groupBy(['own.product_id', 'other_stream.source'])
        .execute()
      return rows.map(({ product_id, source, count }) => ({ productId: product_id ?? '', gateway: source, count: Number(count) }))
    },
    /** The number of dead letters, and the time of the first. */
    async countDeadJobs(): Promise<{ count: number; since: number | undefined }> {
      const { count, since } = await db
        .selectFrom('outbox')
        .select((e) => [e.fn.countAll().as('count'), e.fn.min('dead_at').as('since')])
        .where('dead_at', 'is not', null)
        .executeTakeFirstOrThrow()
      return { count: Number(count), since: since ?? undefined }
    },
    /** Scripts' tokens that expire between two times (ms), and the first expiry. */
    async countEndingTokens(from: number, until: number): Promise<{ count: number; first: number | undefined }> {
      const { count, first } = await db
        .selectFrom('admin_tokens')
        .select((e) => [e.fn.countAll().as('count'), e.fn.min('expires_at').as('first')])
        .where('revoked_at', 'is', null)
        .where('expires_at', '>', from)
        .where('expires_at', '<=', until)
        .executeTakeFirstOrThrow()
      return { count: Number(count), first: first ?? undefined }
    },
    /** Administrators whose only factor is a password or a provider. */
    async countUnguardedAdministrators(): Promise<number> {
      const { count } = await db
        .selectFrom('users')
        .select((e) => e.fn.countAll().as('count'))
        .where('role', 'is not', null)
        .where('disabled_at', 'is', null)
        .where((e) =>
          e.not(
            e.exists(
              e.selectFrom('totp_factors').whereRef('user_id', '=', 'users.id').where('confirmed_at', 'is not', null).select('user_id'),
            ),
          ),
        )
        .where((e) => e.not(e.exists(e.selectFrom('passkeys').whereRef('user_id', '=', 'users.id').select('user_id'))))
        .executeTakeFirstOrThrow()
      return Number(count)
    },
  }
}
