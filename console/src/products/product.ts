/** An app's company: the operator's own, or another one. */
export const audiences = ['internal', 'external'] as const
export const checkouts = ['integrated', 'external'] as const
export const handoffs = ['eg_session', 'eg_token'] as const
export const productScopes = ['read:email', 'read:profile'] as const
/** Data that an app can ask of its users. */
export const requirements = ['tax_id', 'phone', 'company'] as const
/** The rule for users without a CPF or CNPJ. */
export const foreigners = ['refused', 'document', 'exempt'] as const
export const methods = ['pix', 'boleto', 'card'] as const

export type Audience = (typeof audiences)[number]
export type Checkout = (typeof checkouts)[number]
export type Method = (typeof methods)[number]
/** Gateways by the API's names; a newer service may know more. */
export type Gateway = string

/** The rules by which a proxy lets users in. */
export const forwardAccesses = ['signed_in', 'any_plan', 'plans'] as const

/** An app behind a proxy that asks before each request. */
export interface ForwardAuth {
  access: (typeof forwardAccesses)[number]
  /** Slugs; empty unless `access` is `plans`. */
  plans: string[]
  hosts: string[]
}

export const openIdKinds = ['web', 'browser', 'native'] as const
export const pkceRules = ['required', 'optional'] as const
export const idTokenAlgs = ['RS256', 'ES256'] as const

/** How an app speaks OpenID Connect. */
export interface OpenId {
  kind: (typeof openIdKinds)[number]
  pkce: (typeof pkceRules)[number]
  id_token_alg: (typeof idTokenAlgs)[number]
  post_logout_uris: string[]
  resources: string[]
}

/** A registered app, as lists show it. */
export interface Product {
  id: string
  slug: string
  name: string
  audience: Audience
  checkout: Checkout
  handoff: (typeof handoffs)[number]
  scopes: Array<(typeof productScopes)[number]>
  requires: Array<(typeof requirements)[number]>
  foreigners: (typeof foreigners)[number]
  query_key_allowed: boolean
  publishable_key: string
  created_at: string
}

export interface RedirectUri {
  uri: string
  trusted: boolean
}

export interface ApiKey {
  id: string
  hint: string
  created_at: string
  revoked_at: string | null
  last_used_at: string | null
}

export interface WebhookKey {
  id: string
  hint: string
  created_at: string
  revoked_at: string | null
}

/** The state of a product's gateway. */
export interface GatewayState {
  gateway: Gateway
  /** The address to register there; for owners. */
  webhook_url: string | null
  credentials: 'live' | 'test' | null
  last_delivery_at: string | null
  verification_failures: number
  /** The first of the failed verifications since the last good one. */
  failing_since: string | null
  last_verification_failure_at: string | null
  unresolved: number
  awaiting_gateway: number
  failed: number
}

export interface PaymentMethod {
  method: Method
  gateway: Gateway
}

export interface ProductDetails extends Product {
  /** The version that was read (data-provider.ts). */
  _version?: string
  redirect_uris: RedirectUri[]
  api_keys: ApiKey[]
  webhook_keys: WebhookKey[]
  payment_methods: PaymentMethod[]
  gateway_credentials: Array<{ gateway: Gateway; is_test: boolean; api_url: string | null; updated_at: string | null }>
  grace_days: Record<Method, number>
  forward_auth: ForwardAuth | null
  openid: OpenId | null
  gateways: GatewayState[]
}

/** Answered once, to its maker. */
export interface NewProduct extends ProductDetails {
  api_key: string
}

export function productPath(id: string): string {
  return `/products/${encodeURIComponent(id)}/show`
}
