import { z } from 'zod'
import { type Gateway, METHODS, type NewProduct, type ProductChange, refuseNewProduct, SCOPES } from '../../products/index.ts'
import { type ProfileRequirements, REQUIREMENTS, USUAL_REQUIREMENTS } from '../../users/index.ts'
import type { AdminAnswer, AdminCall } from '../api/admin-route.ts'
import type { AdminDeps } from '../api/deps.ts'
import { adminRoute, type Operations } from '../api/operations.ts'
import type { Refused } from '../api/refusals.ts'
import { createWithRule, editProduct } from './edit-product.ts'
import { productDetailsExample } from './product-examples.ts'
import { openIdChangeOf, readProductDetails } from './product-json.ts'
import { productPageJson } from './product-page-json.ts'
import { refuseEdit, refuseProduct } from './product-refusals.ts'
import { productAnswer, showProduct, withProduct } from './product-routes.ts'
import { changeProductBody, createProductBody } from './schemas/product-bodies.ts'
import { productDetailsSchema } from './schemas/product-schemas.ts'

/** Products: registered and changed. Redirect URIs decide where users' tokens go, so both need a recent authentication. */
export function productEditRoutes(operations: Operations, deps: AdminDeps): void {
  adminRoute(operations, {
    method: 'POST',
    path: '/products',
    operationId: 'createProduct',
    summary: 'Register a product and make its keys',
    description: 'The API key is in this answer and never again.',
    may: 'products:write',
    authentication: 'recent',
    body: createProductBody,
    check: refuseBody,
    answer: {
      status: 201,
      description: 'The product, with its API key',
      schema: productDetailsSchema.extend({ api_key: z.string() }),
      example: { ...productDetailsExample, api_key: 'sk_…' },
    },
    work: (call) => create(call, deps),
  })
  adminRoute(operations, {
    method: 'PATCH',
    path: '/products/:id',
    operationId: 'changeProduct',
    summary: 'Change a product',
    may: 'products:write',
    authentication: 'recent',
    body: changeProductBody,
    check: ({ payment_methods: paymentMethods = [] }) => refuseOff(paymentMethods, deps.gateways),
    version: 'required',
    answer: productAnswer,
    refuses: ['not_found'],
    work: (call) => withProduct(call, deps, () => change(call, deps)),
  })
}

async function create({ body, actor }: AdminCall<unknown, z.output<typeof createProductBody>>, deps: AdminDeps): Promise<AdminAnswer> {
  const input = productOf(body)
  const forwardAuth = body.forward_auth ?? undefined
  const made = await createWithRule(input, forwardAuth, { ...deps, actor })
  if ('refusal' in made) return refuseEdit(made, { uris: input.redirectUris, forwardAuth })
  const page = productPageJson(await readProductDetails(made.product, deps), [], { keys: 'whole', baseUrl: deps.baseUrl })
  return { body: { ...page, api_key: made.apiKey } }
}

async function change(call: AdminCall<unknown, z.output<typeof changeProductBody>>, deps: AdminDeps): Promise<AdminAnswer> {
  const { redirect_uris: uris, grace_days: grace } = call.body
  const graceDays = METHODS.flatMap((method) => (grace?.[method] === undefined ? [] : [{ method, days: grace[method] }]))
  const redirectUris = urisOf(uris)
  const { forward_auth: forwardAuth } = call.body
  const rule = forwardAuth === undefined ? {} : { forwardAuth: forwardAuth ?? ('off' as const) }
  const edit = { change: changeOf(call.body), graceDays, ...(uris && { redirectUris }), ...rule }
  const changed = await editProduct(call.id, edit, { ...deps, actor: call.actor, seen: call.seen })
  if (!('refusal' in changed)) return showProduct(changed, call.caller, deps)
  return refuseEdit(changed, { uris: redirectUris, forwardAuth: forwardAuth ?? undefined })
}

function refuseBody(body: z.output<typeof createProductBody>): Refused | undefined {
  const input = productOf(body)
  const refused = refuseNewProduct(input)
  return refused && refuseProduct(refused, input.redirectUris)
}

function productOf(body: z.output<typeof createProductBody>): NewProduct {
  const { slug, name, audience, checkout, scopes = SCOPES, query_key_allowed: queryKeyAllowed = true } = body
  const handoff = body.handoff ?? (audience === 'external' ? 'eg_token' : 'eg_session')
  return {
    slug,
    name,
    audience,
    checkout,
    handoff,
    scopes: [...new Set(scopes)],
    queryKeyAllowed,
    requirements: { ...USUAL_REQUIREMENTS, ...requirementsOf(body) },
    redirectUris: urisOf(body.redirect_uris),
    ...(body.openid && { openid: openIdChangeOf(body.openid) }),
  }
}

function changeOf(body: z.output<typeof changeProductBody>): ProductChange {
  const { name, checkout, handoff, scopes, query_key_allowed: queryKeyAllowed, payment_methods: paymentMethods } = body
  return {
    ...(name !== undefined && { name }),
    ...(checkout !== undefined && { checkout }),
    ...(handoff !== undefined && { handoff }),
    ...(scopes !== undefined && { scopes: [...new Set(scopes)] }),
    ...(queryKeyAllowed !== undefined && { queryKeyAllowed }),
    ...(paymentMethods && { paymentMethods }),
    ...(body.openid !== undefined && { openid: openIdChangeOf(body.openid) }),
    ...(body.backchannel_logout_uri !== undefined && { backchannelLogoutUri: body.backchannel_logout_uri ?? 'none' }),
    ...((body.requires || body.foreigners) && { requirements: requirementsOf(body) }),
  }
}

function requirementsOf({ requires, foreigners }: z.output<typeof changeProductBody>): Partial<ProfileRequirements> {
  return { ...(requires && { requires: REQUIREMENTS.filter((one) => requires.includes(one)) }), ...(foreigners && { foreigners }) }
}

function urisOf(uris: z.output<typeof createProductBody>['redirect_uris'] = []): Array<{ uri: string; trusted: boolean }> {
  return uris.map(({ uri, trusted = false }) => ({ uri, trusted }))
}

/** A gateway whose experiment is off takes no payments. */
function refuseOff(entries: ReadonlyArray<{ gateway: Gateway }>, gateways: readonly Gateway[]): Refused | undefined {
  const at = entries.findIndex(({ gateway }) => !gateways.includes(gateway))
  return at < 0 ? undefined : { refusal: 'malformed', fields: { [`payment_methods.${at}.gateway`]: 'gateway_off' } }
}
