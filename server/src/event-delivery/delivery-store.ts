import { type SealedEndpoint, toEndpoint } from '../app-events/index.ts'
import { newId } from '../kit/index.ts'
import { prepare, prepareWithList, type Queryable, removeInPortions, type Storage, type Transaction } from '../storage/index.ts'
import type { Attempt, Message } from './send.ts'

/** A delivery that this node has claimed. `attempts` includes the coming one. */
export interface Claimed {
  message: Message
  attempts: number
}

/** The end of an attempt, as it is written down. */
export interface Outcome {
  endpointId: string
  eventId: string
  attempt: Attempt
  state: 'delivered' | 'pending' | 'failed'
  /** Of a pending one. */
  nextAt: number | undefined
}

const selectDueEndpoints = prepare((db: Queryable, { now }: { now: number }) =>
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
)

/** The endpoints with a due delivery. The cost depends on the number of endpoints, not of deliveries. */
export async function listDueEndpoints(db: Queryable, now: number): Promise<SealedEndpoint[]> {
  return (await selectDueEndpoints(db, { now })).rows.map(toEndpoint)
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
      .where('event_id', 'in', dialect === 'postgres' ? due.forUpdate().skipLocked() : due)
      .returning(['event_id', 'attempts'])
  })
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
export interface Claim {
  endpointId: string
  eventId: string
  until: number
}

/**
 * The endpoint of a claimed delivery as it is now. `undefined` when the delivery must not be sent any more: the endpoint is disabled or
 * gone, the event was scrubbed, or the claim is no longer ours.
 */
export async function findClaimed(db: Queryable, { endpointId, eventId, until }: Claim): Promise<SealedEndpoint | undefined> {
  const row = await db
    .selectFrom('event_deliveries as d')
    .innerJoin('event_endpoints as e', 'e.id', 'd.endpoint_id')
    .innerJoin('app_events as a', 'a.id', 'd.event_id')
    .selectAll('e')
    .where('d.endpoint_id', '=', endpointId)
    .where('d.event_id', '=', eventId)
    .where('d.next_at', '=', until)
    .where('e.disabled_at', 'is', null)
    .where('a.data', 'is not', null)
    .executeTakeFirst()
  return row && toEndpoint(row)
}

/** Ends a claim without an attempt: what still waits is due, and has as many attempts left as before. */
export async function giveBack(db: Queryable, { endpointId, eventId, until }: Claim, at: number): Promise<void> {
  await db
    .updateTable('event_deliveries')
    .set((e) => ({ next_at: at, attempts: e('attempts', '-', 1) }))
    .where('endpoint_id', '=', endpointId)
    .where('event_id', '=', eventId)
    .where('next_at', '=', until)
    .execute()
}

async function endDeliveries(db: Queryable, endpointId: string, eventIds: readonly string[], state: string): Promise<void> {
  await db
    .updateTable('event_deliveries')
    .set({ state, next_at: null })
    .where('endpoint_id', '=', endpointId)
    .where('event_id', 'in', eventIds)
    .execute()
}

/** Writes down many attempts at once. An event that was removed meanwhile leaves nothing, and a scrubbed one no
 * answer. */
export async function writeOutcomes(tx: Transaction, outcomes: readonly Outcome[]): Promise<void> {
  for (const [endpointId, own] of Map.groupBy(outcomes, (outcome) => outcome.endpointId)) {
    const delivered = own.filter(({ state }) => state === 'delivered').map(({ eventId }) => eventId)
    if (delivered.length > 0) await endDeliveries(tx, endpointId, delivered, 'delivered')
    for (const { eventId, state, nextAt } of own) {
      if (state !== 'delivered') await putOutcome(tx, { endpointId, eventId, state, nextAt: nextAt ?? null })
    }
  }
  const there = new Map((await listThere(tx, outcomes)).map(({ key, isScrubbed }) => [key, isScrubbed]))
  const rows = outcomes.flatMap((outcome) => {
    const isScrubbed = there.get(keyOf(outcome))
    return isScrubbed === undefined ? [] : [toAttemptRow(outcome, isScrubbed)]
  })
  if (rows.length > 0) await tx.insertInto('event_attempts').values(rows).execute()
}

/** The deliveries that were not removed meanwhile, with their event or their endpoint, and whether the event was scrubbed. */
async function listThere(tx: Transaction, outcomes: readonly Outcome[]): Promise<Array<{ key: string; isScrubbed: boolean }>> {
  const rows = await tx
    .selectFrom('event_deliveries')
    .innerJoin('app_events', 'app_events.id', 'event_id')
    .select((e) => ['endpoint_id', 'event_id', e('data', 'is', null).as('scrubbed')])
    .where((e) =>
      e.and([
        e('endpoint_id', 'in', [...new Set(outcomes.map(({ endpointId }) => endpointId))]),
        e('event_id', 'in', [...new Set(outcomes.map(({ eventId }) => eventId))]),
      ]),
    )
    .execute()
  return rows.map(({ endpoint_id: endpointId, event_id: eventId, scrubbed }) => {
    return { key: keyOf({ endpointId, eventId }), isScrubbed: Boolean(scrubbed) }
  })
}

function keyOf({ endpointId, eventId }: Pick<Outcome, 'endpointId' | 'eventId'>): string {
  return `${endpointId} ${eventId}`
}

async function putOutcome(
  tx: Transaction,
  { endpointId, eventId, state, nextAt }: { endpointId: string; eventId: string; state: string; nextAt: number | null },
): Promise<void> {
  await tx
    .updateTable('event_deliveries')
    .set({ state, next_at: nextAt })
    .where('endpoint_id', '=', endpointId)
    .where('event_id', '=', eventId)
    .execute()
}

function toAttemptRow({ endpointId, eventId, attempt }: Outcome, isScrubbed: boolean) {
  const { at, ms, status, fault, answer } = attempt
  const came = { status: status ?? null, fault: fault ?? null, answer: isScrubbed ? null : (answer ?? null) }
  return { id: newId(), endpoint_id: endpointId, event_id: eventId, at, ms, ...came }
}

/** Removes what waits for an endpoint and what was delivered there, in portions: there may be a million. */
export async function removeDeliveries(db: Queryable, endpointId: string): Promise<void> {
  await removeInPortions(db, 'event_deliveries', (e) => e('endpoint_id', '=', endpointId))
  await removeInPortions(db, 'event_attempts', (e) => e('endpoint_id', '=', endpointId))
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
