import type { ForwardAuthRefusal } from '../../forward-auth/index.ts'
import type { ForwardAuth, ProductRefusal, ProductSettings } from '../../products/index.ts'
import type { Refused } from '../api/refusals.ts'

/** A refusal of an action on a product, on the wire. `uris`: the sent redirect URIs, so that the field can be named. */
export function refuseProduct(refused: ProductRefusal, uris: ProductSettings['redirectUris'] = []): Refused {
  if (refused.refusal !== 'uri_taken' && refused.refusal !== 'uri_refused') return productRefusals[refused.refusal]
  const name = refused.refusal === 'uri_taken' ? 'uri_taken' : refused.why.refusal
  if (refused.refusal === 'uri_refused' && refused.of !== 'redirect_uris')
    return { refusal: 'malformed', fields: { [refused.of === 'post_logout_uris' ? 'openid.post_logout_uris' : refused.of]: name } }
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
  openid_off: { refusal: 'malformed', fields: { openid: 'openid_off' } },
  documents_need_native: { refusal: 'malformed', fields: { 'openid.kind': 'documents_need_native' } },
  pkce_needs_web: { refusal: 'malformed', fields: { 'openid.pkce': 'pkce_needs_web' } },
  too_many_openid_uris: { refusal: 'malformed', fields: { openid: 'too_many_openid_uris' } },
  resource_refused: { refusal: 'malformed', fields: { 'openid.resources': 'resource_refused' } },
} as const satisfies Record<Exclude<ProductRefusal['refusal'], 'uri_taken' | 'uri_refused'>, Refused>

const forwardAuthFields = {
  forward_auth_needs_internal: 'forward_auth',
  plans_missing: 'forward_auth.plans',
  plan_unknown: 'forward_auth.plans',
  too_many_hosts: 'forward_auth.hosts',
  host_malformed: 'forward_auth.hosts',
  host_off_domain: 'forward_auth.hosts',
  host_is_own: 'forward_auth.hosts',
  host_taken: 'forward_auth.hosts',
  host_not_found: 'forward_auth.hosts',
} as const satisfies Record<ForwardAuthRefusal['refusal'], string>

/** A refusal of an edit of a product, on the wire. `sent`: its new forward auth, so that the host or plan can be named. */
export function refuseEdit(
  refused: ProductRefusal | ForwardAuthRefusal,
  { uris, forwardAuth: sent }: { uris: ProductSettings['redirectUris']; forwardAuth: ForwardAuth | undefined },
): Refused {
  if (!isOfForwardAuth(refused)) return refuseProduct(refused, uris)
  const at = 'plan' in refused ? sent?.plans.indexOf(refused.plan) : 'host' in refused ? sent?.hosts.indexOf(refused.host) : undefined
  const field = forwardAuthFields[refused.refusal]
  return { refusal: 'malformed', fields: { [at === undefined ? field : `${field}.${at}`]: refused.refusal } }
}

/** Whether a refusal is about the rule for a proxy. */
export function isOfForwardAuth(refused: ProductRefusal | ForwardAuthRefusal): refused is ForwardAuthRefusal {
  return refused.refusal in forwardAuthFields
}
