import { redirectUriSentence } from '../../admin/index.ts'
import type { ProductRefusal } from '../../products/index.ts'
import { NAME, SLUG } from './forms.ts'

const products = {
  slug_malformed: `this slug can't be used: ${SLUG}`,
  slug_taken: 'a product with this slug exists: choose another, or change that one with `portaria product set SLUG`',
  name_malformed: `${NAME}, 100 characters at most`,
  trusted_needs_internal: 'only an internal product can have trusted addresses: an external one never gets the session of the domain',
  handoff_needs_internal: 'an external product always gets eg_token',
  matrix_needs_integrated:
    'this product has a checkout of its own, so there is no matrix: `product set --checkout integrated` changes that',
  not_found: 'there is no such product, or it has no such address: see `portaria product list` and `portaria product show SLUG`',
  changed_meanwhile: 'the product was changed by someone else meanwhile: look at it again',
  openid_off: 'this product does not speak OpenID Connect yet: add --openid web, browser or native',
  pkce_needs_web: 'only an app of the kind web keeps a secret: for the others PKCE is always required',
  documents_need_native: 'clients that describe themselves keep no secret: only a product of the kind native takes them',
  too_many_openid_uris: 'a product has at most 50 addresses to return to after a sign-out, and 50 resources',
  resource_refused: 'a resource must be an absolute URI without a fragment, like https://api.example.com/',
} as const satisfies Record<Exclude<ProductRefusal['refusal'], 'uri_taken' | 'uri_refused'>, string>

export function productSentence(refused: ProductRefusal): string {
  if (refused.refusal === 'uri_taken')
    return `${refused.uri} is registered already, for this product or another: an address belongs to one product`
  if (refused.refusal !== 'uri_refused') return products[refused.refusal]
  const { uri, why } = refused
  return `${JSON.stringify(uri)} can't be registered: ${redirectUriSentence(why)}`
}
