import { asObject, type Json, numberAt, parseJson, textAt } from '../http/json.ts'
import { type Access, parseAccess } from '../service/access.ts'

const ACCESS_TYPES = ['access.granted', 'access.changed', 'access.revoked'] as const
const OTHER_TYPES = [
  'user.created',
  'user.updated',
  'user.deleted',
  'session.revoked',
  'subscription.created',
  'subscription.updated',
  'subscription.ended',
  'purchase.unresolved',
  'endpoint.disabled',
] as const

interface EventFields {
  /** The same each time that the event is delivered. */
  id: string
  /** The time of the change. */
  at: Date
  productId: string | null
  /** As in `checkAccess`: the user's id at Portaria, or the one that this app has given. */
  userId: string | null
  /**
   * It rises, and each of three kinds of events has its own count: `access.*` for each user of a product, `user.*` for each user and
   * receiver (a product, or the operator), `subscription.*` for each `data.subscription_id`. Keep one for each kind: see `isNewer`.
   * `null`: every other event, which says what has happened once.
   */
  sequence: number | null
  /** The event's own fields, as they were sent. */
  data: Record<string, unknown>
}

/** The access of a user has begun, changed or ended. */
export interface AccessEvent extends EventFields {
  type: (typeof ACCESS_TYPES)[number]
  productId: string
  userId: string
  sequence: number
  /** The access that `checkAccess` answers from then on. */
  access: Access
}

/** Any other event of the catalogue. `endpoint.disabled` goes to the operator's endpoints alone, and never to a product's. */
export interface OtherEvent extends EventFields {
  type: (typeof OTHER_TYPES)[number]
}

/** An event that this version of the client does not know, by its type or by its fields. */
export interface UnknownEvent extends EventFields {
  type: 'unknown'
  /** Its type as it was sent. */
  name: string
}

/** An event of Portaria. Its `type` says which one. */
export type PortariaEvent = AccessEvent | OtherEvent | UnknownEvent

/** The event in a verified body; `undefined` for a body that has no form of an event. */
export function parseEvent(id: string, text: string): PortariaEvent | undefined {
  const body = parseJson(text)
  const [name, data, at] = [textAt(body, 'type'), asObject(body?.data), new Date(textAt(body, 'timestamp') ?? '')]
  if (name === null || !data || Number.isNaN(at.getTime())) return undefined
  const [productId, userId, sequence] = [textAt(data, 'product_id'), textAt(data, 'user_id'), numberAt(data, 'sequence') ?? null]
  const fields = { id, at, productId, userId, sequence, data }
  const other = OTHER_TYPES.find((one) => one === name)
  if (other) return { type: other, ...fields }
  const type = ACCESS_TYPES.find((one) => one === name)
  const access = type && accessOf(data)
  if (!access || productId === null || userId === null || sequence === null) return { type: 'unknown', name, ...fields }
  return { type, ...fields, productId, userId, sequence, access }
}

/** `undefined`: a state that is newer than this client. */
function accessOf(data: Json): Access | undefined {
  try {
    return parseAccess(data)
  } catch {
    return undefined
  }
}

/**
 * Whether an event is newer than what is known, which is the `sequence` of the last event of its kind that was applied: `access.*`,
 * `user.*` and `subscription.*` count each for itself. Events can arrive in any order: keep the sequence with your record, and change both
 * in one statement. An event without a `sequence` is always newer, since no later event takes the place of it.
 */
export function isNewer(event: Pick<PortariaEvent, 'sequence'>, known: number | bigint | string | null | undefined): boolean {
  return event.sequence === null || known === null || known === undefined || event.sequence > Number(known)
}
