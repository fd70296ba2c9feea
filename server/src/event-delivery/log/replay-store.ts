import { type Expression, type ExpressionBuilder, type SelectQueryBuilder, type SqlBool, sql } from 'kysely'
import { isLookingAtUsers } from '../../app-events/index.ts'
import { firstIdAt } from '../../kit/index.ts'
import { inPortions, PORTION_MS, type Queryable, type Schema, type Storage } from '../../storage/index.ts'

/** The fields of an endpoint that decide which events are for it. */
interface Scope {
  endpointId: string
  productId: string | undefined
  types: readonly string[]
}

/** Makes the deliveries of one event to all its endpoints, or to one, due again, with all their attempts. Answers how many. */
export async function replayEvent(
  db: Queryable,
  { eventId, endpointId }: { eventId: string; endpointId: string | undefined },
  at: number,
): Promise<number> {
  let update = db.updateTable('event_deliveries').set({ state: 'pending', attempts: 0, next_at: at }).where('event_id', '=', eventId)
  if (endpointId !== undefined) update = update.where('endpoint_id', '=', endpointId)
  return Number((await update.executeTakeFirst()).numUpdatedRows)
}

/** More are not counted. */
const MAX_COUNTED = 10_000
/**
 * A delivery that is due within this time may be under way: it is left alone. A node has it for two minutes; a third is for clocks, and for
 * what it is waited for.
 */
const SOON_MS = 180_000

type Condition = (e: ExpressionBuilder<Pick<Schema, 'event_deliveries'>, 'event_deliveries'>) => Expression<SqlBool>

/**
 * The failed deliveries of an endpoint: those that were given up, and those that wait after a failure. Each part has an index, which SQLite
 * would not use for both at once.
 */
const FAILED_PARTS: readonly ((at: number) => Condition)[] = [
  () => (e) => e('state', '=', sql.lit('failed')),
  (at) => (e) => e.and([e('next_at', '>', at + SOON_MS), e('attempts', '>', 0)]),
]

function failed(db: Queryable, endpointId: string, part: Condition, limit: number) {
  return db.selectFrom('event_deliveries').select('event_id').where('endpoint_id', '=', endpointId).where(part).limit(limit)
}

/**
 * The same for everything that has failed at an endpoint, in portions: there may be a million. Each is a transaction, which is run again
 * where PostgreSQL ends it: it takes its rows in no order, and so may those that write down attempts.
 */
export async function replayFailed(storage: Storage, endpointId: string, now: () => number): Promise<number> {
  let replayed = 0
  for (const part of FAILED_PARTS)
    await inPortions(
      async (size) => {
        const portion = await storage.transaction((tx) => replayFailedPortion(tx, endpointId, part, { size, at: now() }))
        replayed += portion.replayed
        return portion.events
      },
      { portionMs: PORTION_MS[storage.address.dialect] },
    )
  return replayed
}

/** The condition is asked twice: an attempt that was written down in between is left as it is. */
async function replayFailedPortion(
  tx: Queryable,
  endpointId: string,
  part: (at: number) => Condition,
  { size, at }: { size: number; at: number },
): Promise<{ events: number; replayed: number }> {
  const ids = (await failed(tx, endpointId, part(at), size).execute()).map(({ event_id }) => event_id)
  if (ids.length === 0) return { events: 0, replayed: 0 }
  const { numUpdatedRows } = await tx
    .updateTable('event_deliveries')
    .set({ state: 'pending', attempts: 0, next_at: at })
    .where('endpoint_id', '=', endpointId)
    .where('event_id', 'in', ids)
    .where(part(at))
    .executeTakeFirst()
  return { events: ids.length, replayed: Number(numUpdatedRows) }
}

/** The number of deliveries that this would make due, 10,000 at most. */
export async function countFailed(db: Queryable, endpointId: string, at: number): Promise<number> {
  let count = 0
  for (const part of FAILED_PARTS) count += await countSome(db, failed(db, endpointId, part(at), MAX_COUNTED - count))
  return count
}

/** The number of events since a time (ms) that a replay would deliver, 10,000 at most. */
export async function countSince(db: Queryable, { endpointId, productId, types }: Scope, since: number, at: number): Promise<number> {
  const all = db
    .selectFrom('app_events')
    .leftJoin('event_deliveries', (join) => join.onRef('event_id', '=', 'id').on('endpoint_id', '=', endpointId))
    .select('id as event_id')
    .where('id', '>', firstIdAt(since))
    .where('type', 'in', types)
    .where('data', 'is not', null)
    .where((e) => e.or([e('next_at', 'is', null), e.and([e('attempts', '>', 0), e('next_at', '>', at + SOON_MS)])]))
    .limit(MAX_COUNTED)
  return countSome(db, all.where(isForScope(productId)))
}

/**
 * The condition of events that are for a product's endpoints or, `undefined`, for the operator's. Events about users are recorded apart for
 * each product and for the operator. While a new endpoint of a product is preparing, its older events about users are left out: the product
 * may no longer see these data.
 */
const isForScope = (productId: string | undefined) => (e: ExpressionBuilder<Pick<Schema, 'app_events'>, 'app_events'>) => {
  const isOfUser = e('type', 'like', 'user.%')
  if (productId === undefined) return e.or([e('product_id', 'is', null), e.not(isOfUser)])
  return e.and([e('product_id', '=', productId), e.or([e.not(isOfUser), e.not(isLookingAtUsers(productId))])])
}

async function countSome(db: Queryable, some: SelectQueryBuilder<Schema, 'event_deliveries', { event_id: string }>): Promise<number> {
  const { count } = await db
    .selectFrom(some.as('some'))
    .select((e) => e.fn.countAll().as('count'))
    .executeTakeFirstOrThrow()
  return Number(count)
}

/**
 * The same for the next events that are for an endpoint, delivered or not: those that came while it was disabled have no delivery yet.
 * Pending ones stay as they are, unless they wait long after a failure. `after` is the id of the last one of the portion before.
 */
export async function replayPortion(
  db: Queryable,
  { endpointId, productId, types }: Scope,
  { since, after, size, at }: { since: number; after: string | undefined; size: number; at: number },
): Promise<{ events: number; replayed: number; last: string | undefined }> {
  const own = db
    .selectFrom('app_events')
    .select('id')
    .where('id', '>', after ?? firstIdAt(since))
    .where('type', 'in', types)
    .where('data', 'is not', null)
    .where(isForScope(productId))
    .orderBy('id')
    .limit(size)
  const ids = (await own.execute()).map(({ id }) => id)
  if (ids.length === 0) return { events: 0, replayed: 0, last: undefined }
  const { numInsertedOrUpdatedRows } = await db
    .insertInto('event_deliveries')
    .values(ids.map((id) => ({ endpoint_id: endpointId, event_id: id, state: 'pending', attempts: 0, next_at: at })))
    .onConflict((conflict) =>
      conflict
        .columns(['endpoint_id', 'event_id'])
        .doUpdateSet({ state: 'pending', attempts: 0, next_at: at })
        .where(
          sql<boolean>`(event_deliveries.next_at is null or (event_deliveries.attempts > 0 and event_deliveries.next_at > ${at + SOON_MS}))`,
        ),
    )
    .executeTakeFirstOrThrow()
  return { events: ids.length, replayed: Number(numInsertedOrUpdatedRows ?? 0), last: ids.at(-1) }
}
