import type { House } from '../app.ts'
import { isoTime } from '../kit/index.ts'
import {
  type ApiKeyInfo,
  type GatewayCredentialsInfo,
  type GraceDays,
  gatewayCredentialsStore,
  isOnDomain,
  listGraceDays,
  METHODS,
  type PaymentMethod,
  type Product,
  productStore,
  type WebhookKeyInfo,
} from '../products/index.ts'
import { GRACE_DAYS } from '../subscriptions/index.ts'
import { fields, table } from './output.ts'

export interface ProductDetails {
  product: Product
  redirectUris: Array<{ uri: string; trusted: boolean }>
  apiKeys: ApiKeyInfo[]
  webhookKeys: WebhookKeyInfo[]
  paymentMethods: PaymentMethod[]
  gatewayCredentials: GatewayCredentialsInfo[]
  /** The usual days where the product has none of its own. */
  graceDays: Required<GraceDays>
}

/** A product with its addresses and keys. */
export async function readDetails(product: Product, { storage, sealer }: House): Promise<ProductDetails> {
  const products = productStore(storage.db)
  return {
    product,
    redirectUris: await products.listRedirectUris(product.id),
    apiKeys: await products.listApiKeys(product.id),
    webhookKeys: await products.listWebhookKeys(product.id, sealer),
    paymentMethods: await products.listPaymentMethods(product.id),
    gatewayCredentials: await gatewayCredentialsStore(storage.db).list(product.id),
    graceDays: { ...GRACE_DAYS, ...(await listGraceDays(storage.db, product.id)) },
  }
}

export function productJson(product: Product) {
  return {
    id: product.id,
    slug: product.slug,
    name: product.name,
    audience: product.audience,
    checkout: product.checkout,
    handoff: product.handoff,
    scopes: product.scopes,
    query_key_allowed: product.queryKeyAllowed,
    publishable_key: product.publishableKey,
    created_at: isoTime(product.createdAt),
  }
}

export function detailsJson(details: ProductDetails) {
  const { product, redirectUris, apiKeys, webhookKeys, paymentMethods, gatewayCredentials, graceDays } = details
  return {
    ...productJson(product),
    webhook_key: webhookKeys.find(({ revokedAt }) => revokedAt === undefined)?.key ?? null,
    redirect_uris: redirectUris,
    api_keys: apiKeys.map(({ id, hint, createdAt, revokedAt }) => ({
      id,
      hint,
      created_at: isoTime(createdAt),
      revoked_at: isoTime(revokedAt),
    })),
    webhook_keys: webhookKeys.map(({ id, key, createdAt, revokedAt }) => ({
      id,
      key,
      created_at: isoTime(createdAt),
      revoked_at: isoTime(revokedAt),
    })),
    payment_methods: paymentMethods,
    gateway_credentials: gatewayCredentials.map(({ gateway, isTest, apiUrl, createdAt, updatedAt }) => ({
      gateway,
      is_test: isTest,
      api_url: apiUrl ?? null,
      created_at: isoTime(createdAt),
      updated_at: isoTime(updatedAt),
    })),
    grace_days: graceDays,
  }
}

export function productTable(products: readonly Product[]): string {
  if (products.length === 0) return 'No products. Register one: portaria product create --help'
  return table(
    ['slug', 'name', 'audience', 'checkout', 'id'],
    products.map(({ slug, name, audience, checkout, id }) => [slug, name, audience, checkout, id]),
  )
}

export function productFields(details: ProductDetails): string {
  const { product, redirectUris, apiKeys, webhookKeys, paymentMethods, gatewayCredentials, graceDays } = details
  const live = webhookKeys.filter(({ revokedAt }) => revokedAt === undefined)
  const keyLabel = product.checkout === 'external' ? 'webhook address' : 'webhook key'
  return fields([
    ['id', product.id],
    ['slug', product.slug],
    ['name', product.name],
    ['audience', product.audience],
    ['checkout', product.checkout],
    ['handoff', product.handoff],
    ['scopes', product.scopes.join(' ')],
    ['API key in query', product.queryKeyAllowed ? 'allowed for check-access' : 'refused'],
    [
      'redirect URIs',
      redirectUris.length === 0 ? 'none yet' : redirectUris.map(({ uri, trusted }) => (trusted ? `${uri} (trusted)` : uri)),
    ],
    ['publishable key', product.publishableKey],
    ['API keys', apiKeys.length === 0 ? 'none' : apiKeys.map(apiKeyLine)],
    [keyLabel, live.map(({ key }) => (product.checkout === 'external' ? `/api/webhooks/<gateway>/${key}` : key))],
    ['payment methods', product.checkout === 'integrated' ? matrixLine(paymentMethods) : undefined],
    [
      'gateways',
      gatewayCredentials.length === 0
        ? 'none yet'
        : gatewayCredentials.map(({ gateway, isTest }) => (isTest ? `${gateway} (test)` : gateway)),
    ],
    ['days of grace', METHODS.map((method) => `${method}=${graceDays[method]}`).join(' ')],
    ['created at', isoTime(product.createdAt) ?? undefined],
  ])
}

/** Warns of addresses that will get no token, which is right but rarely meant. */
export function uriHint({ product, redirectUris }: ProductDetails, { config }: House): string | undefined {
  if (redirectUris.length === 0)
    return `No redirect URI yet: nobody can sign in to it. Add one:  portaria product set ${product.slug} --add-uri https://…`
  if (product.audience === 'external') return undefined
  const without = redirectUris.filter(({ uri, trusted }) => !trusted && !isOnDomain(uri, config))
  if (without.length === 0) return undefined
  const lines = without.map(({ uri }) => `  ${uri}`).join('\n')
  return `Not on the internal domain (${config.cookieDomain ?? new URL(config.baseUrl).hostname}), so no token is sent there unless it is registered as trusted:\n${lines}`
}

export function matrixLine(methods: readonly PaymentMethod[]): string {
  return methods.length === 0 ? 'none yet' : methods.map(({ method, gateway }) => `${method}=${gateway}`).join(' ')
}

function apiKeyLine({ id, hint, createdAt, revokedAt }: ApiKeyInfo): string {
  return `${id}  ${hint}  made ${isoTime(createdAt)}${revokedAt === undefined ? '' : `, revoked ${isoTime(revokedAt)}`}`
}
