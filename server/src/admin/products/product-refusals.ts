import type { ProductRefusal, ProductSettings } from '../../products/index.ts'
import type { Refused } from '../api/refusals.ts'

/** A refusal of an action on a product, on the wire. `uris`: the sent redirect URIs, so that the field can be named. */
export function refuseProduct(refused: ProductRefusal, uris: ProductSettings['redirectUris'] = []): Refused {
  if (refused.refusal !== 'uri_taken' && refused.refusal !== 'uri_refused') return productRefusals[refused.refusal]
  const name = refused.refusal === 'uri_taken' ? 'uri_taken' : refused.why.refusal
  const at = uris.findLastIndex(({ uri }) => uri === refused.uri)
  return { refusal: 'malformed', fields: { [`redirect_uris.${at}.uri`]: name } }
}

const productRefusals = {
  slug_malformed: { refusal: 'malformed', fields: { slug: 'slug_malformed' } },
  slug_taken: { refusal: 'malformed', fields: { slug: 'slug_taken' } },
  name_malformed: { refusal: 'malformed', fields: { name: 'name_malformed' } },
  handoff_needs_internal: { refusal: 'malformed', fields: { handoff: 'handoff_needs_internal' } },
  trusted_needs_internal: { refusal: 'malformed', fields: { redirect_uris: 'trusted_needs_internal' } },
  matrix_needs_integrated: { refusal: 'malformed', fields: { payment_methods: 'matrix_needs_integrated' } },
  not_found: { refusal: 'not_found' },
  changed_meanwhile: { refusal: 'changed_meanwhile' },
} as const satisfies Record<Exclude<ProductRefusal['refusal'], 'uri_taken' | 'uri_refused'>, Refused>
