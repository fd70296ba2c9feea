import { firstIdAt } from '../../kit/index.ts'
import { type AppEventRow, type EventAttemptRow, inPages, type Page, type Queryable } from '../../storage/index.ts'

/** An event as it is listed. Times in ms. */
export interface LoggedEvent {
  id: string
  type: string
  productId: string | undefined
  subject: string
  sequence: number
  occurredAt: number
  /** JSON; `undefined` once it is scrubbed. */
  data: string | undefined
}

export interface LoggedDelivery {
  endpointId: string
  state: string
  attempts: number
  nextAt: number | undefined
}

/** A delivery in the list of its endpoint, with its last attempt. */
export type ListedDelivery = LoggedDelivery & { event: LoggedEvent; last: LoggedAttempt | undefined }

export const DELIVERY_STATES = ['pending', 'delivered', 'failed', 'scrubbed'] as const
export type DeliveryState = (typeof DELIVERY_STATES)[number]

export interface LoggedAttempt {
  endpointId: string
  at: number
  ms: number
  status: number | undefined
  fault: string | undefined
  answer: string | undefined
}

interface EventFilter {
  subject?: string | undefined
  endpointId?: string | undefined
  productId?: string | undefined
  /** Ms; by the time at which they were recorded. */
  since?: number | undefined
}

/** Events with what became of them, for people. */
export function eventLogStore(db: Queryable) {
  const events = () => db.selectFrom('app_events').selectAll()
  return {
    async find(id: string): Promise<LoggedEvent | undefined> {
      const row = await events().where('id', '=', id).executeTakeFirst()
      return row && toEvent(row)
    },
    /** In the order of the ids, which is that of time. `subject`: the user that they are about. */
    async listPage({ subject, endpointId, productId, since }: EventFilter, page: Page): Promise<LoggedEvent[]> {
      let query = events()
      if (productId !== undefined) query = query.where('product_id', '=', productId)
      if (since !== undefined) query = query.where('id', '>=', firstIdAt(since))
      if (subject !== undefined) query = query.where('subject', '=', subject)
      if (endpointId !== undefined) {
        query = query.where((e) =>
          e.exists(
            e
              .selectFrom('event_deliveries as d')
              .select('d.event_id')
              .whereRef('d.event_id', '=', 'app_events.id')
              .where('d.endpoint_id', '=', endpointId),
          ),
        )
      }
      return (await inPages(query, { column: 'id', id: 'id', page }).execute()).map(toEvent)
    },
    /** Deliveries, in the order of the events' ids and then of the endpoints'. */
    async listDeliveriesPage(
      { endpointId, state }: { endpointId?: string | undefined; state?: DeliveryState | undefined },
      page: Page,
    ): Promise<ListedDelivery[]> {
      const own = db
        .selectFrom('event_deliveries')
        .innerJoin('app_events', 'app_events.id', 'event_id')
        .select(['id', 'type', 'product_id', 'subject', 'sequence', 'occurred_at', 'data', 'endpoint_id', 'state', 'attempts', 'next_at'])
      const chosen = endpointId === undefined ? own : own.where('endpoint_id', '=', endpointId)
      const wanted = state === undefined ? chosen : chosen.where('state', '=', state)
      const rows = await inPages(wanted, { column: 'event_id', id: 'endpoint_id', page }).execute()
      const attempts = await attemptsOf(db, rows)
      const last = new Map(attempts.map((attempt) => [`${attempt.endpointId} ${attempt.eventId}`, attempt]))
      return rows.map((row) => ({
        ...{ endpointId: row.endpoint_id, state: row.state, attempts: row.attempts, nextAt: row.next_at ?? undefined },
        ...{ event: toEvent(row), last: last.get(`${row.endpoint_id} ${row.id}`) },
      }))
    },
    async listDeliveries(eventId: string): Promise<LoggedDelivery[]> {
      const rows = await db.selectFrom('event_deliveries').selectAll().where('event_id', '=', eventId).orderBy('endpoint_id').execute()
      return rows.map(({ endpoint_id: endpointId, state, attempts, next_at }) => ({
        endpointId,
        state,
        attempts,
        nextAt: next_at ?? undefined,
      }))
    },
    /** Oldest first. */
    async listAttempts(eventId: string): Promise<LoggedAttempt[]> {
      const rows = await db.selectFrom('event_attempts').selectAll().where('event_id', '=', eventId).orderBy('id').execute()
      return rows.map(toAttempt)
    },
  }
}

/** Oldest first. Each delivery has eight at most, and a few more with each replay. */
async function attemptsOf(
  db: Queryable,
  deliveries: ReadonlyArray<{ endpoint_id: string; id: string }>,
): Promise<Array<LoggedAttempt & { eventId: string }>> {
  if (deliveries.length === 0) return []
  const [endpoints, events] = [new Set(deliveries.map((one) => one.endpoint_id)), deliveries.map(({ id }) => id)]
  const own = db
    .selectFrom('event_attempts')
    .selectAll()
    .where('endpoint_id', 'in', [...endpoints])
    .where('event_id', 'in', events)
  return (await own.orderBy('id').execute()).map((row) => ({ ...toAttempt(row), eventId: row.event_id }))
}

function toAttempt({ endpoint_id: endpointId, at, ms, status, fault, answer }: EventAttemptRow): LoggedAttempt {
  return { endpointId, at, ms, status: status ?? undefined, fault: fault ?? undefined, answer: answer ?? undefined }
}

function toEvent(row: AppEventRow): LoggedEvent {
  const { id, type, subject, sequence } = row
  return { id, type, subject, sequence, productId: row.product_id ?? undefined, occurredAt: row.occurred_at, data: row.data ?? undefined }
}
