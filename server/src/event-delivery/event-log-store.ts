import { inPages, type Page, type Queryable } from '../storage/index.ts'

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

export interface LoggedAttempt {
  endpointId: string
  at: number
  ms: number
  status: number | undefined
  fault: string | undefined
  answer: string | undefined
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
    async listPage(
      { subject, endpointId }: { subject?: string | undefined; endpointId?: string | undefined },
      page: Page,
    ): Promise<LoggedEvent[]> {
      let query = events()
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
      return rows.map(({ endpoint_id: endpointId, at, ms, status, fault, answer }) => ({
        ...{ endpointId, at, ms },
        ...{ status: status ?? undefined, fault: fault ?? undefined, answer: answer ?? undefined },
      }))
    },
  }
}

function toEvent(row: {
  id: string
  type: string
  product_id: string | null
  subject: string
  sequence: number
  occurred_at: number
  data: string | null
}): LoggedEvent {
  const { id, type, subject, sequence } = row
  return { id, type, subject, sequence, productId: row.product_id ?? undefined, occurredAt: row.occurred_at, data: row.data ?? undefined }
}
