import { PostgresAdapter, sql } from 'kysely'
import { firstIdAt, newId } from '../kit/index.ts'
import { type AppEventRow, prepare, type Queryable, removeInPortions, slicesOf, type Transaction } from '../storage/index.ts'
import { type EventType, isEventType, isOfUser, needsAccess } from './event-types.ts'

/** An event before it has an id. */
interface NewAppEvent {
  type: EventType
  /** `undefined`: it is the operator's alone. */
  productId: string | undefined
  /** The user or thing that it is about. */
  subject: string
  /** Higher than that of every earlier event about the subject. */
  sequence: number
  data: Record<string, unknown>
}

/** An endpoint, which may be disabled. */
interface Listener {
  id: string
  productId: string | undefined
  types: readonly EventType[]
  /** Whether the access of every user is known. Before that the endpoint gets all events but those of access. */
  isReady: boolean
  isDisabled: boolean
}

const selectListeners = prepare((db, { productId }: { productId: string | null }) =>
  db
    .selectFrom('event_endpoints')
    .select(['id', 'product_id', 'types', 'ready_at', 'disabled_at'])
    .where((e) => e.or([e('product_id', '=', productId), e('product_id', 'is', null)])),
)

/** The endpoints of a product and the operator's; without a product, the operator's alone. */
async function listListeners(db: Queryable, productId: string | undefined): Promise<Listener[]> {
  const { rows } = await selectListeners(db, { productId: productId ?? null })
  return rows.map(({ id, product_id, types, ready_at, disabled_at }) => {
    return {
      id,
      productId: product_id ?? undefined,
      types: parseTypes(types),
      isReady: ready_at !== null,
      isDisabled: disabled_at !== null,
    }
  })
}

const selectHearing = prepare((db, { pattern }: { pattern: string }) =>
  db.selectFrom('event_endpoints').select(['product_id', 'types']).where('types', 'like', pattern),
)

/** The products whose endpoints subscribe to a type of event that is not about access, and `undefined` for the operator. Mostly none. */
export async function listHearing(db: Queryable, type: Exclude<EventType, `access.${string}`>): Promise<Array<string | undefined>> {
  const { rows } = await selectHearing(db, { pattern: `%${type}%` })
  const hearing = rows.filter(({ types }) => parseTypes(types).includes(type))
  return [...new Set(hearing.map(({ product_id }) => product_id ?? undefined))]
}

export function parseTypes(text: string): EventType[] {
  return text.split(' ').filter(isEventType)
}

/**
 * Writes an event and what has to be delivered of it, in the transaction that makes it true. A disabled endpoint gets it by a replay. With
 * nobody to hear of it nothing is written.
 */
export async function recordEvent(tx: Transaction, event: NewAppEvent, at: number): Promise<void> {
  const listeners = listening(await listListeners(tx, event.productId), event)
  if (listeners.length === 0) return
  const row = toRow(event, at)
  await insertEvent(tx, row)
  const enabled = listeners.filter(({ isDisabled }) => !isDisabled)
  for (const { id: endpointId } of enabled) await insertDelivery(tx, { endpoint_id: endpointId, event_id: row.id, next_at: at })
}

/** The same of any number of events, in a few statements for each product. */
export async function recordEvents(tx: Transaction, events: readonly NewAppEvent[], at: number): Promise<void> {
  const [only, ...more] = events
  if (only && more.length === 0) return recordEvent(tx, only, at)
  const listenersOf = new Map<string | undefined, Listener[]>()
  const eventIdsOf = new Map<string, string[]>()
  const rows: AppEventRow[] = []
  for (const event of events) {
    const ofProduct = listenersOf.get(event.productId) ?? (await listListeners(tx, event.productId))
    listenersOf.set(event.productId, ofProduct)
    const listeners = listening(ofProduct, event)
    if (listeners.length === 0) continue
    const row = toRow(event, at)
    rows.push(row)
    for (const { id, isDisabled } of listeners) {
      const eventIds = eventIdsOf.get(id) ?? []
      if (!isDisabled) eventIdsOf.set(id, eventIds)
      eventIds.push(row.id)
    }
  }
  for (const slice of slicesOf(rows)) await tx.insertInto('app_events').values(slice).execute()
  for (const [endpointId, eventIds] of eventIdsOf) for (const slice of slicesOf(eventIds)) await insertDeliveries(tx, endpointId, slice, at)
}

/** The endpoints that an event is for, among those of its product and of the operator. */
function listening(listeners: readonly Listener[], { type, productId: ofProduct }: NewAppEvent): Listener[] {
  return listeners.filter(
    ({ productId, types, isReady }) =>
      types.includes(type) && (isReady || !needsAccess([type])) && (productId === ofProduct || !isOfUser(type)),
  )
}

function toRow({ type, productId, subject, sequence, data }: NewAppEvent, at: number): AppEventRow {
  return { id: newId(), type, product_id: productId ?? null, subject, sequence, occurred_at: at, data: JSON.stringify(data) }
}

const insertEvent = prepare((db, row: AppEventRow) =>
  db.insertInto('app_events').values({
    id: row.id,
    type: row.type,
    product_id: row.product_id,
    subject: row.subject,
    sequence: row.sequence,
    occurred_at: row.occurred_at,
    data: row.data,
  }),
)

/** Adds no delivery for an endpoint that another transaction is removing: the foreign key would fail, and undo the reported change. */
const insertDelivery = prepare((db: Queryable, row: { endpoint_id: string; event_id: string; next_at: number }) => ({
  compile: () =>
    sql<object>`
  insert into event_deliveries (endpoint_id, event_id, state, attempts, next_at)
  select id, cast(${row.event_id} as text), 'pending', 0, cast(${row.next_at} as bigint) from event_endpoints
  where id = ${row.endpoint_id} ${db.getExecutor().adapter instanceof PostgresAdapter ? sql`for key share` : sql``}`.compile(db),
}))

/** The same of many events that this transaction has written. */
async function insertDeliveries(tx: Transaction, endpointId: string, eventIds: readonly string[], at: number): Promise<void> {
  await sql`
    insert into event_deliveries (endpoint_id, event_id, state, attempts, next_at)
    select endpoint.id, event.id, 'pending', 0, cast(${at} as bigint) from event_endpoints as endpoint, app_events as event
    where endpoint.id = ${endpointId} and event.id in (${sql.join(eventIds)})
    ${tx.getExecutor().adapter instanceof PostgresAdapter ? sql`for key share of endpoint` : sql``}`.execute(tx)
}

/** Whether an event of this type was recorded of a subject, as far back as events are kept. */
export async function isRecorded(db: Queryable, type: EventType, subject: string): Promise<boolean> {
  const known = db.selectFrom('app_events').select('id').where('subject', '=', subject).where('type', '=', type)
  return (await known.limit(1).executeTakeFirst()) !== undefined
}

/** The time of the event that was recorded last, by the clock that was ahead of all others (ms). */
export async function newestEventAt(db: Queryable): Promise<number | undefined> {
  return (await db.selectFrom('app_events').select('occurred_at').orderBy('id', 'desc').limit(1).executeTakeFirst())?.occurred_at
}

/** Removes old events with their deliveries and attempts. An id is by the clock of the machine that made it, which may have been behind. */
export async function forgetEventsBefore(db: Queryable, at: number): Promise<void> {
  await removeInPortions(db, 'app_events', (e) => e.and([e('id', '<', firstIdAt(at)), e('occurred_at', '<', at)]))
}
