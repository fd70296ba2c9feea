import { sql } from 'kysely'
import { prepare, type Queryable } from '../../storage/index.ts'
import { type AccessCandidate, CANDIDATE, toCandidate } from './access-candidate.ts'

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

const IS_FREE = sql<number>`1`.as('is_free')
const IS_NOT_FREE = sql<number>`0`.as('is_free')

const ofUser = (db: Queryable, of: OfUser) =>
  withClosing(db, of)
    .select(IS_NOT_FREE)
    .where('product_user', '=', of.userId)
    .unionAll(withClosing(db, of).select(IS_NOT_FREE).where('user_id', '=', of.userId))

const selectOfUser = prepare(ofUser)

const selectOfUserAndFree = prepare((db: Queryable, of: OfUser & { email: string }) =>
  ofUser(db, of).unionAll(withClosing(db, of).select(IS_FREE).where(isFree(of))),
)

/**
 * Whether an address still leads to what was bought with it: no account has the purchase, or one that has this address now. Its account may
 * have left the address, which is somebody else's then, or the operator may have given the purchase to another account.
 */
function isOfAddress(email: string) {
  return sql<boolean>`(subscriptions.user_id is null
    or exists (select 1 from users as holder where holder.id = subscriptions.user_id and holder.email = ${email}))`
}

/**
 * Whether a purchase of an address has no user of the product yet, and may be linked to this one. An account that has the address without
 * having verified it proves nothing by it: the product knows the address from Portaria.
 */
function isFree({ userId, email }: Pick<OfUser, 'userId'> & { email: string }) {
  return sql<boolean>`(subscriptions.email = ${email} and subscriptions.product_user is null
    and (subscriptions.user_id = ${userId} or ${isOfAddress(email)})
    and not exists (select 1 from users as asked where asked.id = ${userId} and asked.email = ${email} and asked.email_verified_at is null))`
}

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
        hasFree: rows.some(({ is_free }) => is_free === 1),
        isDisabled: rows.some(({ closed_at }) => closed_at !== null),
      }
    },
    /** The purchases of an address that still leads to them. */
    async findByEmail(productId: string, email: string): Promise<AccessCandidate[]> {
      const rows = await ofProduct(db, productId).where('email', '=', email).where(isOfAddress(email)).execute()
      return rows.map(toCandidate)
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
     * Links the free purchases of an address to this user. Of two users who ask for one subscription at once,
     * one gets it. Answers the subscriptions, in the order of their ids.
     */
    async linkProductUser(productId: string, email: string, productUser: string): Promise<string[]> {
      const rows = await db
        .updateTable('subscriptions')
        .set({ product_user: productUser })
        .where('product_id', '=', productId)
        .where(isFree({ userId: productUser, email }))
        .returning('id')
        .execute()
      return rows.map(({ id }) => id).sort()
    },
  }
}
