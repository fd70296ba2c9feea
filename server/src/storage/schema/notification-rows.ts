// Notifications of payments.

export interface NotificationTables {
  pending_notifications: PendingNotificationRow
  notification_terms: NotificationTermRow
  notifications: NotificationRow
  notification_attempts: NotificationAttemptRow
  notification_runs: NotificationRunRow
}

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
