import { type ExpressionBuilder, sql } from 'kysely'
import { DAY_MS } from '../../kit/index.ts'
import { inPortions, PORTION_MS, type Schema, type Storage, type Transaction } from '../../storage/index.ts'

/**
 * Mends times that a clock has written which was ahead and is set back: what was never tried is due at once, and nothing waits for longer
 * than `Retry-After` may ask for.
 */
export async function fixTimesAhead(storage: Storage, at: number): Promise<void> {
  const latest = at + DAY_MS
  await storage.transaction((tx) => fixEndpoints(tx, { at, latest }))
  for (const { id } of await storage.db.selectFrom('event_endpoints').select('id').execute())
    await fixDeliveries(storage, id, { at, latest })
}

interface Times {
  at: number
  latest: number
}

async function fixEndpoints(tx: Transaction, { at, latest }: Times): Promise<void> {
  await sql`
    update event_endpoints set
      paused_until = case when paused_until > ${latest} then cast(${latest} as bigint) else paused_until end,
      failing_since = case when failing_since > ${at} then cast(${at} as bigint) else failing_since end,
      warned_at = case when warned_at > ${at} then cast(${at} as bigint) else warned_at end
    where paused_until > ${latest} or failing_since > ${at} or warned_at > ${at}`.execute(tx)
}

/** In transactions, which are run again where they meet those that write down attempts: neither takes its rows in an order. */
async function fixDeliveries(storage: Storage, endpointId: string, times: Times): Promise<void> {
  await inPortions((size) => storage.transaction((tx) => fixPortion(tx, endpointId, { ...times, size })), {
    portionMs: PORTION_MS[storage.address.dialect],
  })
}

/** The condition is asked twice: an attempt that was written down in between is left as it is. */
async function fixPortion(tx: Transaction, endpointId: string, { at, latest, size }: Times & { size: number }): Promise<number> {
  const isWrong = (e: ExpressionBuilder<Pick<Schema, 'event_deliveries'>, 'event_deliveries'>) =>
    e.and([e('next_at', '>', at), e.or([e('attempts', '=', 0), e('next_at', '>', latest)])])
  const wrong = tx.selectFrom('event_deliveries').select('event_id').where('endpoint_id', '=', endpointId).where(isWrong).limit(size)
  const ids = (await wrong.execute()).map(({ event_id }) => event_id)
  if (ids.length === 0) return 0
  await tx
    .updateTable('event_deliveries')
    .set((e) => ({
      next_at: e
        .case()
        .when('attempts', '=', 0)
        .then(e.cast<number>(e.val(at), 'bigint'))
        .else(e.cast<number>(e.val(latest), 'bigint'))
        .end(),
    }))
    .where('endpoint_id', '=', endpointId)
    .where('event_id', 'in', ids)
    .where(isWrong)
    .execute()
  return ids.length
}
