// products: the apps registered with the operator.
// Owns: products, their redirect URIs and what makes a RedirectTarget, publishable, API and webhook keys, the gateway matrix,
// what each gateway is verified and asked with.
// Does not own: plans and who has them (subscriptions), or what is appended to a redirect (handoff).

export { removeGatewayCredentials, setGatewayCredentials } from './change-gateway-credentials.ts'
export { addApiKey, revokeApiKey, rotateWebhookKey } from './change-keys.ts'
export { applyProductChange, changeProduct, type ProductChange } from './change-product.ts'
export {
  createProduct,
  type NewProduct,
  type ProductCreated,
  type ProductRefusal,
  refuseProduct,
} from './create-product.ts'
export { createProductDirectory, type ProductDirectory } from './directory.ts'
export {
  type GatewayCredentials,
  type GatewayCredentialsInfo,
  type GatewaySecretsRefusal,
  parseApiUrl,
  parseGatewaySecrets,
} from './gateway-credentials.ts'
export { gatewayCredentialsStore } from './gateway-credentials-store.ts'
export { type GraceDays, listGraceDays, parseGrace, setGraceDays } from './grace-store.ts'
export { holdProduct } from './hold-store.ts'
export { writeKeysUsed } from './key-use.ts'
export {
  EXPERIMENTAL_GATEWAYS,
  type ExperimentalGateway,
  GATEWAYS,
  type Gateway,
  gatewaysWith,
  METHODS,
  type PaymentMethod,
  parsePaymentMethod,
} from './payment-methods.ts'
export { type ApiKeyInfo, isScope, type Product, type ProductSettings, productVersion, SCOPES, type WebhookKeyInfo } from './product.ts'
export { isOnDomain, type RedirectTarget, signOutTarget } from './redirect-target.ts'
export { parseRedirectUri, type RedirectUriRefusal } from './redirect-uri.ts'
export { reportLeakedKey } from './report-leaked-key.ts'
export { productStore } from './store.ts'
