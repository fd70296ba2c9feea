// Notifications of payments, and the subscriptions that follow.

export interface NotificationRow {
  id: string
  source: string
  product_id: string | null
  digest: string
  event: string
  status: string
  why: string | null
  subject: string | null
  payload: string
  query: string | null
  /** JSON of the buyer, where the payload names none. */
  buyer: string | null
  normalized: string | null
  /** The events that were added to its stream, as JSON, one line for each time. */
  applied: string | null
  subscription_id: string | null
  received_at: number
  processed_at: number | null
  paid_amount: number | null
  plan_price: number | null
  /** How long it took when it was received. */
  took_ms: number | null
}

export interface NotificationAttemptRow {
  id: string
  notification_id: string
  kind: string
  at: number
  ms: number | null
  outcome: string
  why: string | null
  /** The administrator who wanted it. */
  actor: string | null
  /** The job that asked the gateway. */
  job_id: string | null
  /** The run that it was a part of. */
  run_id: string | null
}

export interface NotificationRunRow {
  id: string
  since: number
  state: string
  actor: string
  /** Whether purchases of users with a role are among them. */
  may_concern_roles: number
  total: number
  processed: number
  asked: number
  /** JSON: how many wait on, by reason. */
  pending: string
  /** The last notification that was looked at, and the last there is to look at. */
  after_id: string
  last_id: string
  created_at: number
  updated_at: number
  finished_at: number | null
}

export interface EventStreamRow {
  id: string
  source: string
  ref: string
  product_id: string | null
  buyer_forgotten_at: number | null
  merged_into: string | null
  /** JSON: the gateway's ids of the bought things, from its payments. */
  plan_refs: string | null
  created_at: number
  /** Null: it has changed since it was counted for the reports. */
  counted_at: number | null
}

export interface SubscriptionEventRow {
  stream_id: string
  key: string
  kind: string
  at: number
  plan_id: string | null
  email: string | null
  payment_id: string | null
  amount: number | null
  /** Of a payment in another currency, in its smallest unit: `USD 1990`. */
  foreign_amount: string | null
  method: string | null
  period_start: number | null
  period_end: number | null
  notification_id: string | null
  recorded_at: number
}

export interface SubscriptionRow {
  id: string
  stream_id: string
  number: number
  product_id: string | null
  plan_id: string | null
  email: string | null
  email_hash: string | null
  user_id: string | null
  product_user: string | null
  link_closed_at: number | null
  state: string
  method: string | null
  period_end: number | null
  grace_from: number | null
  access_until: number | null
  changed_at: number
  created_at: number
}

export interface MergedSubscriptionRow {
  id: string
  successor_id: string
}

export interface GatewayPaymentRow {
  gateway: string
  product_id: string
  alias: string
  payment_id: string
  stream_ref: string
}

export interface PendingNotificationRow {
  gateway: string
  product_id: string
  name: string
  key: string
  notification_id: string
}

export interface NotificationTermRow {
  term: string
  notification_id: string
}

/** What a stream was last counted as, as JSON. */
export interface ReportStreamRow {
  stream_id: string
  entries: string
}

/** A subscription that a figure of changes counts on a day. */
export interface ReportChangeRow {
  zone: string
  name: string
  day: string
  subscription_id: string
  stream_id: string
}

/** `day`: in the zone, as `2026-11-20`. An empty text is no product, plan or currency. */
export interface ReportTotalRow {
  zone: string
  name: string
  day: string
  product_id: string
  plan_id: string
  currency: string
  value: number
}
