// The events that apps and the operator are notified of, and where.

export interface EventTables {
  event_endpoints: EventEndpointRow
  app_events: AppEventRow
  event_deliveries: EventDeliveryRow
  event_attempts: EventAttemptRow
}

export interface EventEndpointRow {
  id: string
  /** Null: the operator's, which hears of every product. */
  product_id: string | null
  url: string
  /** With spaces between them. */
  types: string
  description: string
  secret_sealed: string
  previous_sealed: string | null
  previous_until: number | null
  /** Null while the states from which changes are reported are still being read. */
  ready_at: number | null
  disabled_at: number | null
  disabled_reason: string | null
  failing_since: number | null
  warned_at: number | null
  paused_until: number | null
  created_at: number
}

export interface AppEventRow {
  id: string
  type: string
  product_id: string | null
  /** The user or thing that it is about; sequences count within it. */
  subject: string
  sequence: number
  occurred_at: number
  /** JSON; null once it is scrubbed. */
  data: string | null
}

export interface EventDeliveryRow {
  endpoint_id: string
  event_id: string
  state: string
  attempts: number
  /** Null: nothing is left to do. */
  next_at: number | null
}

export interface EventAttemptRow {
  id: string
  endpoint_id: string
  event_id: string
  at: number
  ms: number
  status: number | null
  fault: string | null
  /** Its first 2 KB. */
  answer: string | null
}
