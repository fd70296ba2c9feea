// The gateways of products.

export interface GatewayTables {
  gateway_credentials: GatewayCredentialsRow
  gateway_health: GatewayHealthRow
  webhook_keys: WebhookKeyRow
  plan_gateway_refs: PlanGatewayRefRow
}

export interface GatewayCredentialsRow {
  product_id: string
  gateway: string
  sealed: string
  api_url: string | null
  is_test: number
  created_at: number
  updated_at: number
}

export interface GatewayHealthRow {
  gateway: string
  product_id: string
  last_delivery_at: number | null
  verification_failures: number
  last_verification_failure_at: number | null
  failing_since: number | null
}

export interface WebhookKeyRow {
  id: string
  product_id: string
  hash: string
  hint: string
  sealed: string
  created_at: number
  revoked_at: number | null
}

export interface PlanGatewayRefRow {
  gateway: string
  ref: string
  plan_id: string
}
