import { sql } from 'kysely'
import { firstIdAt } from '../kit/index.ts'
import type { Queryable } from '../storage/index.ts'

/** An endpoint as far as it says which events are for it. */
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

/** The same for everything that was given up at an endpoint. */
export async function replayFailed(db: Queryable, endpointId: string, at: number): Promise<number> {
  const update = db.updateTable('event_deliveries').set({ state: 'pending', attempts: 0, next_at: at })
  const { numUpdatedRows } = await update.where('endpoint_id', '=', endpointId).where('state', '=', 'failed').executeTakeFirst()
  return Number(numUpdatedRows)
}

/**
 * The same for the next events that are for an endpoint, delivered or not: those that came while it was disabled have no delivery yet.
 * Pending ones stay as they are. `after` is the id of the last one of the portion before.
 */
export async function replayPortion(
  db: Queryable,
  { endpointId, productId, types }: Scope,
  { since, after, size, at }: { since: number; after: string | undefined; size: number; at: number },
): Promise<{ events: number; replayed: number; last: string | undefined }> {
  let own = db
    .selectFrom('app_events')
    .select('id')
    .where('id', '>', after ?? firstIdAt(since))
    .where('type', 'in', types)
    .where('data', 'is not', null)
    .orderBy('id')
    .limit(size)
  if (productId !== undefined) own = own.where('product_id', '=', productId)
  const ids = (await own.execute()).map(({ id }) => id)
  if (ids.length === 0) return { events: 0, replayed: 0, last: undefined }
  const { numInsertedOrUpdatedRows } = await db
    .insertInto('event_deliveries')
    .values(ids.map((id) => ({ endpoint_id: endpointId, event_id: id, state: 'pending', attempts: 0, next_at: at })))
    .onConflict((conflict) =>
      conflict
        .columns(['endpoint_id', 'event_id'])
        .doUpdateSet({ state: 'pending', attempts: 0, next_at: at })
        .where(sql.ref('event_deliveries.next_at'), 'is', null),
    )
    .executeTakeFirstOrThrow()
  return { events: ids.length, replayed: Number(numInsertedOrUpdatedRows ?? 0), last: ids.at(-1) }
}
