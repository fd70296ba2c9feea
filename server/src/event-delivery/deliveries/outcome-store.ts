import { newId } from '../../kit/index.ts'
import type { Queryable, Transaction } from '../../storage/index.ts'
import type { Attempt } from './send.ts'

/** The end of an attempt, as it is written down. */
export interface Outcome {
  endpointId: string
  eventId: string
  /** The time until which the delivery was claimed for this attempt. */
  until: number
  attempt: Attempt
  state: 'delivered' | 'pending' | 'failed'
  /** Of a pending one. */
  nextAt: number | undefined
}

export async function endDeliveries(db: Queryable, endpointId: string, eventIds: readonly string[], state: string): Promise<void> {
  await db
    .updateTable('event_deliveries')
    .set({ state, next_at: null })
    .where('endpoint_id', '=', endpointId)
    .where('event_id', 'in', eventIds)
    .execute()
}

/**
 * Writes down many attempts at once. An event that was removed meanwhile leaves nothing, and a scrubbed one no answer. A delivery that was
 * replayed or claimed again meanwhile stays as it is, unless this attempt has arrived.
 */
export async function writeOutcomes(tx: Transaction, outcomes: readonly Outcome[]): Promise<void> {
  for (const [endpointId, own] of Map.groupBy(outcomes, (outcome) => outcome.endpointId)) {
    const delivered = own.filter(({ state }) => state === 'delivered').map(({ eventId }) => eventId)
    if (delivered.length > 0) await endDeliveries(tx, endpointId, delivered, 'delivered')
    for (const outcome of own) if (outcome.state !== 'delivered') await putOutcome(tx, outcome)
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

async function putOutcome(tx: Transaction, { endpointId, eventId, until, state, nextAt }: Outcome): Promise<void> {
  await tx
    .updateTable('event_deliveries')
    .set({ state, next_at: nextAt ?? null })
    .where('endpoint_id', '=', endpointId)
    .where('event_id', '=', eventId)
    .where('next_at', '=', until)
    .execute()
}

function toAttemptRow({ endpointId, eventId, attempt }: Outcome, isScrubbed: boolean) {
  const { at, ms, status, fault, answer } = attempt
  const came = { status: status ?? null, fault: fault ?? null, answer: isScrubbed ? null : (answer ?? null) }
  return { id: newId(), endpoint_id: endpointId, event_id: eventId, at, ms, ...came }
}
