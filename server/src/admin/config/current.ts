import { type Endpoint, endpointStore } from '../../app-events/index.ts'
import { APPEARANCE_FIELDS, type Appearance, appearanceStore, FIELD_NAMES, type ImageInfo } from '../../appearance/index.ts'
import { type IdentityProvider, providerStore } from '../../identity-providers/index.ts'
import { type Product, productStore } from '../../products/index.ts'
import { readZone } from '../../reports/index.ts'
import type { Queryable } from '../../storage/index.ts'
import { OPERATOR_SCOPE, type Plan, planStore } from '../../subscriptions/index.ts'
import { productJson, readProductSettings } from '../products/product-json.ts'
import { nameEndpoints } from './endpoint-names.ts'
import { imageFile, isImageField } from './form/appearance.ts'
import { canonical } from './form/canonical.ts'
import {
  type AppearanceConfiguration,
  type Configuration,
  type EndpointConfiguration,
  FORM,
  type PlanConfiguration,
  type ProductConfiguration,
  type ProviderConfiguration,
} from './form/configuration.ts'
import { listObjects, type Managed } from './managed-objects.ts'
import { markStore } from './mark-store.ts'

/** All settings as they are, in the canonical form, and what each object in them is. */
export interface Current {
  configuration: Configuration
  /** By path: `products.academy.plans.club`. */
  objects: ReadonlyMap<string, Managed>
  /** The stored images by their hashes. */
  images: ReadonlyMap<string, ImageInfo>
}

/** `declared`: where an endpoint has no name yet, the file's name for its address. */
export async function readCurrent(db: Queryable, declared?: Configuration): Promise<Current> {
  const marks = await markStore(db).list()
  const products = (await productStore(db).listAll()).toSorted((one, other) => (one.slug < other.slug ? -1 : 1))
  const plans = await planStore(db).list()
  const providers = await providerStore(db).list()
  const endpoints = nameEndpoints(await endpointStore(db).list(), { products, marks, declared })
  const { images, lookOf } = await readLooks(db)
  const plansOf = (scope: string) =>
    Object.fromEntries(plans.filter((plan) => plan.scope === scope).map((plan) => [plan.slug, ofPlan(plan)]))
  const endpointsOf = (productId: string | undefined) =>
    Object.fromEntries(
      endpoints.filter(({ endpoint }) => endpoint.productId === productId).map(({ name, endpoint }) => [name, ofEndpoint(endpoint)]),
    )
  const ofProducts: Record<string, ProductConfiguration> = {}
  for (const product of products) {
    const own = { plans: plansOf(product.id), endpoints: endpointsOf(product.id), appearance: lookOf(product.id) }
    ofProducts[product.slug] = { ...(await ofProduct(product, db)), ...own }
  }
  const configuration = canonical({
    portaria: FORM,
    appearance: lookOf(undefined),
    reports: { time_zone: await readZone(db) },
    products: ofProducts,
    plans: plansOf(OPERATOR_SCOPE),
    identity_providers: Object.fromEntries(providers.map((provider) => [provider.id, ofProvider(provider)])),
    endpoints: endpointsOf(undefined),
  })
  return { configuration, objects: listObjects({ products, plans, providers, endpoints }, marks), images }
}

async function ofProduct(product: Product, db: Queryable): Promise<ProductConfiguration> {
  const { redirectUris, paymentMethods, graceDays, forwardAuth } = await readProductSettings(product, db)
  const json = productJson(product)
  return {
    name: json.name,
    audience: json.audience,
    checkout: json.checkout,
    handoff: json.handoff,
    scopes: [...json.scopes],
    requires: [...json.requires],
    foreigners: json.foreigners,
    query_key_allowed: json.query_key_allowed,
    redirect_uris: redirectUris.map(({ uri, trusted }) => ({ uri, trusted })),
    backchannel_logout_uri: json.backchannel_logout_uri,
    openid: product.openid ? ofOpenId(product.openid) : null,
    payment_methods: Object.fromEntries(paymentMethods.map(({ method, gateway }) => [method, gateway])),
    grace_days: graceDays,
    forward_auth: forwardAuth ? { access: forwardAuth.access, plans: [...forwardAuth.plans], hosts: [...forwardAuth.hosts] } : null,
  }
}

/** Without experiments. */
function ofOpenId(openid: NonNullable<Product['openid']>): NonNullable<ProductConfiguration['openid']> {
  const { kind, pkce, idTokenAlg, postLogoutUris, resources } = openid
  return { kind, pkce, id_token_alg: idTokenAlg, post_logout_uris: [...postLogoutUris], resources: [...resources] }
}

async function readLooks(db: Queryable): Promise<Pick<Current, 'images'> & { lookOf(productId?: string): AppearanceConfiguration }> {
  const { operator, products } = await appearanceStore(db).read('all')
  const images = new Map((await appearanceStore(db).listImages()).map((image) => [image.hash, image]))
  const lookOf = (productId?: string) => ofAppearance(productId === undefined ? operator : (products.get(productId) ?? {}), images)
  return { images, lookOf }
}

/** Every field, so that a file can empty it. */
function ofAppearance(appearance: Appearance, images: Current['images']): AppearanceConfiguration {
  const placeOf = (hash: string) => {
    const image = images.get(hash)
    return image ? { file: imageFile(image) } : null
  }
  return Object.fromEntries(
    APPEARANCE_FIELDS.map((field) => {
      const value = appearance[field]
      return [FIELD_NAMES[field], value === undefined ? null : isImageField(field) ? placeOf(value) : value]
    }),
  )
}

function ofPlan({ name, price, belowPrice, gatewayRefs }: Plan): PlanConfiguration {
  const groups = Object.groupBy(gatewayRefs, ({ gateway }) => gateway)
  const refs = Object.fromEntries(Object.entries(groups).map(([gateway, group = []]) => [gateway, group.map(({ ref }) => ref)]))
  return { name, price, below_price: belowPrice, gateway_refs: refs }
}

function ofProvider({ id, name, kind, issuer, clientId, authoritativeFor, accessTokenAudience }: IdentityProvider): ProviderConfiguration {
  return {
    name,
    ...(kind !== 'openid' && { kind }),
    issuer,
    client_id: clientId,
    client_secret: { env: `IDP_${id.toUpperCase().replaceAll('-', '_')}_CLIENT_SECRET` },
    authoritative_for: [...authoritativeFor],
    access_token_audience: accessTokenAudience ?? null,
  }
}

function ofEndpoint({ url, types, description }: Endpoint): EndpointConfiguration {
  return { url, types: [...types], description }
}
