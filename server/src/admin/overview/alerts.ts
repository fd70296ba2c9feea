import { endpointStore } from '../../app-events/index.ts'
import { disablesAt } from '../../event-delivery/index.ts'
import { DAY_MS } from '../../kit/index.ts'
import { countRefused, notificationListStore, REFUSED_LATELY_MS } from '../../notifications/index.ts'
import { signingKeyState, signingKeyStore, signsUntil } from '../../sessions/index.ts'
import type { Storage } from '../../storage/index.ts'
import { type Caller, mayAlso } from '../api/caller.ts'
import type { AdminScope } from '../api/permissions.ts'
import { type GatewayState, listGatewayStates } from '../products/gateway-state.ts'
import { alertStore } from './alert-store.ts'

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
const scopeOf = {
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

/** A shop may sell nothing for some days; a week without any delivery is worth a look. */
const SILENT_MS = 7 * DAY_MS
/** A checkout that reports twice does so with every purchase: old ones show nothing new. */
const RECENT_MS = 30 * DAY_MS
const KEY_AHEAD_MS = 7 * DAY_MS
const TOKENS_AHEAD_MS = 14 * DAY_MS

interface AlertDeps {
  storage: Storage
  /** Whether mails are sent at all. */
  sendsMail: boolean
  now: number
}

/** The alerts that the caller may see, the worst first. */
export async function listAlerts(caller: Caller, deps: AlertDeps): Promise<Alert[]> {
  const all: Alert[] = [
    ...(deps.sendsMail ? [] : [{ kind: 'no_mail_server', severity: 'bad', count: 1 } as const]),
    ...(await notificationsOf(deps)),
    ...(await jobsOf(deps)),
    ...(await listGatewayStates(deps.storage)).flatMap((state) => gatewayOf(state, deps)),
    ...(await endpointsOf(deps)),
    ...(await duplicatePurchases(deps)),
    ...(await signingKeyOf(deps)),
    ...(await powerOf(deps)),
  ]
  const mine = all.filter(({ kind }) => mayAlso(caller, scopeOf[kind]))
  return mine.toSorted((a, b) => SEVERITIES.indexOf(a.severity) - SEVERITIES.indexOf(b.severity))
}

async function notificationsOf({ storage, now }: AlertDeps): Promise<Alert[]> {
  const open = await notificationListStore(storage.db).countOpen()
  const count = (wanted: string) => open.filter(({ state }) => state === wanted).reduce((sum, one) => sum + one.count, 0)
  const refused = await countRefused(storage.db, now - REFUSED_LATELY_MS)
  const items = [
    {
      kind: 'unresolved_notifications',
      severity: 'warning',
      count: count('unresolved'),
      path: listPath('notifications', { status: 'unresolved' }),
    },
    { kind: 'failed_notifications', severity: 'bad', count: count('failed'), path: listPath('notifications', { status: 'failed' }) },
    { kind: 'refused_notifications', severity: 'warning', ...refused, path: listPath('notifications', { status: 'refused' }) },
  ] as const
  return items.filter((item) => item.count > 0)
}

async function jobsOf({ storage }: AlertDeps): Promise<Alert[]> {
  const { count, since } = await alertStore(storage.db).countDeadJobs()
  return count === 0 ? [] : [{ kind: 'dead_jobs', severity: 'bad', count, since, path: listPath('jobs', { state: 'dead' }) }]
}

/** Failed verifications without a verified delivery since (docs/decisions/0052), or deliveries that have stopped. */
function gatewayOf({ product, productId, gateway, credentials, health }: GatewayState, { now }: AlertDeps): Alert[] {
  if (!health || credentials === undefined) return []
  const about = { product, gateway, path: `/products/${productId}/show` }
  const { failingSince, verificationFailures, lastDeliveryAt } = health
  if (failingSince !== undefined)
    return [{ ...about, kind: 'verification_failures', severity: 'bad', count: verificationFailures, since: failingSince }]
  const isSilent = lastDeliveryAt !== undefined && lastDeliveryAt < now - SILENT_MS
  return isSilent ? [{ ...about, kind: 'gateway_silent', severity: 'warning', count: 1, since: lastDeliveryAt }] : []
}

/** Endpoints that events do not reach: those that failures have disabled, and those that fail. An operator's own choice is no alert. */
async function endpointsOf({ storage }: Pick<AlertDeps, 'storage'>): Promise<Alert[]> {
  const all = await endpointStore(storage.db).list()
  const disabled = all.flatMap((one) =>
    one.disabledAt !== undefined && one.disabledReason !== 'operator' ? [{ ...one, at: one.disabledAt }] : [],
  )
  const failing = all.flatMap((one) =>
    one.disabledAt === undefined && one.failingSince !== undefined ? [{ ...one, at: one.failingSince }] : [],
  )
  const ends = failing.map(({ at: failingSince, warnedAt }) => disablesAt({ failingSince, warnedAt }))
  const pathTo = (found: readonly { id: string }[], state: string) => {
    const [only] = found
    return only && found.length === 1 ? `/endpoints/${only.id}/show` : listPath('endpoints', { state })
  }
  const first = (found: readonly { at: number }[]) => Math.min(...found.map(({ at }) => at))
  const items = [
    { kind: 'endpoints_disabled', severity: 'bad', count: disabled.length, since: first(disabled), path: pathTo(disabled, 'disabled') },
    {
      kind: 'endpoints_failing',
      severity: 'warning',
      count: failing.length,
      since: first(failing),
      until: Math.min(...ends),
      path: pathTo(failing, 'failing'),
    },
  ] as const
  return items.filter((item) => item.count > 0)
}

/** One purchase stored as two, since the own checkout does not name the gateway's payment (docs/decisions/0102). */
async function duplicatePurchases({ storage, now }: AlertDeps): Promise<Alert[]> {
  const found = await alertStore(storage.db).listDuplicatePurchases(now - RECENT_MS)
  return found.map(({ productId, ...about }) => ({
    ...about,
    kind: 'duplicate_purchases',
    severity: 'warning',
    path: listPath('subscriptions', { product_id: productId }),
  }))
}

/** The next key is made automatically a day ahead: without one, the housekeeping does not run. */
async function signingKeyOf({ storage, now }: AlertDeps): Promise<Alert[]> {
  const keys = await signingKeyStore(storage.db).list()
  const stateOf = (wanted: string) => keys.find((key) => signingKeyState(key, keys, now) === wanted)
  const signing = stateOf('signing')
  if (!signing || stateOf('next')) return []
  const until = signsUntil(signing)
  if (until > now + KEY_AHEAD_MS) return []
  return [{ kind: 'signing_key_ending', severity: until > now + DAY_MS / 2 ? 'info' : 'bad', count: 1, until, path: '/signing-keys' }]
}

async function powerOf({ storage, now }: AlertDeps): Promise<Alert[]> {
  const store = alertStore(storage.db)
  const tokens = await store.countEndingTokens(now, now + TOKENS_AHEAD_MS)
  const unguarded = await store.countUnguardedAdministrators()
  const items = [
    { kind: 'tokens_ending', severity: 'warning', count: tokens.count, until: tokens.first, path: '/tokens' },
    { kind: 'unguarded_administrators', severity: 'warning', count: unguarded, path: '/administrators' },
  ] as const
  return items.filter((item) => item.count > 0)
}

/** A list of the console, filtered. */
function listPath(resource: string, filter: Record<string, string>): string {
  return `/${resource}?filter=${encodeURIComponent(JSON.stringify(filter))}`
}
