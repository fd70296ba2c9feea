import type { z } from 'zod'
import { type Product, productStore, productVersion } from '../../products/index.ts'
import type { AdminAnswer, AdminCall } from '../api/admin-route.ts'
import { type Caller, mayAlso } from '../api/caller.ts'
import type { AdminDeps } from '../api/deps.ts'
import { onePage, readPage, writePage } from '../api/list.ts'
import { adminRoute, type Operations } from '../api/operations.ts'
import { holds, pageOfShort } from '../api/short-list.ts'
import { checkRedirectUri } from './check-uri.ts'
import { listGatewayStatesOf } from './gateway-state.ts'
import { productDetailsExample, productExample } from './product-examples.ts'
import { productJson, readProductDetails } from './product-json.ts'
import { productPageJson } from './product-page-json.ts'
import { productDetailsSchema, productListQuery, productSchema } from './schemas/product-schemas.ts'
import { checkedUriSchema, checkUriBody } from './schemas/uri-schemas.ts'

/** Products: listed and shown, and addresses checked before they are registered. */
export function productRoutes(operations: Operations, deps: AdminDeps): void {
  adminRoute(operations, {
    method: 'GET',
    path: '/products',
    operationId: 'listProducts',
    summary: 'List products',
    may: 'products:read',
    query: productListQuery,
    answer: onePage(productSchema, productExample),
    refuses: ['bad_cursor'],
    work: ({ query }) => list(query, deps),
  })
  adminRoute(operations, {
    method: 'GET',
    path: '/products/:id',
    operationId: 'showProduct',
    summary: 'Show a product',
    description: 'Webhook keys and addresses for owners; others see hints.',
    may: 'products:read',
    answer: productAnswer,
    refuses: ['not_found'],
    work: (call) => withProduct(call, deps, (product) => showProduct(product, call.caller, deps)),
  })
  adminRoute(operations, {
    method: 'POST',
    path: '/products/check-redirect-uri',
    operationId: 'checkRedirectUri',
    summary: 'Say whether an address could be registered, and why not',
    description: 'Registers nothing.',
    may: 'products:read',
    body: checkUriBody,
    answer: {
      description: 'What would come of it',
      schema: checkedUriSchema,
      example: {
        ok: false,
        refusal: 'not_normal',
        says: 'it is not in normal form; use https://loja.example.com/',
        use: 'https://loja.example.com/',
        on_domain: null,
        registered_for: null,
      },
    },
    work: async ({ body }) => ({ body: await checkRedirectUri(body.uri, { productId: body.product_id, kind: body.openid_kind }, deps) }),
  })
}

async function list(query: z.output<typeof productListQuery>, { storage, cursors }: AdminDeps): Promise<AdminAnswer> {
  const asked = readPage('products', query, cursors)
  if ('refusal' in asked) return asked
  const { q, audience, checkout } = query
  const all = (await productStore(storage.db).listAll()).filter(
    (one) =>
      (audience === undefined || one.audience === audience) &&
      (checkout === undefined || one.checkout === checkout) &&
      (q === undefined || holds([one.slug, one.name], q)),
  )
  const sort = query.sort.sort
  const placeOf = (one: Product) => ({ id: one.id, value: sort === 'created_at' ? one.createdAt : one[sort] })
  return { body: writePage('products', pageOfShort(all, asked.page, placeOf), query, { cursors, placeOf, json: productJson }) }
}

export const productAnswer = { description: 'The product', schema: productDetailsSchema, example: productDetailsExample }

/** A product as far as the caller may see it. */
export async function showProduct(product: Product, caller: Caller, deps: AdminDeps): Promise<AdminAnswer> {
  const details = await readProductDetails(product, deps)
  const states = (await listGatewayStatesOf(product, deps.storage)).filter(
    ({ gateway, credentials, health }) => deps.gateways.includes(gateway) || credentials !== undefined || health !== undefined,
  )
  const keys = mayAlso(caller, 'product-keys:write') ? 'whole' : 'hints'
  return { body: productPageJson(details, states, { keys, baseUrl: deps.baseUrl }), version: productVersion(details) }
}

export async function withProduct(
  { id }: Pick<AdminCall<unknown, unknown>, 'id'>,
  { products }: AdminDeps,
  work: (product: Product) => Promise<AdminAnswer>,
): Promise<AdminAnswer> {
  const product = await products.findById(id)
  return product ? work(product) : { refusal: 'not_found' }
}
