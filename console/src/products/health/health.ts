import type { ProductDetails } from '../product.ts'

/** The tabs of a product's page, by what they hold. */
export const productTabs = ['overview', 'sign_in', 'keys', 'events', 'payments', 'appearance'] as const
export type ProductTab = (typeof productTabs)[number]

/** The facts about a product besides its own record; `undefined` while they are read. */
export interface Around {
  endpoints: ReadonlyArray<{ state: 'preparing' | 'enabled' | 'failing' | 'disabled' }> | undefined
  /** When its latest session began; `null` for never, or where the sessions of the family are not told apart by app. */
  lastSignInAt: string | null | undefined
}

interface HealthValues {
  at?: string
  count?: number
  gateways?: readonly string[]
}

export type HealthKind =
  | 'no_redirect_uri'
  | 'no_sign_in'
  | 'last_sign_in'
  | 'no_key'
  | 'keys_unused'
  | 'keys_new'
  | 'keys_used'
  | 'no_endpoint'
  | 'endpoints_failing'
  | 'endpoints_well'
  | 'credentials_missing'
  | 'deliveries_refused'
  | 'purchases_wait'
  | 'credentials_test'
  | 'no_delivery'
  | 'last_delivery'

export interface Health {
  tab: ProductTab
  kind: HealthKind
  tone: 'good' | 'warning' | 'bad' | 'neutral'
  values: HealthValues
}

/** A key is unused when nobody has sent it for this long. */
const UNUSED_MS = 90 * 86_400_000

/** The health of a product: one sentence for each part of it, about the worst in that part. */
export function healthOf(product: ProductDetails, around: Around, now: number): Health[] {
  return [signInHealth(product, around), keysHealth(product, now), eventsHealth(around), paymentsHealth(product)].filter(
    (one) => one !== undefined,
  )
}

function signInHealth(
  { redirect_uris, forward_auth, audience, handoff, openid }: ProductDetails,
  { lastSignInAt }: Around,
): Health | undefined {
  const tab = 'sign_in'
  if (redirect_uris.length === 0 && !forward_auth) return { tab, kind: 'no_redirect_uri', tone: 'bad', values: {} }
  if (lastSignInAt) return { tab, kind: 'last_sign_in', tone: 'good', values: { at: lastSignInAt } }
  // Apps of the family share one session, which does not say where it is used.
  const isKnown = audience === 'external' || handoff === 'eg_token' || openid !== null
  return isKnown && lastSignInAt === null ? { tab, kind: 'no_sign_in', tone: 'neutral', values: {} } : undefined
}

function keysHealth({ api_keys }: ProductDetails, now: number): Health {
  const tab = 'keys'
  const live = api_keys.filter(({ revoked_at }) => revoked_at === null)
  if (live.length === 0) return { tab, kind: 'no_key', tone: 'neutral', values: {} }
  const unused = live.filter(({ created_at, last_used_at }) => now - Date.parse(last_used_at ?? created_at) > UNUSED_MS)
  if (unused.length > 0) return { tab, kind: 'keys_unused', tone: 'warning', values: { count: unused.length } }
  const last = live.flatMap(({ last_used_at }) => last_used_at ?? []).toSorted()
  const [at] = last.slice(-1)
  return at === undefined
    ? { tab, kind: 'keys_new', tone: 'neutral', values: {} }
    : { tab, kind: 'keys_used', tone: 'good', values: { at } }
}

function eventsHealth({ endpoints }: Around): Health | undefined {
  const tab = 'events'
  if (!endpoints) return undefined
  if (endpoints.length === 0) return { tab, kind: 'no_endpoint', tone: 'neutral', values: {} }
  const troubled = endpoints.filter(({ state }) => state === 'failing' || state === 'disabled').length
  if (troubled > 0) return { tab, kind: 'endpoints_failing', tone: 'bad', values: { count: troubled } }
  return { tab, kind: 'endpoints_well', tone: 'good', values: { count: endpoints.length } }
}

function paymentsHealth({ checkout, payment_methods, gateway_credentials, gateways }: ProductDetails): Health | undefined {
  // A product without gateways sells through the operator's own checkout. The strip says nothing of that.
  if (checkout !== 'integrated' || (payment_methods.length === 0 && gateway_credentials.length === 0)) return undefined
  const tab = 'payments'
  const known = new Set(gateway_credentials.map(({ gateway }) => gateway))
  const missing = [...new Set(payment_methods.map(({ gateway }) => gateway))].filter((gateway) => !known.has(gateway))
  if (missing.length > 0) return { tab, kind: 'credentials_missing', tone: 'bad', values: { gateways: missing } }
  const refused = gateways.find(({ failing_since }) => failing_since !== null)
  if (refused?.failing_since)
    return { tab, kind: 'deliveries_refused', tone: 'bad', values: { gateways: [refused.gateway], at: refused.failing_since } }
  const waiting = gateways.reduce((sum, { unresolved, failed }) => sum + unresolved + failed, 0)
  if (waiting > 0) return { tab, kind: 'purchases_wait', tone: 'warning', values: { count: waiting } }
  const tests = gateway_credentials.filter(({ is_test }) => is_test).map(({ gateway }) => gateway)
  if (tests.length > 0) return { tab, kind: 'credentials_test', tone: 'warning', values: { gateways: tests } }
  const last = gateways.flatMap(({ last_delivery_at }) => last_delivery_at ?? []).toSorted()
  const [at] = last.slice(-1)
  return at === undefined
    ? { tab, kind: 'no_delivery', tone: 'neutral', values: {} }
    : { tab, kind: 'last_delivery', tone: 'good', values: { at } }
}
