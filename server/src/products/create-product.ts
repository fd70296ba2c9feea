import { type Actor, recordAudit } from '../audit/index.ts'
import type { Announce, ChangeFeed } from '../changes/index.ts'
import { isVisibleLine, keyHint, mintKey, type Now, newId, type Sealer, sha256Hex } from '../kit/index.ts'
import { rollBackRefusals, type Transaction } from '../storage/index.ts'
import { USUAL_REQUIREMENTS } from '../users/index.ts'
import { apiKeyStore } from './keys/api-key-store.ts'
import { webhookKeyStore } from './keys/webhook-key-store.ts'
import { changeOpenId, type OpenIdChange, type OpenIdRefusal, type OpenIdSettings } from './openid/openid-settings.ts'
import type { Product } from './product.ts'
import { parseRedirectUri, type RedirectUriRefusal } from './redirect-uri.ts'
import { redirectUriStore } from './redirect-uri-store.ts'
import { productStore } from './store.ts'

/** `requirements`: the usual ones by default. `openid`: absent where it does not speak OpenID Connect. */
export interface NewProduct
  extends Omit<Product, 'id' | 'publishableKey' | 'createdAt' | 'requirements' | 'openid' | 'backchannelLogoutUri'> {
  requirements?: Product['requirements']
  openid?: OpenIdChange
  redirectUris: ReadonlyArray<{ uri: string; trusted: boolean }>
}

/** The publishable and the webhook key can be shown again, the API key never. */
export interface ProductCreated {
  product: Product
  apiKey: string
  webhookKey: string
}

export type ProductRefusal =
  | {
      refusal:
        | 'slug_malformed'
        | 'slug_taken'
        | 'name_malformed'
        | 'handoff_needs_internal'
        | 'trusted_needs_internal'
        | 'matrix_needs_integrated'
        | 'not_found'
        | 'changed_meanwhile'
    }
  | { refusal: 'uri_taken'; uri: string }
  | { refusal: 'uri_refused'; uri: string; of: 'redirect_uris' | 'backchannel_logout_uri'; why: RedirectUriRefusal }
  | OpenIdRefusal

const SLUG = /^[a-z0-9](?:[a-z0-9-]{0,62}[a-z0-9])?$/
const MAX_NAME = 100

/** Registers an app with its addresses and makes its keys, or answers a refusal; then nothing was written. */
export async function createProduct(
  input: NewProduct,
  { changes, sealer, now, actor }: { changes: ChangeFeed; sealer: Sealer; now: Now; actor: Actor },
): Promise<ProductCreated | ProductRefusal> {
  const refused = refuseNewProduct(input)
  if (refused) return refused
  return rollBackRefusals<ProductCreated, ProductRefusal>((refuse) =>
    changes.transaction((tx, announce) => insertProduct(tx, input, { refuse, announce, sealer, at: now(), actor })),
  )
}

interface InsertDeps {
  refuse: (refusal: ProductRefusal) => never
  announce: Announce
  sealer: Sealer
  at: number
  actor: Actor
}

/** The same within a transaction that does more; a refusal must roll it back (`rollBackRefusals`). */
export async function insertProduct(tx: Transaction, input: NewProduct, deps: InsertDeps): Promise<ProductCreated> {
  const { refuse, announce, sealer, at, actor } = deps
  const openid = changeOpenId(undefined, input.openid ?? 'off', at)
  if (openid && 'refusal' in openid) return refuse(openid)
  const { redirectUris, ...given } = input
  const fields = { ...given, requirements: given.requirements ?? USUAL_REQUIREMENTS, openid }
  const product: Product = { ...fields, backchannelLogoutUri: undefined, id: newId(), publishableKey: mintKey('pk'), createdAt: at }
  const apiKey = mintKey('sk')
  const webhookKey = mintKey('wk')
  const webhookKeyId = newId()
  const products = productStore(tx)
  if (!(await products.insert(product))) refuse({ refusal: 'slug_taken' })
  for (const { uri, trusted } of redirectUris) {
    if (!(await redirectUriStore(tx).addRedirectUri(product.id, uri, trusted, at))) refuse({ refusal: 'uri_taken', uri })
  }
  await apiKeyStore(tx).insertApiKey(product.id, { id: newId(), hash: sha256Hex(apiKey), hint: keyHint(apiKey) }, at)
  const sealed = sealer.seal(webhookKey, `webhook_keys.sealed.${webhookKeyId}`)
  await webhookKeyStore(tx).insertWebhookKey(
    product.id,
    { id: webhookKeyId, hash: sha256Hex(webhookKey), hint: keyHint(webhookKey), sealed },
    at,
  )
  const { openid: _off, ...recorded } = fields
  const after = { ...recorded, ...(openid && { openid }), redirectUris }
  await recordAudit(tx, { actor, action: 'product.create', target: product.id, after }, at)
  announce({ kind: 'product_changed', subject: product.id })
  return { product, apiKey, webhookKey }
}

/** The rules for a new product that need no database. */
export function refuseNewProduct({ openid: asked, ...input }: NewProduct): ProductRefusal | undefined {
  const openid = changeOpenId(undefined, asked ?? 'off', 0)
  return openid && 'refusal' in openid ? openid : refuseProduct({ ...input, openid })
}

/** The same for a product as it is to be. */
export function refuseProduct(product: ProductRules): ProductRefusal | undefined {
  const { slug, name, audience, handoff, redirectUris, openid } = product
  if (audience === 'external' && handoff === 'eg_session') return { refusal: 'handoff_needs_internal' }
  if (!SLUG.test(slug)) return { refusal: 'slug_malformed' }
  if (!isVisibleLine(name, MAX_NAME)) return { refusal: 'name_malformed' }
  return refuseUris(redirectUris, { audience, isNative: openid?.kind === 'native' })
}

type ProductRules = Pick<NewProduct, 'slug' | 'name' | 'audience' | 'handoff' | 'redirectUris'> & { openid: OpenIdSettings | undefined }

function refuseUris(
  uris: NewProduct['redirectUris'],
  { audience, isNative }: { audience: Product['audience']; isNative: boolean },
): ProductRefusal | undefined {
  for (const { uri, trusted } of uris) {
    const parsed = parseRedirectUri(uri, { isNative })
    if ('refusal' in parsed) return { refusal: 'uri_refused', uri, of: 'redirect_uris', why: parsed }
    // An external product only holds tokens of its own, so it can't be trusted with others.
    if (trusted && audience === 'external') return { refusal: 'trusted_needs_internal' }
  }
  return undefined
}
