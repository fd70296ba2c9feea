import type { Queryable } from '../storage/index.ts'

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
