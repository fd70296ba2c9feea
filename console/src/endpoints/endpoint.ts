export const endpointStates = ['preparing', 'enabled', 'failing', 'disabled'] as const
export type EndpointState = (typeof endpointStates)[number]

/** An address that events are delivered to, in the API's form. */
export interface Endpoint {
  id: string
  /** A slug; null: the operator's, which hears of every product. */
  product: string | null
  url: string
  types: string[]
  description: string
  state: EndpointState
  failing_since: string | null
  /** When it will be disabled, if it goes on failing. */
  disables_at: string | null
  disabled_at: string | null
  disabled_reason: string | null
  ready_at: string | null
  last_success_at: string | null
  /** At most `MAX_WAITING`, which means that many or more. */
  waiting: number
  previous_secret_until: string | null
  created_at: string
}

export const MAX_WAITING = 1_000
export const MAX_MISSED = 10_000

/** Answered once, to its maker. */
export type NewEndpoint = Endpoint & { secret: string }

export interface Attempt {
  at: string
  ms: number
  status: number | null
  fault: string | null
  answer: string | null
}

export const deliveryStates = ['pending', 'delivered', 'failed', 'scrubbed'] as const
export type DeliveryState = (typeof deliveryStates)[number]

/** A delivery in the list of its endpoint; its id is the event's. */
export interface Delivery {
  id: string
  type: string
  product: string | null
  subject: string
  occurred_at: string
  endpoint: string
  state: DeliveryState
  attempts: number
  next_at: string | null
  last_attempt: Attempt | null
}

/** An event with all its deliveries. */
export interface EventDetails {
  id: string
  type: string
  product: string | null
  subject: string
  occurred_at: string
  data: Record<string, unknown> | null
  deliveries: Array<{ endpoint: string; state: DeliveryState; attempts: number; next_at: string | null; tried: Attempt[] }>
}

export function endpointPath(id: string): string {
  return `/endpoints/${encodeURIComponent(id)}/show`
}

export function eventPath(id: string): string {
  return `/events/${encodeURIComponent(id)}/show`
}
