/** The overview, in the API's form. */
export interface Overview {
  /** The oldest first; days of UTC. */
  days: Day[]
  alerts: Alert[]
  /** Their number; none: a new installation. */
  products: number
}

export interface Day {
  /** As `2026-11-20`. */
  day: string
  sign_ins: number
  new_users: number
  purchases: number
  failures: number
  failed_sign_ins: number
  failed_notifications: number
  dead_jobs: number
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

export const MEASURES = ['sign_ins', 'new_users', 'purchases', 'failures'] as const
export type Measure = (typeof MEASURES)[number]

export const PERIODS = [7, 30, 90] as const
