import type { Queryable } from '../storage/index.ts'

export function healthStore(db: Queryable) {
  const endpoint = (id: string) => db.updateTable('event_endpoints').where('id', '=', id)
  return {
    async clearFailure(id: string): Promise<void> {
      await endpoint(id).set({ failing_since: null, warned_at: null }).where('failing_since', 'is not', null).execute()
    },
    /** Answers since when an enabled endpoint fails; its row is held. */
    async noteFailure(
      id: string,
      { at, pausedUntil }: { at: number; pausedUntil: number | undefined },
    ): Promise<{ failingSince: number; warnedAt: number | undefined } | undefined> {
      const row = await endpoint(id)
        .set((e) => ({
          failing_since: e.fn.coalesce('failing_since', e.val(at)),
          ...(pausedUntil !== undefined && { paused_until: pausedUntil }),
        }))
        .where('disabled_at', 'is', null)
        .returning(['failing_since', 'warned_at'])
        .executeTakeFirst()
      return row && { failingSince: row.failing_since ?? at, warnedAt: row.warned_at ?? undefined }
    },
    async noteWarning(id: string, at: number): Promise<void> {
      await endpoint(id).set({ warned_at: at }).execute()
    },
  }
}

/** More are not counted, and looked through for the last one that has arrived. */
const MAX_COUNTED = 1_000

/** How many deliveries wait (1,000: or more), and the last success, at a cost that a million deliveries do not raise. */
export async function readEndpointHealth(
  db: Queryable,
  endpointId: string,
): Promise<{ waiting: number; lastSuccessAt: number | undefined }> {
  const { waiting } = await db
    .selectFrom((e) =>
      e
        .selectFrom('event_deliveries')
        .select('event_id')
        .where('endpoint_id', '=', endpointId)
        .where('next_at', 'is not', null)
        .limit(MAX_COUNTED)
        .as('waiting'),
    )
    .select((e) => e.fn.countAll().as('waiting'))
    .executeTakeFirstOrThrow()
  const last = await db
    .selectFrom((e) =>
      e
        .selectFrom('event_deliveries')
        .select(['event_id', 'state'])
        .where('endpoint_id', '=', endpointId)
        .orderBy('event_id', 'desc')
        .limit(MAX_COUNTED)
        .as('recent'),
    )
    .select('event_id')
    .where('state', '=', 'delivered')
    .orderBy('event_id', 'desc')
    .limit(1)
    .executeTakeFirst()
  if (!last) return { waiting: Number(waiting), lastSuccessAt: undefined }
  const attempts = db.selectFrom('event_attempts').select('at').where('endpoint_id', '=', endpointId).where('event_id', '=', last.event_id)
  const attempt = await attempts.orderBy('id', 'desc').limit(1).executeTakeFirst()
  return { waiting: Number(waiting), lastSuccessAt: attempt?.at }
}
