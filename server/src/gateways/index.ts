// gateways: payment gateways' reports about products' payments. Owns: POST /api/webhooks/<gateway>/<key>, one adapter for each gateway
// (verification, parsing), fetching from their APIs, their health. Does not own: the verified notification (notifications), the
// subscription that follows (subscriptions).

export { addCycles, type Cycle } from './adapter-kit/calendar.ts'
export { API_URL_WARNINGS, type ApiUrlWarning, warnAboutApiUrl } from './api-url.ts'
export { gatewayMetrics } from './deliveries/gateway-metrics.ts'
export { type GatewayHealth, gatewayHealthStore } from './deliveries/health-store.ts'
export { deliveryDigest } from './deliveries/keep-delivery.ts'
export { gatewayRoutes } from './deliveries/routes.ts'
export { type EndpointFaults, examineEndpoints } from './endpoints.ts'
export { fetchPaymentJob } from './fetching/fetch-payment.ts'
export { GATEWAY_API_FAULTS } from './fetching/gateway-api.ts'
export { listHistory } from './fetching/history.ts'
export { type Reconciliation, reconcile } from './fetching/reconcile.ts'
export type { SecretRefusal } from './gateway.ts'
export { createMerchantAccounts, type MerchantAccount, type MerchantAccounts } from './merchant-accounts.ts'
export { parseSecrets } from './parse-secrets.ts'
export { pingGateway } from './ping.ts'
