// The figures of days and months.

export interface ReportTables {
  report_changes: ReportChangeRow
  report_streams: ReportStreamRow
  report_totals: ReportTotalRow
}

/** The entries as which a stream was last counted, as JSON. */
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
