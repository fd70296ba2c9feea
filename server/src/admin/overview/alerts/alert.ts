import type { Storage } from '../../../storage/index.ts'
import type { AdminScope } from '../../api/permissions.ts'

export const SEVERITIES = ['bad', 'warning', 'info'] as const

/** Something that the operator should look at. Times in ms. */
export interface Alert {
  kind: AlertKind
  severity: (typeof SEVERITIES)[number]
  count: number
  /** A product's slug. */
  product?: string
  gateway?: string
  since?: number | undefined
  until?: number | undefined
  /** The console's page to fix it; `undefined` where only the environment can. */
  path?: string
}

/** Each with the permission that its reader needs. */
export const scopeOf = {
  no_mail_server: 'overview:read',
  unresolved_notifications: 'notifications:read',
  failed_notifications: 'notifications:read',
  refused_notifications: 'notifications:read',
  dead_jobs: 'jobs:read',
  verification_failures: 'products:read',
  gateway_silent: 'products:read',
  endpoints_disabled: 'endpoints:read',
  endpoints_failing: 'endpoints:read',
  duplicate_purchases: 'subscriptions:read',
  signing_key_ending: 'signing-keys:read',
  tokens_ending: 'tokens:read',
  unguarded_administrators: 'administrators:read',
} as const satisfies Record<string, AdminScope>

export type AlertKind = keyof typeof scopeOf
export const ALERT_KINDS = Object.keys(scopeOf)

export interface AlertDeps {
  storage: Storage
  /** Whether mails are sent at all. */
  sendsMail: boolean
  now: number
}

/** A list of the console, filtered. */
export function listPath(resource: string, filter: Record<string, string>): string {
  return `/${resource}?filter=${encodeURIComponent(JSON.stringify(filter))}`
}
