import { type RawBuilder, sql } from 'kysely'
import { prepare, type Queryable } from '../storage/index.ts'
import { OPERATOR_SCOPE } from './plans/plan.ts'
import { isSubscriptionState, type SubscriptionState } from './subscription-states.ts'

/** A subscription as an access check sees it. Times in ms. */
export interface AccessCandidate {
  id: string
  productUser: string | undefined
  planSlug: string | undefined
  /** Centavos; 0 if the plan is not known. */
  price: number
  /** The buyer's address. */
  email: string | undefined
  state: SubscriptionState
  periodEnd: number | undefined
  graceFrom: number | undefined
  /** `Infinity` where nothing runs out. */
  accessUntil: number
  changedAt: number
}

const CANDIDATE = [
  'subscriptions.id',
  'subscriptions.product_user',
  'subscriptions.email',
  'plans.slug',
  'plans.price',
  'subscriptions.state',
  'subscriptions.period_end',
  'subscriptions.grace_from',
  'subscriptions.access_until',
  'subscriptions.changed_at',
] as const

const ofProduct = (db: Queryable, productId: string) =>
  db
    .selectFrom('subscriptions')
    .leftJoin('plans', 'plans.id', 'subscriptions.plan_id')
    .select(CANDIDATE)
    .where('product_id', '=', productId)

interface OfUser {
  productId: string
  userId: string
}

/** With the closing of the account that has this id, if there is one. */
const withClosing = (db: Queryable, { productId, userId }: OfUser) =>
  ofProduct(db, productId).select(db.selectFrom('users').select('disabled_at').where('users.id', '=', userId).as('closed_at'))

const ofUser = (db: Queryable, of: OfUser) =>
  withClosing(db, of)
    .where('product_user', '=', of.userId)
    .unionAll(withClosing(db, of).where('user_id', '=', of.userId))

const selectOfUser = prepare(ofUser)
const selectOfUserAndFree = prepare((db: Queryable, of: OfUser & { email: string }) =>
  ofUser(db, of).unionAll(withClosing(db, of).where('email', '=', of.email).where('product_user', 'is', null)),
)

export function accessStore(db: Queryable) {
  return {
    /**
     * A product's subscriptions of a user, whom it names by its own id or by the account's. `hasFree`: something was bought with the
     * address and no user of the product has it yet. `isDisabled`: this is the id of a closed account, which gets nothing. One statement;
     * three indexes, each by both of its columns.
     */
    async findByUser(
      productId: string,
      userId: string,
      email: string | undefined,
    ): Promise<{ candidates: AccessCandidate[]; hasFree: boolean; isDisabled: boolean }> {
      const of = { productId, userId }
      const { rows } = await (email === undefined ? selectOfUser(db, of) : selectOfUserAndFree(db, { ...of, email }))
      return {
        candidates: rows.map(toCandidate),
        hasFree: email !== undefined && rows.some((row) => row.email === email && row.product_user === null),
        isDisabled: rows.some(({ closed_at }) => closed_at !== null),
      }
    },
    async findByEmail(productId: string, email: string): Promise<AccessCandidate[]> {
      return (await ofProduct(db, productId).where('email', '=', email).execute()).map(toCandidate)
    },
    /**
     * Every subscription by which one of these products, which are all there are, knows a user, as `findByUser` finds them one product at a
     * time, and those of the operator's own plans; `limit` of either at most. The products are given, since no index leads from a product's
     * user to a subscription without them.
     */
    async listOfUser(
      userId: string,
      { productIds, limit }: { productIds: readonly string[]; limit: number },
    ): Promise<Array<AccessCandidate & { productId: string | undefined }>> {
      const known = db
        .selectFrom('subscriptions')
        .leftJoin('plans', 'plans.id', 'subscriptions.plan_id')
        .select([...CANDIDATE, 'subscriptions.product_id'])
      const linked = await known.where('user_id', '=', userId).orderBy('subscriptions.id', 'desc').limit(limit).execute()
      // Unsorted, and not in one statement with the others: sorted, SQLite reads all subscriptions of a product in their order.
      const isNamed = known.where('product_id', 'in', productIds).where('product_user', '=', userId).limit(limit)
      const named = productIds.length === 0 ? [] : await isNamed.execute()
      const all = new Map([...linked, ...named].map((row) => [row.id, { ...toCandidate(row), productId: row.product_id ?? undefined }]))
      return [...all.values()]
    },
    /** Whether this is the id of a closed account. */
    async isDisabledUser(userId: string): Promise<boolean> {
      const row = await db.selectFrom('users').select('disabled_at').where('id', '=', userId).executeTakeFirst()
      return row !== undefined && row.disabled_at !== null
    },
    /**
     * Links the purchases of an address that no user of the product has to this user. Of two users who ask for one subscription at once,
     * one gets it. Answers the subscriptions, in the order of their ids.
     */
    async linkProductUser(productId: string, email: string, productUser: string): Promise<string[]> {
      const rows = await db
        .updateTable('subscriptions')
        .set({ product_user: productUser })
        .where('product_id', '=', productId)
        .where('email', '=', email)
        .where('product_user', 'is', null)
        .returning('id')
        .execute()
      return rows.map(({ id }) => id).sort()
    },
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
function livePlan<Row>(
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

interface CandidateRow {
  id: string
  product_user: string | null
  email: string | null
  price: number | null
  slug: string | null
  state: string
  period_end: number | null
  grace_from: number | null
  access_until: number | null
  changed_at: number
}

function toCandidate(row: CandidateRow): AccessCandidate {
  if (!isSubscriptionState(row.state)) throw new Error(`a subscription in an unknown state: ${row.state}`)
  return {
    id: row.id,
    productUser: row.product_user ?? undefined,
    planSlug: row.slug ?? undefined,
    price: row.price ?? 0,
    email: row.email ?? undefined,
    state: row.state,
    periodEnd: row.period_end ?? undefined,
    graceFrom: row.grace_from ?? undefined,
    accessUntil: row.access_until ?? Number.POSITIVE_INFINITY,
    changedAt: row.changed_at,
  }
}
