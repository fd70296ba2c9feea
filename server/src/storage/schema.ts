import type { Generated } from 'kysely'

// Ids are UUIDv7 text, times integer milliseconds, booleans 0 or 1, lists and objects JSON text: the same on both databases.

export interface SettingRow {
  name: string
  value: string
}

export interface UserRow {
  id: string
  email: string
  email_verified_at: number | null
  password_hash: string | null
  role: string | null
  language: string | null
  disabled_at: number | null
  created_at: number
  updated_at: number
}

export interface UserCompanyRow {
  user_id: string
  name: string
  avatar_url: string | null
  is_producer: number
  company_name: string | null
  rank_name: string | null
  tax_id_kind: string | null
  tax_id_sealed: string | null
  tax_id_hash: string | null
  phone: string | null
  updated_at: number
}

export interface BetaUserRow {
  user_id: string
  created_at: number
  nda_accepted_at: number | null
  nda_ip: string | null
  nda_user_agent: string | null
  nda_version: string | null
  nda_text_hash: string | null
}

export interface ConsentRow {
  user_id: string
  product_id: string
  scopes: string
  granted_at: number
  ip: string
  user_agent: string
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
  created_at: number
  updated_at: number
}

export interface RedirectUriRow {
  uri: string
  product_id: string
  trusted: number
  created_at: number
}

export interface ApiKeyRow {
  id: string
  product_id: string
  hash: string
  hint: string
  created_at: number
  revoked_at: number | null
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
  created_at: number
  updated_at: number
}

export interface PlanGatewayRefRow {
  gateway: string
  ref: string
  plan_id: string
}

export interface SessionRow {
  id: string
  user_id: string
  product_id: string | null
  parent_id: string | null
  bound_hash: string | null
  created_at: number
  expires_at: number
  ended_at: number | null
  ended_reason: string | null
  ip: string
  user_agent: string
  /** When its person last proved who they are, second factor included; null for sessions from before there were any. */
  proven_at: number | null
  /** As of a few minutes ago: nodes write it in batches. */
  last_seen_at: number | null
}

export interface DeletionRequestRow {
  user_id: string
  requested_at: number
  due_at: number
}

export interface SentMailRow {
  id: string
  user_id: string
  kind: string
  at: number
}

export interface TotpFactorRow {
  user_id: string
  secret_sealed: string
  created_at: number
  confirmed_at: number | null
  /** The 30-second step of the newest code that was used. */
  last_step: number
}

export interface RecoveryCodeRow {
  user_id: string
  code_hash: string
  created_at: number
  used_at: number | null
}

export interface PasskeyRow {
  /** The credential's id, as its device chose it, in base64url. */
  id: string
  user_id: string
  name: string
  /** COSE, in base64url. */
  public_key: string
  counter: number
  /** JSON: how browsers reach the device. */
  transports: string
  is_backed_up: number
  created_at: number
  last_used_at: number | null
}

export interface PasskeyChallengeRow {
  hash: string
  purpose: string
  /** Whose device is asked; null where nobody is known yet. */
  user_id: string | null
  expires_at: number
}

export interface HandoffRedemptionRow {
  jti: string
  expires_at: number
}

export interface SigningKeyRow {
  kid: string
  public_jwk: string
  private_sealed: string
  created_at: number
  signs_from: number
  revoked_at: number | null
}

export interface ChangeRow {
  seq: Generated<number>
  kind: string
  subject: string
  at: number
}

export interface RateLimitRow {
  key: string
  count: number
  window_ends_at: number
}

export interface AuditRow {
  id: string
  at: number
  actor: string
  action: string
  target: string
  before: string | null
  after: string | null
  reason: string | null
  ip: string | null
}

export interface OutboxRow {
  id: string
  kind: string
  payload_sealed: string
  attempts: number
  run_at: number
  leased_until: number | null
  dead_at: number | null
  last_error: string | null
  created_at: number
  /** Whose API it asks; mails have none. */
  lane: string | null
}

export interface OutboxLaneRow {
  lane: string
  paused_until: number
}

export interface TicketRow {
  id: string
  purpose: string
  user_id: string | null
  email: string
  secret_hash: string
  code_hash: string | null
  code_tries: number
  payload_sealed: string
  created_at: number
  expires_at: number
}

export interface IdentityProviderRow {
  id: string
  name: string
  issuer: string
  client_id: string
  client_secret_sealed: string
  authoritative_for: string
  access_token_audience: string | null
  created_at: number
  updated_at: number
}

export interface IdentityRow {
  issuer: string
  subject: string
  user_id: string
  email: string | null
  created_at: number
}

export interface IdpAttemptRow {
  state_hash: string
  provider_id: string
  sealed: string
  expires_at: number
}

export interface NotificationRow {
  id: string
  source: string
  product_id: string | null
  digest: string
  event: string
  status: string
  why: string | null
  subject: string | null
  payload: string
  query: string | null
  told: string | null
  subscription_id: string | null
  received_at: number
  settled_at: number | null
}

export interface SubscriptionLineRow {
  id: string
  source: string
  ref: string
  product_id: string | null
  buyer_forgotten_at: number | null
  merged_into: string | null
  created_at: number
}

export interface SubscriptionEventRow {
  line_id: string
  key: string
  kind: string
  at: number
  plan_id: string | null
  email: string | null
  payment_id: string | null
  amount: number | null
  method: string | null
  period_end: number | null
  notification_id: string | null
  recorded_at: number
}

export interface SubscriptionRow {
  id: string
  line_id: string
  number: number
  product_id: string | null
  plan_id: string | null
  email: string | null
  email_hash: string | null
  user_id: string | null
  product_user: string | null
  claim_closed_at: number | null
  state: string
  method: string | null
  period_end: number | null
  grace_from: number | null
  access_until: number | null
  changed_at: number
  created_at: number
}

export interface ProductGraceDaysRow {
  product_id: string
  method: string
  days: number
}

export interface GatewayPaymentRow {
  gateway: string
  product_id: string
  alias: string
  payment_id: string
  line_ref: string
}

export interface GatewayWaitingRow {
  gateway: string
  product_id: string
  name: string
  key: string
  notification_id: string
}

export interface NotificationAddressRow {
  address_hash: string
  notification_id: string
}

export interface GatewayHealthRow {
  gateway: string
  product_id: string
  last_delivery_at: number | null
  proof_failures: number
  last_proof_failure_at: number | null
  failing_since: number | null
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

export interface AdminTokenRow {
  id: string
  name: string
  hash: string
  hint: string
  role: string
  scopes: string
  created_at: number
  expires_at: number | null
  revoked_at: number | null
}

export interface Schema {
  gateway_credentials: GatewayCredentialsRow
  gateway_payments: GatewayPaymentRow
  gateway_waiting: GatewayWaitingRow
  notification_addresses: NotificationAddressRow
  gateway_health: GatewayHealthRow
  notifications: NotificationRow
  subscription_lines: SubscriptionLineRow
  subscription_events: SubscriptionEventRow
  subscriptions: SubscriptionRow
  product_grace_days: ProductGraceDaysRow
  admin_tokens: AdminTokenRow
  outbox: OutboxRow
  outbox_lanes: OutboxLaneRow
  tickets: TicketRow
  identity_providers: IdentityProviderRow
  identities: IdentityRow
  idp_attempts: IdpAttemptRow
  settings: SettingRow
  users: UserRow
  users_company: UserCompanyRow
  beta_users: BetaUserRow
  consents: ConsentRow
  products: ProductRow
  redirect_uris: RedirectUriRow
  api_keys: ApiKeyRow
  webhook_keys: WebhookKeyRow
  product_payment_methods: PaymentMethodRow
  plans: PlanRow
  plan_gateway_refs: PlanGatewayRefRow
  sessions: SessionRow
  deletion_requests: DeletionRequestRow
  sent_mails: SentMailRow
  totp_factors: TotpFactorRow
  recovery_codes: RecoveryCodeRow
  passkeys: PasskeyRow
  passkey_challenges: PasskeyChallengeRow
  handoff_redemptions: HandoffRedemptionRow
  signing_keys: SigningKeyRow
  changes: ChangeRow
  rate_limits: RateLimitRow
  audit: AuditRow
}
