import { isOnDomain, type OpenIdSettings, type ProductDirectory, parseRedirectUri } from '../../products/index.ts'
import { redirectUriSentence } from './redirect-uri-sentence.ts'

/** Whether an address could be registered: called while it is being typed, so it writes nothing. */
export async function checkRedirectUri(
  text: string,
  { productId, kind }: { productId: string | undefined; kind: OpenIdSettings['kind'] | undefined },
  {
    products,
    cookieDomain,
    baseUrl,
  }: { products: Pick<ProductDirectory, 'findTarget' | 'findById'>; cookieDomain: string | undefined; baseUrl: string },
) {
  const product = productId === undefined ? undefined : await products.findById(productId)
  const isNative = (kind ?? product?.openid?.kind) === 'native'
  const parsed = parseRedirectUri(text, { isNative })
  if ('refusal' in parsed) return { ...nothing, refusal: parsed.refusal, says: redirectUriSentence(parsed), use: parsed.use ?? null }
  const target = await products.findTarget(parsed.uri)
  const place = { on_domain: isOnDomain(parsed.uri, { cookieDomain, baseUrl }), registered_for: target?.product.slug ?? null }
  if (!target || target.product.id === productId) return { ...nothing, ok: true, ...place }
  const says = `it is registered for ${target.product.slug} already: an address belongs to one product`
  return { ...nothing, ...place, refusal: 'uri_taken', says }
}

const nothing = { ok: false, refusal: null, says: null, use: null, on_domain: null, registered_for: null }
