import { rescanUsers } from '../app-events/index.ts'
import { type Actor, recordAudit } from '../audit/index.ts'
import type { Announce, ChangeFeed } from '../changes/index.ts'
import type { Now } from '../kit/index.ts'
import { rollBackRefusals, type Transaction } from '../storage/index.ts'
import { type ProductRefusal, refuseProduct } from './create-product.ts'
import { changeOpenId, type OpenIdChange } from './openid/openid-settings.ts'
import { paymentMethodStore } from './payment-method-store.ts'
import type { PaymentMethod } from './payment-methods.ts'
import type { Product } from './product.ts'
import { parseRedirectUri } from './redirect-uri.ts'
import { redirectUriStore } from './redirect-uri-store.ts'
import { productStore } from './store.ts'

/** The changeable fields; an absent one stays as it is. Neither id nor audience changes: tokens and sessions were made for them. */
export interface ProductChange {
  name?: string
  checkout?: Product['checkout']
  handoff?: Product['handoff']
  scopes?: Product['scopes']
  queryKeyAllowed?: boolean
  /** A part that is absent stays as it is. */
  requirements?: Partial<Product['requirements']>
  openid?: OpenIdChange
  backchannelLogoutUri?: string | 'none'
  addUris?: ReadonlyArray<{ uri: string; trusted: boolean }>
  removeUris?: readonly string[]
  paymentMethods?: readonly PaymentMethod[]
}

interface Deps {
  changes: ChangeFeed
  now: Now
  actor: Actor
}

export async function changeProduct(slug: string, change: ProductChange, { changes, now, actor }: Deps): Promise<Product | ProductRefusal> {
  return rollBackRefusals<Product, ProductRefusal>((refuse) =>
    changes.transaction(async (tx, announce) => {
      const before = (await productStore(tx).findBySlug(slug)) ?? refuse({ refusal: 'not_found' })
      return applyProductChange(tx, before, change, { refuse, announce, at: now(), actor })
    }),
  )
}

/** The same within a transaction that changes more; a refusal must roll it back (`rollBackRefusals`). */
export async function applyProductChange(
  tx: Transaction,
  before: Product,
  { addUris = [], removeUris = [], paymentMethods, requirements, openid, backchannelLogoutUri: logoutUri, ...fields }: ProductChange,
  { refuse, announce, at, actor }: { refuse: (refusal: ProductRefusal) => never; announce: Announce; at: number; actor: Actor },
): Promise<Product> {
  const products = productStore(tx)
  const doors = doorsAfter(before, { openid, logoutUri, at })
  if ('refusal' in doors) return refuse(doors)
  const after: Product = { ...before, ...fields, ...doors, requirements: { ...before.requirements, ...requirements } }
  const refused = refuseProduct({ ...after, redirectUris: addUris })
  if (refused) refuse(refused)
  if (paymentMethods && paymentMethods.length > 0 && after.checkout === 'external') refuse({ refusal: 'matrix_needs_integrated' })
  await products.update(after, at)
  for (const uri of removeUris) if (!(await redirectUriStore(tx).removeRedirectUri(before.id, uri))) refuse({ refusal: 'not_found' })
  for (const { uri, trusted } of addUris)
    if (!(await redirectUriStore(tx).addRedirectUri(before.id, uri, trusted, at))) refuse({ refusal: 'uri_taken', uri })
  const matrixBefore = paymentMethods && (await paymentMethodStore(tx).listPaymentMethods(before.id))
  if (paymentMethods) await paymentMethodStore(tx).setPaymentMethods(before.id, paymentMethods)
  const recorded = {
    ...fields,
    ...(requirements && { requirements }),
    ...(openid !== undefined && { openid: doors.openid ?? 'off' }),
    ...(logoutUri !== undefined && { backchannelLogoutUri: logoutUri }),
    ...(addUris.length > 0 && { addUris }),
    ...(removeUris.length > 0 && { removeUris }),
  }
  const entry = {
    before: { ...before, ...(matrixBefore && { paymentMethods: matrixBefore }) },
    after: { ...recorded, ...(paymentMethods && { paymentMethods }) },
  }
  await recordAudit(tx, { actor, action: 'product.change', target: before.id, ...entry }, at)
  if (after.scopes.join(' ') !== before.scopes.join(' ')) await rescanUsers(tx, before.id)
  announce({ kind: 'product_changed', subject: before.id })
  return after
}

/** The product's settings for OpenID Connect after a change, and its address for back-channel logout. */
function doorsAfter(
  before: Product,
  { openid, logoutUri, at }: { openid: OpenIdChange | undefined; logoutUri: string | undefined; at: number },
): Pick<Product, 'openid' | 'backchannelLogoutUri'> | ProductRefusal {
  const changed = openid === undefined ? before.openid : changeOpenId(before.openid, openid, at)
  if (changed && 'refusal' in changed) return changed
  if (logoutUri === undefined) return { openid: changed, backchannelLogoutUri: before.backchannelLogoutUri }
  const parsed = logoutUri === 'none' ? { uri: undefined } : parseRedirectUri(logoutUri)
  if ('refusal' in parsed) return { refusal: 'uri_refused', uri: logoutUri, of: 'backchannel_logout_uri', why: parsed }
  return { openid: changed, backchannelLogoutUri: parsed.uri }
}
