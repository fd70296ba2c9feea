/** How things go, as the API tells of it. */
export interface Overview {
  /** The oldest first; days of UTC. */
  days: Day[]
  alerts: Alert[]
  /** How many there are; none: a new installation. */
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

/** Something that somebody should look at. */
export interface Alert {
  kind: string
  severity: 'bad' | 'warning' | 'info'
  count: number
  product: string | null
  gateway: string | null
  since: string | null
  until: string | null
  /** Where it is mended; `null` where that is not in the console. */
  path: string | null
}

export const MEASURES = ['sign_ins', 'new_users', 'purchases', 'failures'] as const
export type Measure = (typeof MEASURES)[number]

export const PERIODS = [7, 30, 90] as const
