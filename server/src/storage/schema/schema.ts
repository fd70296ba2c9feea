import type {
  AccessScanRow,
  AppEventRow,
  EventAttemptRow,
  EventDeliveryRow,
  EventEndpointRow,
  ReportedAccessRow,
  ReportedSubscriptionRow,
  ReportedUserRow,
  UserScanRow,
} from './event-rows.ts'
import type {
  AdminTokenRow,
  AppearanceRow,
  AuditRow,
  BrandImageRow,
  ChangeRow,
  DailyCountRow,
  ManagedSettingRow,
  OutboxLaneRow,
  OutboxRow,
  RateLimitRow,
  SettingRow,
  SigningKeyRow,
} from './operation-rows.ts'
import type {
  EventStreamRow,
  GatewayPaymentRow,
  MergedSubscriptionRow,
  NotificationAttemptRow,
  NotificationRow,
  NotificationRunRow,
  NotificationTermRow,
  PendingNotificationRow,
  ReportChangeRow,
  ReportStreamRow,
  ReportTotalRow,
  SubscriptionEventRow,
  SubscriptionRow,
} from './payments-rows.ts'
import type {
  ApiKeyRow,
  ForwardAuthHostRow,
  ForwardAuthRow,
  GatewayCredentialsRow,
  GatewayHealthRow,
  PaymentMethodRow,
  PlanGatewayRefRow,
  PlanRow,
  ProductGraceDaysRow,
  ProductRow,
  RedirectUriRow,
  WebhookKeyRow,
} from './products-rows.ts'
import type {
  BetaUserRow,
  ConsentRow,
  DeletionRequestRow,
  DescribedClientRow,
  HandoffRedemptionRow,
  IdentityProviderRow,
  IdentityRow,
  IdpAttemptRow,
  OpenedAppRow,
  OpenIdTokenRow,
  PasskeyChallengeRow,
  PasskeyRow,
  RecoveryCodeRow,
  SentMailRow,
  SessionProductRow,
  SessionRow,
  TicketRow,
  TotpFactorRow,
  UserCompanyRow,
  UserPictureRow,
  UserRow,
  UserSearchTermRow,
} from './user-rows.ts'

export type * from './event-rows.ts'
export type * from './operation-rows.ts'
export type * from './payments-rows.ts'
export type * from './products-rows.ts'
export type * from './user-rows.ts'

// Ids are UUIDv7 text, times integer milliseconds, booleans 0 or 1, lists and objects JSON text: the same on both databases.

export interface Schema {
  event_endpoints: EventEndpointRow
  app_events: AppEventRow
  event_deliveries: EventDeliveryRow
  event_attempts: EventAttemptRow
  reported_access: ReportedAccessRow
  access_scans: AccessScanRow
  reported_subscriptions: ReportedSubscriptionRow
  reported_users: ReportedUserRow
  user_scans: UserScanRow
  gateway_credentials: GatewayCredentialsRow
  gateway_payments: GatewayPaymentRow
  pending_notifications: PendingNotificationRow
  merged_subscriptions: MergedSubscriptionRow
  notification_terms: NotificationTermRow
  gateway_health: GatewayHealthRow
  notifications: NotificationRow
  notification_attempts: NotificationAttemptRow
  notification_runs: NotificationRunRow
  event_streams: EventStreamRow
  subscription_events: SubscriptionEventRow
  subscriptions: SubscriptionRow
  report_changes: ReportChangeRow
  report_streams: ReportStreamRow
  report_totals: ReportTotalRow
  product_grace_days: ProductGraceDaysRow
  admin_tokens: AdminTokenRow
  outbox: OutboxRow
  outbox_lanes: OutboxLaneRow
  tickets: TicketRow
  identity_providers: IdentityProviderRow
  identities: IdentityRow
  idp_attempts: IdpAttemptRow
  settings: SettingRow
  managed_settings: ManagedSettingRow
  users: UserRow
  user_search_terms: UserSearchTermRow
  users_company: UserCompanyRow
  user_pictures: UserPictureRow
  opened_apps: OpenedAppRow
  described_clients: DescribedClientRow
  beta_users: BetaUserRow
  consents: ConsentRow
  products: ProductRow
  redirect_uris: RedirectUriRow
  forward_auth: ForwardAuthRow
  forward_auth_hosts: ForwardAuthHostRow
  api_keys: ApiKeyRow
  webhook_keys: WebhookKeyRow
  product_payment_methods: PaymentMethodRow
  plans: PlanRow
  plan_gateway_refs: PlanGatewayRefRow
  sessions: SessionRow
  session_products: SessionProductRow
  deletion_requests: DeletionRequestRow
  sent_mails: SentMailRow
  totp_factors: TotpFactorRow
  recovery_codes: RecoveryCodeRow
  passkeys: PasskeyRow
  passkey_challenges: PasskeyChallengeRow
  handoff_redemptions: HandoffRedemptionRow
  openid_tokens: OpenIdTokenRow
  signing_keys: SigningKeyRow
  changes: ChangeRow
  rate_limits: RateLimitRow
  audit: AuditRow
  daily_counts: DailyCountRow
  appearances: AppearanceRow
  brand_images: BrandImageRow
}
