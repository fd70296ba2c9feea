/** The overview of a month, in the API's form. */
export interface Overview {
  time_zone: string
  /** In that zone. */
  today: string
  /** Of the month up to today, the oldest first. */
  days: Day[]
  month: {
    /** As `2026-10`. */
    month: string
    since: string
    until: string
    before: { from: string; to: string; counts: Counts }
  }
  alerts: Alert[]
  /** Their number; none: a new installation. */
  products: number
}

export interface Counts {
  sign_ins: number
  /** Those of before methods were kept are in none. */
  sign_ins_by_method: Record<string, number>
  new_users: number
  failed_sign_ins: number
  failed_sign_ins_by_kind: Record<string, number>
  failed_notifications: number
  dead_jobs: number
}

export interface Day extends Counts {
  /** As `2026-11-20`. */
  day: string
}

/** One alert. */
export interface Alert {
  kind: string
  severity: 'bad' | 'warning' | 'info'
  count: number
  product: string | null
  gateway: string | null
  since: string | null
  until: string | null
  /** The console's page to fix it; `null` where there is none. */
  path: string | null
}
