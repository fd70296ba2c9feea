// gateways: what payment gateways tell of products' payments.
// Owns: POST /api/webhooks/<gateway>/<key>, each gateway's proof and words (one file or folder each), asking their APIs, how they are doing.
// Does not own: the notification once it is proven (notifications), or the subscription that follows (subscriptions).
export { API_URL_DOUBTS, type ApiUrlDoubt, doubtApiUrl } from './api-url.ts'
export { askJob } from './ask.ts'
export { type EndpointFaults, examineEndpoints } from './endpoints.ts'
export type { SecretRefusal } from './gateway.ts'
export { type GatewayHealth, gatewayHealthStore } from './health-store.ts'
export { probeGateway } from './probe.ts'
export { deliveryDigest } from './receive.ts'
export { type Reconciliation, reconcile } from './reconcile.ts'
export { gatewayRoutes } from './routes.ts'
export { parseSecrets } from './secrets.ts'
export { createTills, type Till } from './tills.ts'
export { VENDOR_FAULTS } from './vendor.ts'
export { watchGateways } from './watch.ts'
