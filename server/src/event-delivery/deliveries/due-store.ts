import { type SealedEndpoint, toEndpoint } from '../../app-events/index.ts'
import { prepare, type Queryable } from '../../storage/index.ts'

const selectDueEndpoints = prepare(
  (db: Queryable, { now }: { now: number }) =>
    db
      .selectFrom('event_endpoints as e')
      .select([
        'id',
        'product_id',
        'url',
        'types',
        'description',
        'secret_sealed',
        'previous_sealed',
        'previous_until',
        'ready_at',
        'disabled_at',
        'disabled_reason',
        'failing_since',
        'warned_at',
        'paused_until',
        'created_at',
      ])
      .where('disabled_at', 'is', null)
      .where((e) => e.or([e('paused_until', 'is', null), e('paused_until', '<=', now)]))
      .where((e) =>
        e.exists(
          e.selectFrom('event_deliveries as d').select('d.event_id').whereRef('d.endpoint_id', '=', 'e.id').where('d.next_at', '<=', now),
        ),
      ),
  'each_time',
)

/** The endpoints with a due delivery. The cost depends on the number of endpoints, not of deliveries. */
export async function listDueEndpoints(db: Queryable, now: number): Promise<SealedEndpoint[]> {
  return (await selectDueEndpoints(db, { now })).rows.map(toEndpoint)
}

/** When the longest due delivery to an enabled endpoint was due, in ms; one step along the index for each endpoint. */
export async function longestDue(db: Queryable): Promise<number | undefined> {
  const rows = await db
    .selectFrom('event_endpoints as e')
    .select((e) =>
      e
        .selectFrom('event_deliveries as d')
        .select('d.next_at')
        .whereRef('d.endpoint_id', '=', 'e.id')
        .where('d.next_at', 'is not', null)
        .orderBy('d.next_at')
        .limit(1)
        .as('due_at'),
    )
    .where('disabled_at', 'is', null)
    .execute()
  const due = rows.flatMap(({ due_at }) => due_at ?? [])
  return due.length === 0 ? undefined : Math.min(...due)
}
