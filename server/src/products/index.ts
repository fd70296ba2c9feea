// products: the apps registered with the operator. Owns: products, their redirect URIs and the making of a RedirectTarget, publishable, API
// and webhook keys, the gateway matrix, credentials for gateways. Does not own: plans and subscriptions (subscriptions), the parameters
// appended to a redirect (handoff).

export { applyProductChange, changeProduct, type ProductChange } from './change-product.ts'
export {
  createProduct,
  insertProduct,
  type NewProduct,
  type ProductCreated,
  type ProductRefusal,
  refuseNewProduct,
} from './create-product.ts'
export { createProductDirectory, type ProductDirectory } from './directory.ts'
export { FORWARD_ACCESS, type ForwardAuth } from './forward-auth/forward-auth.ts'
export { forwardAuthStore } from './forward-auth/forward-auth-store.ts'
export { type ForwardedHostRefusal, refuseForwardedHost } from './forward-auth/forwarded-host.ts'
export { createForwardedHosts, type ForwardedHost, type ForwardedHosts } from './forward-auth/forwarded-hosts.ts'
export { removeGatewayCredentials, setGatewayCredentials } from './gateway-credentials/change-gateway-credentials.ts'
export {
  type GatewayCredentials,
  type GatewayCredentialsInfo,
  type GatewaySecretsRefusal,
  parseApiUrl,
  parseGatewaySecrets,
} from './gateway-credentials/gateway-credentials.ts'
export { gatewayCredentialsStore } from './gateway-credentials/gateway-credentials-store.ts'
export { type GraceDays, listGraceDays, parseGrace, setGraceDays } from './grace-store.ts'
export { holdProduct } from './hold-store.ts'
export { apiKeyStore } from './keys/api-key-store.ts'
export { addApiKey, revokeApiKey, rotateWebhookKey } from './keys/change-keys.ts'
export type { ApiKeyInfo, WebhookKeyInfo } from './keys/key-info.ts'
export { writeKeysUsed } from './keys/key-use.ts'
export { reportLeakedKey } from './keys/report-leaked-key.ts'
export { webhookKeyStore } from './keys/webhook-key-store.ts'
export {
  ID_TOKEN_ALGS,
  OPENID_KINDS,
  type OpenIdChange,
  type OpenIdSettings,
  PKCE,
} from './openid/openid-settings.ts'
export { paymentMethodStore } from './payment-method-store.ts'
export {
  EXPERIMENTAL_GATEWAYS,
  GATEWAYS,
  type Gateway,
  gatewaysWith,
  METHODS,
  type PaymentMethod,
  parsePaymentMethod,
} from './payment-methods.ts'
export { isScope, type OpenIdClient, type Product, type ProductSettings, productVersion, SCOPES, type Scope } from './product.ts'
export { isOnDomain, type RedirectTarget, signOutTarget } from './redirect-target.ts'
export { parseRedirectUri, type RedirectUriRefusal } from './redirect-uri.ts'
export { redirectUriStore } from './redirect-uri-store.ts'
export { SECRET_PLACEHOLDER, type Snippet } from './snippets/snippet.ts'
export { SNIPPET_DOORS, SNIPPET_KINDS, type SnippetKind } from './snippets/snippet-kinds.ts'
export { snippetKindsOf, writeSnippet } from './snippets/write-snippet.ts'
export { productStore } from './store.ts'
