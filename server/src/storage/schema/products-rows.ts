// Registered apps and their plans.

export interface ProductTables {
  product_grace_days: ProductGraceDaysRow
  products: ProductRow
  redirect_uris: RedirectUriRow
  forward_auth: ForwardAuthRow
  forward_auth_hosts: ForwardAuthHostRow
  api_keys: ApiKeyRow
  product_payment_methods: PaymentMethodRow
  plans: PlanRow
}

export interface ProductRow {
  id: string
  slug: string
  name: string
  audience: string
  checkout: string
  handoff: string
  scopes: string
  publishable_key: string
  query_key_allowed: number
  /** Words with spaces between them; null: the usual. */
  requires: string | null
  foreigners: string | null
  /** JSON; null: it does not speak OpenID Connect. */
  openid: string | null
  backchannel_logout_uri: string | null
  created_at: number
  updated_at: number
}

export interface RedirectUriRow {
  uri: string
  product_id: string
  trusted: number
  created_at: number
}

/** The rule for the hosts of a product behind a proxy that asks. `plans`: slugs with spaces between them. */
export interface ForwardAuthRow {
  product_id: string
  access: string
  plans: string
}

export interface ForwardAuthHostRow {
  host: string
  product_id: string
  created_at: number
}

export interface ApiKeyRow {
  id: string
  product_id: string
  hash: string
  hint: string
  created_at: number
  revoked_at: number | null
  last_used_at: number | null
}

export interface PaymentMethodRow {
  product_id: string
  method: string
  gateway: string
}

export interface PlanRow {
  id: string
  scope: string
  slug: string
  name: string
  price: number
  below_price: string | null
  created_at: number
  updated_at: number
}

export interface ProductGraceDaysRow {
  product_id: string
  method: string
  days: number
}
