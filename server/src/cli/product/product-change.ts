import { type ForwardAuthChange, setForwardAuth } from '../../forward-auth/index.ts'
import { changeProduct, type Product, type ProductChange, type parseGrace } from '../../products/index.ts'
import { setGrace } from '../../subscriptions/index.ts'
import { OPERATOR } from '../command/cli-context.ts'
import type { CommandContext } from '../command/open-context.ts'
import type { Outcome } from '../command/output.ts'
import { forwardAuthSentence } from '../sentences/forward-auth-sentences.ts'
import { productSentence } from '../sentences/product-sentences.ts'
import type { ForwardAuthOptions } from './forward-auth-options.ts'
import { type ProductOptions, showProduct } from './on-product.ts'
import type { OpenIdOptions } from './product-openid.ts'
import { type RequirementOptions, requirementsOf } from './requirement-options.ts'

type Grace = NonNullable<ReturnType<typeof parseGrace>>

export function productChangeOf(options: SetOptions): ProductChange {
  const { name, checkout, handoff, scopes, queryKey, addUri = [], addTrustedUri = [], removeUri, backchannelLogoutUri } = options
  const requirements = requirementsOf(options)
  const addUris = [...addUri.map((uri) => ({ uri, trusted: false })), ...addTrustedUri.map((uri) => ({ uri, trusted: true }))]
  return {
    ...(name !== undefined && { name }),
    ...(checkout !== undefined && { checkout }),
    ...(handoff !== undefined && { handoff }),
    ...(scopes !== undefined && { scopes }),
    ...(queryKey !== undefined && { queryKeyAllowed: queryKey }),
    ...(Object.keys(requirements).length > 0 && { requirements }),
    ...(addUris.length > 0 && { addUris }),
    ...(removeUri !== undefined && { removeUris: removeUri }),
    ...(backchannelLogoutUri !== undefined && { backchannelLogoutUri }),
  }
}

export async function changeSettings(
  product: Product,
  { change, grace, forwardAuth }: { change: ProductChange; grace: readonly Grace[]; forwardAuth: ForwardAuthChange | 'off' | undefined },
  context: CommandContext,
): Promise<Outcome> {
  const { slug } = product
  const isChange = Object.keys(change).length > 0
  const changed = isChange ? await changeProduct(slug, change, { ...context, actor: OPERATOR }) : product
  if ('refusal' in changed) return { complaint: productSentence(changed) }
  const set = grace.length > 0 ? await setGrace(slug, grace, { ...context, actor: OPERATOR }) : changed
  if ('refusal' in set) return { complaint: productSentence(set) }
  const { cookieDomain, baseUrl } = context.config
  const asked = forwardAuth && (await setForwardAuth(product.id, forwardAuth, { ...context, cookieDomain, baseUrl, actor: OPERATOR }))
  if (asked && 'refusal' in asked) return { complaint: asked.refusal === 'not_found' ? productSentence(asked) : forwardAuthSentence(asked) }
  return showProduct(changed, context)
}

export interface SetOptions extends ProductOptions, RequirementOptions, OpenIdOptions, ForwardAuthOptions {
  name?: string
  checkout?: Product['checkout']
  handoff?: Product['handoff']
  scopes?: Product['scopes']
  queryKey?: boolean
  addUri?: string[]
  addTrustedUri?: string[]
  removeUri?: string[]
  grace?: Grace[]
}
