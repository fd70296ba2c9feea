import type { z } from 'zod'
import {
  changePlan,
  createPlan,
  OPERATOR_SCOPE,
  type Plan,
  type PlanRefusal,
  planStore,
  planVersion,
  refusePlan,
} from '../../subscriptions/index.ts'
import type { AdminAnswer, AdminCall } from '../api/admin-route.ts'
import type { AdminDeps } from '../api/deps.ts'
import { onePage, readPage, writePage } from '../api/list.ts'
import { adminRoute, type Operations } from '../api/operations.ts'
import type { Refused } from '../api/refusals.ts'
import { holds, pageOfShort } from '../api/short-list.ts'
import { planJson, planSlugs } from './plan-json.ts'
import { changePlanBody, createPlanBody, planExample, planListQuery, planSchema } from './plan-schemas.ts'

const answer = { description: 'The plan', schema: planSchema, example: planExample }

/** The plans of the operator and of products. They decide what a payment buys, so changes need a recent authentication. */
export function planRoutes(operations: Operations, deps: AdminDeps): void {
  adminRoute(operations, {
    method: 'GET',
    path: '/plans',
    operationId: 'listPlans',
    summary: 'List plans',
    may: 'plans:read',
    query: planListQuery,
    answer: onePage(planSchema, planExample),
    refuses: ['bad_cursor'],
    work: ({ query }) => list(query, deps),
  })
  adminRoute(operations, {
    method: 'GET',
    path: '/plans/:id',
    operationId: 'showPlan',
    summary: 'Show a plan',
    may: 'plans:read',
    answer,
    refuses: ['not_found'],
    work: async ({ id }) => show(await planStore(deps.storage.db).findById(id), deps),
  })
  adminRoute(operations, {
    method: 'POST',
    path: '/plans',
    operationId: 'createPlan',
    summary: 'Make a plan',
    may: 'plans:write',
    authentication: 'recent',
    body: createPlanBody,
    check: (body) => refuseBody(body, deps),
    answer: { ...answer, status: 201 },
    work: (call) => create(call, deps),
  })
  adminRoute(operations, {
    method: 'PATCH',
    path: '/plans/:id',
    operationId: 'changePlan',
    summary: 'Change a plan; its slug stays',
    may: 'plans:write',
    authentication: 'recent',
    body: changePlanBody,
    check: (body) => refuseBody(body, deps),
    version: 'required',
    answer,
    refuses: ['not_found'],
    work: (call) => change(call, deps),
  })
}

async function list(query: z.output<typeof planListQuery>, { storage, cursors }: AdminDeps): Promise<AdminAnswer> {
  const asked = readPage('plans', query, cursors)
  if ('refusal' in asked) return asked
  const { q, product, operator } = query
  const plans = await planStore(storage.db).list()
  const slugs = await planSlugs(plans, storage.db)
  const wanted = plans.filter(
    ({ slug, name, scope }) =>
      (q === undefined || holds([slug, name], q)) &&
      (product === undefined || slugs.get(scope) === product) &&
      (operator === undefined || (scope === OPERATOR_SCOPE) === operator),
  )
  const placeOf = (plan: Plan) => ({ id: plan.id, value: plan[query.sort.sort] })
  const json = (plan: Plan) => planJson(plan, slugs.get(plan.scope))
  return { body: writePage('plans', pageOfShort(wanted, asked.page, placeOf), query, { cursors, placeOf, json }) }
}

async function show(plan: Plan | undefined, { storage }: AdminDeps): Promise<AdminAnswer> {
  if (!plan) return { refusal: 'not_found' }
  const slugs = await planSlugs([plan], storage.db)
  return { body: planJson(plan, slugs.get(plan.scope)), version: planVersion(plan) }
}

async function create({ body, actor }: AdminCall<unknown, z.output<typeof createPlanBody>>, deps: AdminDeps): Promise<AdminAnswer> {
  const { slug, name, price, below_price: belowPrice, product, gateway_refs: gatewayRefs = [] } = body
  const wanted = { slug, name, price, ...(belowPrice && { belowPrice }), gatewayRefs, productSlug: product ?? undefined }
  const made = await createPlan(wanted, { ...deps, actor })
  return 'refusal' in made ? planRefusals[made.refusal] : show(made, deps)
}

async function change(call: AdminCall<unknown, z.output<typeof changePlanBody>>, deps: AdminDeps): Promise<AdminAnswer> {
  const { name, price, below_price: belowPrice, gateway_refs: gatewayRefs } = call.body
  const wanted = {
    ...(name !== undefined && { name }),
    ...(price !== undefined && { price }),
    ...(belowPrice && { belowPrice }),
    ...(gatewayRefs && { gatewayRefs }),
  }
  const changed = await changePlan(call.id, wanted, { ...deps, actor: call.actor, seen: call.seen })
  return 'refusal' in changed ? planRefusals[changed.refusal] : show(changed, deps)
}

/** A refusal that needs no query. An experiment that is off sells nothing. */
function refuseBody(
  body: z.output<typeof changePlanBody> & { slug?: string },
  { gateways }: Pick<AdminDeps, 'gateways'>,
): Refused | undefined {
  const refused = refusePlan(body)
  if (refused) return planRefusals[refused.refusal]
  const at = body.gateway_refs?.findIndex(({ gateway }) => !gateways.includes(gateway)) ?? -1
  return at < 0 ? undefined : { refusal: 'malformed', fields: { [`gateway_refs.${at}.gateway`]: 'gateway_off' } }
}

const planRefusals = {
  slug_malformed: { refusal: 'malformed', fields: { slug: 'slug_malformed' } },
  slug_taken: { refusal: 'malformed', fields: { slug: 'slug_taken' } },
  name_malformed: { refusal: 'malformed', fields: { name: 'name_malformed' } },
  price_malformed: { refusal: 'malformed', fields: { price: 'price_malformed' } },
  no_such_product: { refusal: 'malformed', fields: { product: 'no_such_product' } },
  not_found: { refusal: 'not_found' },
  changed_meanwhile: { refusal: 'changed_meanwhile' },
} as const satisfies Record<PlanRefusal['refusal'], Refused>
