// The events that apps and the operator are notified of, and where.

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

export interface ReportedAccessRow {
  product_id: string
  /** An account's id, or the product's own id of a user. */
  subject: string
  sequence: number
  /** JSON; null: not looked at yet, and the first look reports nothing. */
  state: string | null
  /** When to look again: at once after a change, or when what was paid for ends. */
  due_at: number | null
}

export interface ReportedSubscriptionRow {
  id: string
  sequence: number
  /** JSON of what was reported; empty for nothing; null where that is not known. */
  state: string | null
  /** 1: to be looked at. */
  due: number | null
}

export interface ReportedUserRow {
  /** Empty: the operator. */
  product_id: string
  user_id: string
  sequence: number
  /** A hash of what was reported; empty for nothing; null: not looked at yet, and the first look reports nothing. */
  state: string | null
  /** 1: to be looked at. */
  due: number | null
}

/** A look at the users of a product, or at all of them for the operator (empty), in portions. */
export interface UserScanRow {
  product_id: string
  /** The id of the last user that was looked at. */
  position: string
  /** 1: the users are older than the endpoint, so the first look at each reports nothing. */
  is_first: number
  /** PostgreSQL: it begins when all transactions up to this one are over. */
  after_transaction: string | null
}

/** A look at all users of a product, in portions. */
export interface AccessScanRow {
  product_id: string
  /** The id of the last subscription that was looked at. */
  position: string
  /** PostgreSQL: it begins when all transactions up to this one are over. */
  after_transaction: string | null
  started_at: number
}
