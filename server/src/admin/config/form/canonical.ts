import { domainToASCII } from 'node:url'
import { parseEndpointUrl } from '../../../app-events/index.ts'
import { parseZone } from '../../../reports/index.ts'
import { REQUIREMENTS } from '../../../users/index.ts'
import { canonicalAppearance } from './appearance.ts'
import type {
  Configuration,
  EndpointConfiguration,
  PlanConfiguration,
  ProductConfiguration,
  ProviderConfiguration,
} from './configuration.ts'

/**
 * Settings in the one form in which they are compared and written: lists that are sets are in order, addresses as they are stored. Two
 * files that mean the same become equal, and none differs for ever from what it has been applied to.
 */
export function canonical({
  appearance,
  reports,
  products,
  plans,
  identity_providers: providers,
  endpoints,
  ...head
}: Configuration): Configuration {
  return {
    ...head,
    ...(appearance !== undefined && { appearance: canonicalAppearance(appearance) }),
    // A zone that is not known stays as it was written: its refusal names it.
    ...(reports && { reports: reports.time_zone === undefined ? {} : { time_zone: parseZone(reports.time_zone) ?? reports.time_zone } }),
    ...(products && { products: sorted(products, canonicalProduct) }),
    ...(plans && { plans: sorted(plans, canonicalPlan) }),
    ...(providers && { identity_providers: sorted(providers, canonicalProvider) }),
    ...(endpoints && { endpoints: sorted(endpoints, canonicalEndpoint) }),
  }
}

function canonicalProduct(product: ProductConfiguration): ProductConfiguration {
  const { scopes, requires, redirect_uris: uris, openid, forward_auth: forwardAuth, payment_methods: methods, plans, endpoints } = product
  const rule = forwardAuth && { ...forwardAuth, ...inOrder(forwardAuth, ['plans', 'hosts']) }
  return {
    ...product,
    ...(scopes && { scopes: scopes.toSorted() }),
    ...(requires && { requires: REQUIREMENTS.filter((one) => requires.includes(one)) }),
    ...(uris && { redirect_uris: uris.map(canonicalUri).toSorted((one, other) => compareText(uriOf(one), uriOf(other))) }),
    ...(openid && { openid: { ...openid, ...inOrder(openid, ['post_logout_uris', 'resources']) } }),
    // Another rule than one by plans has none.
    ...(rule && { forward_auth: rule.access !== undefined && rule.access !== 'plans' && rule.plans ? { ...rule, plans: [] } : rule }),
    ...(methods && { payment_methods: sorted(methods, (gateway) => gateway) }),
    ...(plans && { plans: sorted(plans, canonicalPlan) }),
    ...(endpoints && { endpoints: sorted(endpoints, canonicalEndpoint) }),
    ...(product.appearance !== undefined && { appearance: canonicalAppearance(product.appearance) }),
  }
}

type Uri = NonNullable<ProductConfiguration['redirect_uris']>[number]

export function uriOf(uri: Uri): string {
  return typeof uri === 'string' ? uri : uri.uri
}

function canonicalUri(uri: Uri): Uri {
  return typeof uri === 'string' || uri.trusted ? uri : uri.uri
}

function canonicalPlan({ gateway_refs: refs, ...plan }: PlanConfiguration): PlanConfiguration {
  if (!refs) return plan
  const kept = Object.entries(refs).filter(([, names]) => names.length > 0)
  return { ...plan, gateway_refs: Object.fromEntries(kept.toSorted(byKey).map(([gateway, names]) => [gateway, names.toSorted()])) }
}

function canonicalProvider({ kind, ...provider }: ProviderConfiguration): ProviderConfiguration {
  const { authoritative_for: domains } = provider
  return {
    ...(kind !== undefined && kind !== 'openid' && { kind }),
    ...provider,
    ...(domains && { authoritative_for: domains.map((domain) => (domain === '*' ? domain : domainToASCII(domain))).toSorted() }),
  }
}

function canonicalEndpoint(endpoint: EndpointConfiguration): EndpointConfiguration {
  const { url, types } = endpoint
  return {
    ...endpoint,
    // An address that can't be read stays as it was written: its refusal names it so.
    ...(url !== undefined && { url: parseEndpointUrl(url, { isDevelopment: true }) ?? url }),
    ...(types && { types: types.toSorted() }),
  }
}

function inOrder<T extends object, K extends keyof T>(settings: T, lists: readonly K[]): Partial<T> {
  return Object.fromEntries(
    lists.flatMap((list) => {
      const value = settings[list]
      return Array.isArray(value) ? [[list, value.toSorted()]] : []
    }),
  ) as Partial<T>
}

function sorted<T>(settings: Record<string, T>, one: (setting: T) => T): Record<string, T> {
  return Object.fromEntries(
    Object.entries(settings)
      .toSorted(byKey)
      .map(([name, setting]) => [name, one(setting)]),
  )
}

const compareText = (one: string, other: string) => (one < other ? -1 : one > other ? 1 : 0)
const byKey = ([one]: [string, unknown], [other]: [string, unknown]) => compareText(one, other)
