import { isoTime, type Sealer } from '../../kit/index.ts'
import {
  type ApiKeyInfo,
  apiKeyStore,
  forwardAuthStore,
  type GatewayCredentialsInfo,
  type GraceDays,
  gatewayCredentialsStore,
  listGraceDays,
  type OpenIdChange,
  type OpenIdSettings,
  type Product,
  type ProductSettings,
  paymentMethodStore,
  redirectUriStore,
  type WebhookKeyInfo,
  webhookKeyStore,
} from '../../products/index.ts'
import type { Queryable, Storage } from '../../storage/index.ts'
import { GRACE_DAYS } from '../../subscriptions/index.ts'

export interface ProductDetails extends ProductSettings {
  apiKeys: ApiKeyInfo[]
  webhookKeys: WebhookKeyInfo[]
  gatewayCredentials: GatewayCredentialsInfo[]
  /** The default days where the product sets none. */
  graceDays: Required<GraceDays>
}

/** A product with its addresses, keys and other parts. */
export async function readProductDetails(
  product: Product,
  { storage, sealer }: { storage: Storage; sealer: Sealer },
): Promise<ProductDetails> {
  return {
    ...(await readProductSettings(product, storage.db)),
    apiKeys: await apiKeyStore(storage.db).listApiKeys(product.id),
    webhookKeys: await webhookKeyStore(storage.db).listWebhookKeys(product.id, sealer),
    gatewayCredentials: await gatewayCredentialsStore(storage.db).list(product.id),
  }
}

/** All that is changed together with a product; its version covers these. */
export async function readProductSettings(product: Product, db: Queryable): Promise<ProductSettings & Pick<ProductDetails, 'graceDays'>> {
  return {
    product,
    redirectUris: await redirectUriStore(db).listRedirectUris(product.id),
    paymentMethods: await paymentMethodStore(db).listPaymentMethods(product.id),
    graceDays: { ...GRACE_DAYS, ...(await listGraceDays(db, product.id)) },
    forwardAuth: await forwardAuthStore(db).find(product.id),
  }
}

/** A product as lists show it, on the command line and in the admin API alike. */
export function productJson(product: Product) {
  return {
    id: product.id,
    slug: product.slug,
    name: product.name,
    audience: product.audience,
    checkout: product.checkout,
    handoff: product.handoff,
    scopes: product.scopes,
    requires: product.requirements.requires,
    foreigners: product.requirements.foreigners,
    query_key_allowed: product.queryKeyAllowed,
    openid: openIdJson(product),
    backchannel_logout_uri: product.backchannelLogoutUri ?? null,
    publishable_key: product.publishableKey,
    created_at: isoTime(product.createdAt),
  }
}

function openIdJson({ openid }: Product) {
  if (!openid) return null
  const { kind, pkce, idTokenAlg, postLogoutUris, resources } = openid
  return { kind, pkce, id_token_alg: idTokenAlg, post_logout_uris: postLogoutUris, resources }
}

/** How a product speaks OpenID Connect, as the wire and files of settings have it. */
interface OpenIdInput {
  kind?: OpenIdSettings['kind'] | undefined
  pkce?: OpenIdSettings['pkce'] | undefined
  id_token_alg?: OpenIdSettings['idTokenAlg'] | undefined
  post_logout_uris?: readonly string[] | undefined
  resources?: readonly string[] | undefined
}

/** The change that it asks for: an absent part stays as it is, and `null` ends all of it. */
export function openIdChangeOf(openid: OpenIdInput | null | undefined): OpenIdChange {
  if (!openid) return 'off'
  const { kind, pkce, id_token_alg: idTokenAlg, post_logout_uris: postLogoutUris, resources } = openid
  return {
    ...(kind && { kind }),
    ...(pkce && { pkce }),
    ...(idTokenAlg && { idTokenAlg }),
    ...(postLogoutUris && { postLogoutUris }),
    ...(resources && { resources }),
  }
}

export function productDetailsJson(details: ProductDetails) {
  const { product, redirectUris, apiKeys, webhookKeys, paymentMethods, gatewayCredentials, graceDays, forwardAuth } = details
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
    forward_auth: forwardAuth ?? null,
  }
}
