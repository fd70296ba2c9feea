import type { Schema } from './schema/schema.ts'

/** How long the rows of a table are kept. */
export type Retention =
  /** Housekeeping removes a row this long after the time in its column `since`; where that is null, never. `only`: not every row. */
  | { removedAfterMs: number; since: string; only?: string }
  /** The database removes it together with the row that it belongs to. */
  | { goesWith: keyof Schema }
  /** It stays, or whoever made it removes it, and that is why it does not grow for ever, or may. */
  | { stays: string }

const DAY_MS = 86_400_000
const OF_THE_OPERATOR = 'the operator’s: as many as the operator makes, until they are removed'
const OF_PAYMENTS = 'for good: what was paid, from which access is worked out. About 2 KB a payment altogether'
const ONE_EACH = 'one row for each subject of an app, replaced in place and removed when there is nothing left to report'
const FEW = 'a few rows, replaced in place'

/** Every table has an entry: the type check holds it, and a test compares it with the tables that are there. */
export const retention = {
  access_scans: { stays: FEW },
  admin_tokens: { stays: OF_THE_OPERATOR },
  api_keys: { goesWith: 'products' },
  app_events: { removedAfterMs: 90 * DAY_MS, since: 'occurred_at' },
  appearances: { stays: OF_THE_OPERATOR },
  audit: { stays: 'for good: who did what; a deleted user’s name and address are taken out' },
  beta_users: { goesWith: 'users' },
  brand_images: { removedAfterMs: 90 * DAY_MS, since: 'unused_since' },
  changes: { removedAfterMs: DAY_MS, since: 'at', only: 'all but the newest' },
  consents: { goesWith: 'users' },
  daily_counts: { stays: 'for good: a few rows a day' },
  deletion_requests: { goesWith: 'users' },
  described_clients: { removedAfterMs: 365 * DAY_MS, since: 'last_seen_at', only: 'those that were not refused' },
  event_attempts: { goesWith: 'app_events' },
  event_deliveries: { goesWith: 'app_events' },
  event_endpoints: { stays: OF_THE_OPERATOR },
  event_streams: { stays: OF_PAYMENTS },
  failed_sign_ins: { removedAfterMs: 30 * DAY_MS, since: 'failed_at' },
  forward_auth: { goesWith: 'products' },
  forward_auth_hosts: { goesWith: 'forward_auth' },
  gateway_credentials: { goesWith: 'products' },
  gateway_health: { goesWith: 'products' },
  gateway_payments: { stays: OF_PAYMENTS },
  handoff_redemptions: { removedAfterMs: 2 * DAY_MS, since: 'expires_at' },
  identities: { goesWith: 'users' },
  identity_providers: { stays: OF_THE_OPERATOR },
  idp_attempts: { removedAfterMs: 0, since: 'expires_at' },
  managed_settings: { stays: OF_THE_OPERATOR },
  merged_subscriptions: { stays: OF_PAYMENTS },
  notification_attempts: { goesWith: 'notifications' },
  notification_runs: { removedAfterMs: 365 * DAY_MS, since: 'finished_at' },
  notification_terms: { stays: 'as long as its row of `notifications`' },
  notifications: {
    removedAfterMs: 365 * DAY_MS,
    since: 'received_at',
    only: 'tests and those from which nothing follows, without a decision of yours; all others for good, about 2 KB a payment altogether',
  },
  opened_apps: { goesWith: 'users' },
  openid_tokens: { removedAfterMs: 0, since: 'expires_at' },
  outbox: { removedAfterMs: 30 * DAY_MS, since: 'dead_at', only: 'mails and notices of sign-outs; other dead letters until you decide' },
  outbox_lanes: { stays: FEW },
  passkey_challenges: { removedAfterMs: 0, since: 'expires_at' },
  passkeys: { goesWith: 'users' },
  pending_notifications: { stays: 'until the notification is resolved or ignored' },
  plan_gateway_refs: { goesWith: 'plans' },
  plans: { stays: OF_THE_OPERATOR },
  product_grace_days: { goesWith: 'products' },
  product_payment_methods: { goesWith: 'products' },
  products: { stays: OF_THE_OPERATOR },
  rate_limits: { removedAfterMs: 0, since: 'window_ends_at' },
  recovery_codes: { goesWith: 'users' },
  redirect_uris: { goesWith: 'products' },
  report_changes: { stays: OF_PAYMENTS },
  report_movements: { stays: OF_PAYMENTS },
  report_prices: { stays: OF_PAYMENTS },
  report_spans: { stays: OF_PAYMENTS },
  report_streams: { stays: OF_PAYMENTS },
  report_totals: { stays: 'for good: a few rows a day and plan' },
  reported_access: { stays: ONE_EACH },
  reported_subscriptions: { stays: ONE_EACH },
  reported_users: { stays: ONE_EACH },
  sent_mails: { removedAfterMs: 365 * DAY_MS, since: 'at' },
  session_products: { goesWith: 'sessions' },
  sessions: { removedAfterMs: 7 * DAY_MS, since: 'expires_at' },
  settings: { stays: FEW },
  signing_keys: { stays: 'for good: one row in 90 days' },
  subscription_events: { goesWith: 'event_streams' },
  subscriptions: { goesWith: 'event_streams' },
  tickets: { removedAfterMs: 0, since: 'expires_at' },
  totp_factors: { goesWith: 'users' },
  user_pictures: { goesWith: 'users' },
  user_scans: { stays: FEW },
  user_search_terms: { goesWith: 'users' },
  users: { stays: 'until the user is deleted, a week after they ask for it' },
  users_company: { goesWith: 'users' },
  webhook_keys: { goesWith: 'products' },
} as const satisfies Record<keyof Schema, Retention>

/** The table of the documents: which tables are kept for how long. Tables with the same answer share a row. */
export function describeRetention(): string {
  const byAnswer = new Map<string, string[]>()
  for (const [table, entry] of Object.entries<Retention>(retention)) {
    const answer = answerOf(entry)
    byAnswer.set(answer, [...(byAnswer.get(answer) ?? []), `\`${table}\``])
  }
  return ['| table | kept |', '| --- | --- |', ...[...byAnswer].map(([answer, tables]) => `| ${tables.join(', ')} | ${answer} |`)].join(
    '\n',
  )
}

function answerOf(entry: Retention): string {
  if ('stays' in entry) return entry.stays
  if ('goesWith' in entry) return `as long as its row of \`${entry.goesWith}\``
  const { removedAfterMs, since, only } = entry
  const days = removedAfterMs / DAY_MS
  const span = days === 0 ? 'until' : days === 1 ? 'a day after' : days === 365 ? 'a year after' : `${days} days after`
  return `${span} \`${since}\`${only ? ` (${only})` : ''}`
}
