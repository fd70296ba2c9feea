import { type RawBuilder, sql } from 'kysely'
import type { Queryable } from '../../storage/index.ts'
import { OPERATOR_SCOPE } from '../plans/plan.ts'

/** The plans that a user may use at this moment. */
export function livePlanStore(db: Queryable) {
  return {
    /**
     * The plan that a user may use (`livePlan`), in the domain or, with `productId`, in that product. `until`: when to ask again, in ms.
     */
    async findLivePlan(userId: string, productId: string | undefined, now: number): Promise<{ slug: string; until: number } | undefined> {
      const columns = sql`pl.slug, s.access_until`
      const user = { userId: sql`${userId}`, productId: sql`cast(${productId ?? null} as text)`, now }
      const { rows } = await livePlan<{ slug: string; access_until: number | null }>(columns, user).execute(db)
      return rows[0] && { slug: rows[0].slug, until: rows[0].access_until ?? Number.POSITIVE_INFINITY }
    },
    /**
     * Every plan that a person may use in an internal product, the dearest first: the operator's, and those bought for the product itself.
     * `until`: when that must be asked again, in ms.
     */
    async listLivePlans(userId: string, productId: string, now: number): Promise<Array<{ slug: string; until: number }>> {
      const rows = await db
        .selectFrom('subscriptions as s')
        .innerJoin('plans as pl', 'pl.id', 's.plan_id')
        .leftJoin('products as pr', 'pr.id', 's.product_id')
        .select(['pl.slug', 's.access_until'])
        .where('s.user_id', '=', userId)
        .where((e) => e.or([e('s.access_until', 'is', null), e('s.access_until', '>', now)]))
        .where((e) =>
          e.or([
            e('s.product_id', '=', productId),
            e.and([e('pl.scope', '=', OPERATOR_SCOPE), e.or([e('pr.audience', 'is', null), e('pr.audience', '=', 'internal')])]),
          ]),
        )
        .orderBy('pl.price', 'desc')
        .orderBy('pl.slug')
        .orderBy('s.access_until', 'desc')
        .execute()
      return rows.map(({ slug, access_until }) => ({ slug, until: access_until ?? Number.POSITIVE_INFINITY }))
    },
  }
}

/** Columns for a read of `sessions`: the plan that its user may use there, and until when (`null`: until another event). */
export function livePlanOfSession(now: number) {
  const user = { userId: sql.ref('sessions.user_id'), productId: sql.ref('sessions.product_id'), now }
  const column = <T>(name: string) => sql<T>`(${livePlan(sql.ref(name), user)})`
  return [column<string | null>('pl.slug').as('plan_slug'), column<number | null>('s.access_until').as('plan_until')] as const
}

/**
 * The highest-priced plan that a user may use: among those bought for a product, or, where `productId` is null, among the operator's that
 * are bound to no external product.
 */
export function livePlan<Row>(
  columns: RawBuilder<unknown>,
  { userId, productId, now }: { userId: RawBuilder<unknown>; productId: RawBuilder<unknown>; now: number },
): RawBuilder<Row> {
  return sql<Row>`
    select ${columns} from subscriptions as s
    inner join plans as pl on pl.id = s.plan_id
    left join products as pr on pr.id = s.product_id
    where s.user_id = ${userId} and (s.access_until is null or s.access_until > ${now}) and case when ${productId} is null
      then pl.scope = ${OPERATOR_SCOPE} and (pr.audience is null or pr.audience = 'internal') else s.product_id = ${productId} end
    order by pl.price desc, pl.slug limit 1`
}
