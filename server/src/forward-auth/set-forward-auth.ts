import { type Actor, recordAudit } from '../audit/index.ts'
import type { Announce, ChangeFeed } from '../changes/index.ts'
import type { Now } from '../kit/index.ts'
import {
  type ForwardAuth,
  type ForwardedHostRefusal,
  forwardAuthStore,
  holdProduct,
  type Product,
  refuseForwardedHost,
} from '../products/index.ts'
import { rollBackRefusals, type Transaction } from '../storage/index.ts'
import { OPERATOR_SCOPE, planStore } from '../subscriptions/index.ts'

/** An absent part stays as it is. `hosts` is the complete new list; `addHosts` and `removeHosts` change the one that is there. */
export interface ForwardAuthChange extends Partial<ForwardAuth> {
  addHosts?: readonly string[]
  removeHosts?: readonly string[]
}

export type ForwardAuthRefusal =
  | { refusal: 'forward_auth_needs_internal' | 'plans_missing' | 'too_many_hosts' }
  | { refusal: 'plan_unknown'; plan: string }
  | { refusal: ForwardedHostRefusal | 'host_taken' | 'host_not_found'; host: string }

/** The service's own place, which hosts are compared with. */
export interface ForwardAuthPlace {
  cookieDomain: string | undefined
  baseUrl: string
}

interface Deps extends ForwardAuthPlace {
  changes: ChangeFeed
  now: Now
  actor: Actor
}

const MAX_HOSTS = 100
const PLAN_SLUG = /^[a-z0-9-]{1,64}$/
const NOTHING: ForwardAuth = { access: 'signed_in', plans: [], hosts: [] }

/** Changes which proxies may ask for a product, and its rule; `off` removes both. Every node follows within two seconds. */
export async function setForwardAuth(
  id: string,
  change: ForwardAuthChange | 'off',
  { changes, now, ...deps }: Deps,
): Promise<{ set: true } | ForwardAuthRefusal | { refusal: 'not_found' }> {
  return rollBackRefusals<{ set: true }, ForwardAuthRefusal | { refusal: 'not_found' }>((refuse) =>
    changes.transaction(async (tx, announce) => {
      const product = (await holdProduct(tx, id)) ?? refuse({ refusal: 'not_found' })
      await applyForwardAuth(tx, product, change, { ...deps, refuse, announce, at: now() })
      return { set: true }
    }),
  )
}

/** The same within a transaction that changes more and holds the product; a refusal must roll it back (`rollBackRefusals`). */
export async function applyForwardAuth(
  tx: Transaction,
  product: Product,
  change: ForwardAuthChange | 'off',
  {
    refuse,
    announce,
    at,
    actor,
    ...place
  }: ForwardAuthPlace & { refuse: (refusal: ForwardAuthRefusal) => never; announce: Announce; at: number; actor: Actor },
): Promise<void> {
  const store = forwardAuthStore(tx)
  const before = await store.find(product.id)
  const after = change === 'off' ? undefined : changed(before ?? NOTHING, change)
  if (after) {
    const refused = (await refuseRule(tx, product, after)) ?? refuseHosts(before?.hosts ?? [], after.hosts, change, place)
    if (refused) refuse(refused)
    await store.put(product.id, after)
    for (const host of before?.hosts ?? []) if (!after.hosts.includes(host)) await store.removeHost(product.id, host)
    for (const host of after.hosts)
      if (!before?.hosts.includes(host) && !(await store.addHost(product.id, host, at))) refuse({ refusal: 'host_taken', host })
  } else await store.remove(product.id)
  const facts = { ...(before && { before: { ...before } }), ...(after && { after: { ...after } }) }
  await recordAudit(tx, { actor, action: 'product.set_forward_auth', target: product.id, ...facts }, at)
  announce({ kind: 'product_changed', subject: product.id })
}

function changed(
  before: ForwardAuth,
  { access = before.access, addHosts = [], removeHosts = [], ...change }: ForwardAuthChange,
): ForwardAuth {
  const plans = access === 'plans' ? (change.plans ?? before.plans) : []
  const kept = (change.hosts ?? before.hosts).filter((host) => !removeHosts.includes(host))
  return { access, plans: [...new Set(plans)], hosts: [...new Set([...kept, ...addHosts])].sort() }
}

async function refuseRule(tx: Transaction, product: Product, { access, plans }: ForwardAuth): Promise<ForwardAuthRefusal | undefined> {
  // The proxy passes the domain's session on with the request, and no external product may ever hold that.
  if (product.audience === 'external') return { refusal: 'forward_auth_needs_internal' }
  if (access !== 'plans') return undefined
  if (plans.length === 0) return { refusal: 'plans_missing' }
  for (const plan of plans) {
    // No other text can be a plan's, and PostgreSQL refuses a null byte.
    if (!PLAN_SLUG.test(plan)) return { refusal: 'plan_unknown', plan }
    const known = await planStore(tx).findBySlug(plan, product.id)
    if (!known.plans.some(({ scope }) => scope === OPERATOR_SCOPE || scope === product.id)) return { refusal: 'plan_unknown', plan }
  }
  return undefined
}

function refuseHosts(
  before: readonly string[],
  after: readonly string[],
  change: ForwardAuthChange | 'off',
  place: ForwardAuthPlace,
): ForwardAuthRefusal | undefined {
  const missing = change === 'off' ? undefined : change.removeHosts?.find((host) => !before.includes(host))
  if (missing !== undefined) return { refusal: 'host_not_found', host: missing }
  if (after.length > MAX_HOSTS) return { refusal: 'too_many_hosts' }
  for (const host of after) {
    // A host that is registered stays, even if the domain has changed since.
    const refusal = before.includes(host) ? undefined : refuseForwardedHost(host, place)
    if (refusal) return { refusal, host }
  }
  return undefined
}
