// Payments, and the subscriptions that follow from them.

export interface PaymentTables {
  gateway_payments: GatewayPaymentRow
  merged_subscriptions: MergedSubscriptionRow
  event_streams: EventStreamRow
  subscription_events: SubscriptionEventRow
  subscriptions: SubscriptionRow
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
  /** The price of the paid period, where that is not what was paid. */
  period_price: number | null
  /** The amount of the whole purchase, in centavos, where the payment is a part of it. */
  purchase_amount: number | null
  method: string | null
  period_start: number | null
  period_end: number | null
  /** When that end was stated, in ms, where its sender may move it. */
  period_stated_at: number | null
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
