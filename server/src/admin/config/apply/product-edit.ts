import type { ForwardAuthChange } from '../../../forward-auth/index.ts'
import { METHODS, type NewProduct, SCOPES } from '../../../products/index.ts'
import { type ProfileRequirements, USUAL_REQUIREMENTS } from '../../../users/index.ts'
import type { ProductEdit } from '../../products/edit-product.ts'
import { openIdChangeOf } from '../../products/product-json.ts'
import type { ProductConfiguration } from '../form/configuration.ts'

/** The fields that a new product is made with. The others follow once its plans are there: a rule for a proxy may name them. */
const AT_ONCE: ReadonlySet<keyof ProductConfiguration> = new Set([
  'name',
  'audience',
  'checkout',
  'handoff',
  'scopes',
  'requires',
  'foreigners',
  'query_key_allowed',
  'redirect_uris',
  'openid',
])

/** The fields that a new product is given after it was made. */
export function afterwards(product: ProductConfiguration): string[] {
  return Object.keys(product).filter((field) => !AT_ONCE.has(field as keyof ProductConfiguration))
}

/** The edit that makes these fields what the file says. */
export function editOf(product: ProductConfiguration, fields: ReadonlySet<string>): ProductEdit {
  const only = <K extends keyof ProductConfiguration>(field: K) => (fields.has(field) ? product[field] : undefined)
  const [name, checkout, handoff, scopes] = [only('name'), only('checkout'), only('handoff'), only('scopes')]
  const [methods, openid, logoutUri] = [only('payment_methods'), only('openid'), only('backchannel_logout_uri')]
  const [queryKeyAllowed, grace, rule, uris] = [only('query_key_allowed'), only('grace_days'), only('forward_auth'), only('redirect_uris')]
  const asked = { ...(only('requires') && { requires: product.requires }), ...(only('foreigners') && { foreigners: product.foreigners }) }
  return {
    change: {
      ...(name !== undefined && { name }),
      ...(checkout && { checkout }),
      ...(handoff && { handoff }),
      ...(scopes && { scopes }),
      ...(queryKeyAllowed !== undefined && { queryKeyAllowed }),
      ...(Object.keys(asked).length > 0 && { requirements: asked as Partial<ProfileRequirements> }),
      ...(openid !== undefined && { openid: openIdChangeOf(openid) }),
      ...(logoutUri !== undefined && { backchannelLogoutUri: logoutUri ?? 'none' }),
      ...(methods && { paymentMethods: METHODS.flatMap((method) => (methods[method] ? [{ method, gateway: methods[method] }] : [])) }),
    },
    ...(uris && { redirectUris: registrations(uris) }),
    ...(grace && { graceDays: METHODS.flatMap((method) => (grace[method] === undefined ? [] : [{ method, days: grace[method] }])) }),
    ...(rule !== undefined && { forwardAuth: rule === null ? ('off' as const) : ruleOf(rule) }),
  }
}

/** The product that a file declares, without what needs its plans first. */
export function newProduct(slug: string, product: ProductConfiguration): NewProduct {
  const { audience = 'internal', checkout = 'integrated', requires, foreigners } = product
  return {
    slug,
    name: product.name ?? slug,
    audience,
    checkout,
    handoff: product.handoff ?? (audience === 'external' ? 'eg_token' : 'eg_session'),
    scopes: product.scopes ?? SCOPES,
    queryKeyAllowed: product.query_key_allowed ?? true,
    requirements: { ...USUAL_REQUIREMENTS, ...(requires && { requires }), ...(foreigners && { foreigners }) },
    redirectUris: registrations(product.redirect_uris ?? []),
    ...(product.openid && { openid: openIdChangeOf(product.openid) }),
  }
}

function registrations(uris: NonNullable<ProductConfiguration['redirect_uris']>): Array<{ uri: string; trusted: boolean }> {
  return uris.map((uri) => (typeof uri === 'string' ? { uri, trusted: false } : uri))
}

function ruleOf({ access, plans, hosts }: NonNullable<ProductConfiguration['forward_auth']>): ForwardAuthChange {
  return { ...(access && { access }), ...(plans && { plans }), ...(hosts && { hosts }) }
}
