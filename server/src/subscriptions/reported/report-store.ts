import { type RawBuilder, sql } from 'kysely'
import { prepare, type Queryable, type Transaction } from '../../storage/index.ts'

/** Whether an endpoint hears of a product's subscriptions, though it be disabled. */
const isFollowed = (productId: unknown) =>
  sql`exists (select 1 from event_endpoints as e where (e.product_id is null or e.product_id = ${productId}) and e.types like '%subscription.%')`

interface Mark {
  id: string
  productId: string | null
}

/** A new subscription was never reported, which is an empty state. Of any other one it is not known. */
const marking = (state: RawBuilder<unknown>) =>
  prepare((db: Queryable, { id, productId }: Mark) => ({
    compile: () =>
      sql<object>`
  insert into reported_subscriptions (id, sequence, state, due)
  select cast(${id} as text), 0, ${state}, 1 where ${isFollowed(productId)}
  on conflict (id) do update set due = 1`.compile(db),
  }))

const markRow = { made: marking(sql.lit('')), changed: marking(sql`null`) }

/** Has a subscription looked at, in the transaction that makes or changes it. With no endpoint for it nothing is written. */
export async function markSubscription(
  tx: Transaction,
  { id, productId }: { id: string; productId: string | undefined },
  was: 'made' | 'changed',
): Promise<void> {
  await markRow[was](tx, { id, productId: productId ?? null })
}

/** The subscriptions to be looked at. */
export async function listDue(db: Queryable, limit: number): Promise<string[]> {
  const due = db.selectFrom('reported_subscriptions').select('id').where('due', 'is not', null).orderBy('id').limit(limit)
  return (await due.execute()).map(({ id }) => id)
}

/** The state that was last reported: empty for none, `undefined` where that is not known. */
export interface Reported {
  sequence: number
  state: string | undefined
}

/** Takes a due subscription, and holds the row until the transaction ends: of any number of nodes exactly one gets it. */
export async function takeDue(tx: Transaction, id: string): Promise<Reported | undefined> {
  const row = await tx
    .updateTable('reported_subscriptions')
    .set({ due: null })
    .where('id', '=', id)
    .where('due', 'is not', null)
    .returning(['sequence', 'state'])
    .executeTakeFirst()
  return row && { sequence: row.sequence, state: row.state ?? undefined }
}

export async function putReported(tx: Transaction, id: string, { sequence, state }: { sequence: number; state: string }): Promise<void> {
  await tx.updateTable('reported_subscriptions').set({ sequence, state }).where('id', '=', id).execute()
}

export async function removeReported(tx: Transaction, id: string): Promise<void> {
  await tx.deleteFrom('reported_subscriptions').where('id', '=', id).execute()
}

/** The part of a subscription that is reported, and its product. */
export async function findShown(tx: Transaction, id: string) {
  return tx
    .selectFrom('subscriptions')
    .leftJoin('plans', 'plans.id', 'subscriptions.plan_id')
    .select(['subscriptions.product_id', 'user_id', 'product_user', 'slug', 'state', 'period_end'])
    .where('subscriptions.id', '=', id)
    .executeTakeFirst()
}

/** Whether anybody hears of subscriptions. */
export async function isAnyHearing(db: Queryable): Promise<boolean> {
  const hearing = db.selectFrom('event_endpoints').select('id').where('types', 'like', '%subscription.%')
  return (await hearing.limit(1).executeTakeFirst()) !== undefined
}
