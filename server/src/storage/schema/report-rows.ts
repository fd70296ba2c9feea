// The figures of days and months.

export interface ReportTables {
  report_changes: ReportChangeRow
  report_movements: ReportMovementRow
  report_prices: ReportPriceRow
  report_spans: ReportSpanRow
  report_streams: ReportStreamRow
  report_totals: ReportTotalRow
}

/** The entries as which a stream was last counted, as JSON. */
export interface ReportStreamRow {
  stream_id: string
  entries: string
}

/**
 * A subscription that a figure of changes counts on a day. `plan_id`: the plan with which it does; empty: none; null: an older version has
 * counted it.
 */
export interface ReportChangeRow {
  zone: string
  name: string
  day: string
  subscription_id: string
  stream_id: string
  plan_id: string | null
}

/** Money that was paid or given back. `amount`: as it changes what is left, in the smallest unit; null: it is not known. */
export interface ReportMovementRow {
  id: string
  stream_id: string
  subscription_id: string
  at: number
  figure: string
  kind: string
  amount: number | null
  currency: string
  plan_id: string | null
  payment_id: string | null
}

/** A time in which a subscription gives access, by one plan. `until_at`: after it, or the highest number: without an end. */
export interface ReportSpanRow {
  subscription_id: string
  stream_id: string
  plan_id: string | null
  from_at: number
  until_at: number
}

/** A time in which a subscription counts in the monthly recurring revenue: with which plan, and with how much (not 0). */
export interface ReportPriceRow {
  stream_id: string
  subscription_id: string
  plan_id: string | null
  currency: string
  from_at: number
  until_at: number
  monthly: number
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
