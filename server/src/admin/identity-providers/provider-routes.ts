import type { FastifyInstance } from 'fastify'
import { z } from 'zod'
import {
  addProvider,
  changeProvider,
  type IdentityProvider,
  PROVIDER_PRESETS,
  providerStore,
  providerVersion,
  removeProvider,
} from '../../identity-providers/index.ts'
import type { AdminAnswer, AdminCall } from '../api/admin-route.ts'
import { adminRoute, nothing } from '../api/admin-routes.ts'
import type { AdminDeps } from '../api/deps.ts'
import { pageSchema, readPage, writePage } from '../api/list.ts'
import { pageOfShort } from '../api/short-list.ts'
import { actionBody } from '../users/user-schemas.ts'
import { callbackUrlOf } from './examine-provider.ts'
import { newProviderOf, providerRefusals, withProvider } from './provider-call.ts'
import { providerJson } from './provider-json.ts'
import {
  changeProviderBody,
  createProviderBody,
  presetsExample,
  presetsSchema,
  providerExample,
  providerListQuery,
  providerSchema,
} from './provider-schemas.ts'
import { providerTestRoutes } from './provider-test-routes.ts'

const answer = { description: 'The provider, without its secret', schema: providerSchema, example: providerExample }

/** Identity providers: listed and shown. */
export function providerRoutes(scope: FastifyInstance, deps: AdminDeps): void {
  adminRoute(scope, deps, {
    method: 'GET',
    path: '/identity-providers',
    operationId: 'listIdentityProviders',
    summary: 'List identity providers',
    may: 'identity-providers:read',
    query: providerListQuery,
    body: nothing,
    answer: { description: 'One page', schema: pageSchema(providerSchema), example: { data: [providerExample], next_cursor: null } },
    refuses: ['bad_cursor'],
    work: ({ query }) => list(query, deps),
  })
  adminRoute(scope, deps, {
    method: 'GET',
    path: '/identity-providers/:id',
    operationId: 'showIdentityProvider',
    summary: 'Show an identity provider',
    may: 'identity-providers:read',
    query: nothing,
    body: nothing,
    answer,
    refuses: ['not_found'],
    work: (call) => withProvider(call, deps, async (provider) => show(provider, deps)),
  })
  adminRoute(scope, deps, {
    method: 'GET',
    path: '/identity-provider-presets',
    operationId: 'listIdentityProviderPresets',
    summary: 'List what is the same at everybody who connects a known provider',
    may: 'identity-providers:read',
    query: nothing,
    body: nothing,
    answer: {
      description: 'The presets, and the address to register before anything is saved',
      schema: presetsSchema,
      example: presetsExample,
    },
    work: async () => ({ body: { redirect_uri: callbackUrlOf(deps), presets: PRESETS } }),
  })
  providerTestRoutes(scope, deps)
  providerChangeRoutes(scope, deps)
}

const PRESETS = Object.entries(PROVIDER_PRESETS).map(([id, { name, kind, issuer, authoritativeFor }]) => ({
  id,
  name,
  kind,
  issuer,
  authoritative_for: authoritativeFor,
}))

/** Identity providers: connected, changed and removed. A provider can open accounts, so each needs a recent authentication. */
function providerChangeRoutes(scope: FastifyInstance, deps: AdminDeps): void {
  const common = { may: 'identity-providers:write', authentication: 'recent', query: nothing } as const
  adminRoute(scope, deps, {
    ...common,
    method: 'POST',
    path: '/identity-providers',
    operationId: 'addIdentityProvider',
    summary: 'Connect an identity provider',
    body: createProviderBody,
    answer: { ...answer, status: 201 },
    work: (call) => create(call, deps),
  })
  adminRoute(scope, deps, {
    ...common,
    method: 'PATCH',
    path: '/identity-providers/:id',
    operationId: 'changeIdentityProvider',
    summary: 'Change an identity provider; issuer and client stay',
    body: changeProviderBody,
    version: 'required',
    answer,
    refuses: ['not_found'],
    work: (call) => withProvider(call, deps, () => change(call, deps)),
  })
  adminRoute(scope, deps, {
    ...common,
    method: 'DELETE',
    path: '/identity-providers/:id',
    operationId: 'removeIdentityProvider',
    summary: 'Disconnect an identity provider; accounts stay',
    body: actionBody,
    answer: {
      description: 'It is disconnected',
      schema: z.object({ id: z.string(), deleted: z.literal(true) }),
      example: { id: 'google', deleted: true },
    },
    refuses: ['not_found'],
    work: (call) =>
      withProvider(call, deps, async ({ id }) => {
        const done = await removeProvider(id, { ...deps, actor: call.actor })
        return done === 'not_found' ? { refusal: 'not_found' } : { body: { id, deleted: true } }
      }),
  })
}

async function list(query: z.output<typeof providerListQuery>, deps: AdminDeps): Promise<AdminAnswer> {
  const { storage, cursors } = deps
  const asked = readPage('identity-providers', query, cursors)
  if ('refusal' in asked) return asked
  const placeOf = (one: IdentityProvider) => ({ id: one.id, value: query.sort.sort === 'name' ? one.name : one.createdAt })
  const found = pageOfShort(await providerStore(storage.db).list(), asked.page, placeOf)
  return { body: writePage('identity-providers', found, query, { cursors, placeOf, json: (one) => show(one, deps).body }) }
}

function show(provider: IdentityProvider, deps: AdminDeps) {
  return { body: { ...providerJson(provider), redirect_uri: callbackUrlOf(deps) }, version: providerVersion(provider) }
}

async function create({ body, actor }: AdminCall<unknown, z.output<typeof createProviderBody>>, deps: AdminDeps): Promise<AdminAnswer> {
  const made = await addProvider(newProviderOf(body), { ...deps, actor })
  return 'refusal' in made ? providerRefusals[made.refusal] : show(made, deps)
}

async function change(call: AdminCall<unknown, z.output<typeof changeProviderBody>>, deps: AdminDeps): Promise<AdminAnswer> {
  const { name, client_secret: clientSecret, authoritative_for: authoritativeFor, access_token_audience: accessTokenAudience } = call.body
  const wanted = {
    ...(name !== undefined && { name }),
    ...(clientSecret !== undefined && { clientSecret }),
    ...(authoritativeFor && { authoritativeFor }),
    ...(accessTokenAudience !== undefined && { accessTokenAudience }),
  }
  const changed = await changeProvider(call.id, wanted, { ...deps, actor: call.actor, seen: call.seen })
  return 'refusal' in changed ? providerRefusals[changed.refusal] : show(changed, deps)
}
