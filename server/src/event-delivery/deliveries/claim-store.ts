import { sql } from 'kysely'
import { type SealedEndpoint, toEndpoint } from '../../app-events/index.ts'
import { prepare, prepareWithList, type Queryable, type Storage } from '../../storage/index.ts'
import { endDeliveries } from './outcome-store.ts'
import type { Message } from './send.ts'

/** A delivery that this node has claimed. `attempts` includes the coming one. */
export interface Claimed {
  message: Message
  attempts: number
}

type Claiming = { endpointId: string; limit: number; now: number; until: number }

const claimRows = { sqlite: claiming('sqlite'), postgres: claiming('postgres') }

function claiming(dialect: Storage['address']['dialect']) {
  return prepare((db: Queryable, { endpointId, limit, now, until }: Claiming) => {
    const due = db
      .selectFrom('event_deliveries')
      .select('event_id')
      .where('endpoint_id', '=', endpointId)
      .where('next_at', '<=', now)
      .orderBy('next_at')
      .limit(limit)
    return db
      .updateTable('event_deliveries')
      .set((e) => ({ next_at: until, attempts: e('attempts', '+', 1) }))
      .where('endpoint_id', '=', endpointId)
      .where((e) =>
        dialect === 'postgres'
          ? // An array is read once. PostgreSQL may read what follows `in` anew for each row, and then takes more than the limit.
            e('event_id', '=', sql<string>`any(array(${due.forUpdate().skipLocked()}))`)
          : e('event_id', 'in', due),
      )
      .returning(['event_id', 'attempts'])
  }, 'each_time')
}

const selectMessages = prepareWithList((db: Queryable, _none: object, ids) =>
  db.selectFrom('app_events').select(['id', 'type', 'occurred_at', 'data']).where('id', 'in', ids),
)

/**
 * Takes an endpoint's longest due deliveries until `until`, and counts the attempts. Of any number of nodes exactly one gets a delivery.
 * When a node dies, its deliveries are due again at that time. Those that were scrubbed are over.
 */
export async function claimDeliveries({ db, address }: Storage, claim: Claiming): Promise<Claimed[]> {
  const { rows } = await claimRows[address.dialect](db, claim)
  if (rows.length === 0) return []
  const ids = rows.map(({ event_id }) => event_id)
  const messages = new Map((await selectMessages(db, {}, ids)).rows.map((row) => [row.id, row]))
  const scrubbed = ids.filter((id) => (messages.get(id)?.data ?? null) === null)
  if (scrubbed.length > 0) await endDeliveries(db, claim.endpointId, scrubbed, 'scrubbed')
  return rows.flatMap(({ event_id, attempts }) => {
    const row = messages.get(event_id)
    if (!row || row.data === null) return []
    return [{ message: { id: row.id, type: row.type, occurredAt: row.occurred_at, data: row.data }, attempts }]
  })
}

/** A delivery that this node has claimed until a time. */
interface Claim {
  endpointId: string
  eventId: string
  until: number
}

/**
 * The endpoint of a claimed delivery as it is now. `undefined` when the delivery must not be sent any more: the endpoint is disabled,
 * paused or gone, the event was scrubbed, or the claim is no longer ours.
 */
export async function findClaimed(db: Queryable, { endpointId, eventId, until }: Claim, at: number): Promise<SealedEndpoint | undefined> {
  const row = await db
    .selectFrom('event_deliveries as d')
    .innerJoin('event_endpoints as e', 'e.id', 'd.endpoint_id')
    .innerJoin('app_events as a', 'a.id', 'd.event_id')
    .selectAll('e')
    .where('d.endpoint_id', '=', endpointId)
    .where('d.event_id', '=', eventId)
    .where('d.next_at', '=', until)
    .where('e.disabled_at', 'is', null)
    .where((e) => e.or([e('e.paused_until', 'is', null), e('e.paused_until', '<=', at)]))
    .where('a.data', 'is not', null)
    .executeTakeFirst()
  return row && toEndpoint(row)
}

/** Ends claims without an attempt: what still waits is due, and has as many attempts left as before. */
export async function giveBack(
  db: Queryable,
  { endpointId, eventIds, until }: Pick<Claim, 'endpointId' | 'until'> & { eventIds: readonly string[] },
  at: number,
): Promise<void> {
  await db
    .updateTable('event_deliveries')
    .set((e) => ({ next_at: at, attempts: e('attempts', '-', 1) }))
    .where('endpoint_id', '=', endpointId)
    .where('event_id', 'in', eventIds)
    .where('next_at', '=', until)
    .execute()
}
