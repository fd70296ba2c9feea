import type { z } from 'zod'
import { type IdentityProvider, providerStore } from '../../identity-providers/index.ts'
import type { AdminAnswer } from '../api/admin-route.ts'
import type { AdminDeps } from '../api/deps.ts'
import { onePage, readPage, writePage } from '../api/list.ts'
import { adminRoute, type Operations } from '../api/operations.ts'
import { pageOfShort } from '../api/short-list.ts'
import { providerAnswer, showProvider } from './provider-answer.ts'
import { withProvider } from './provider-call.ts'
import { providerChangeRoutes } from './provider-change-routes.ts'
import { providerPresetRoutes } from './provider-preset-routes.ts'
import { providerExample, providerListQuery, providerSchema } from './provider-schemas.ts'
import { providerTestRoutes } from './provider-test-routes.ts'

/** Identity providers: listed and shown. */
export function providerRoutes(operations: Operations, deps: AdminDeps): void {
  adminRoute(operations, {
    method: 'GET',
    path: '/identity-providers',
    operationId: 'listIdentityProviders',
    summary: 'List identity providers',
    may: 'identity-providers:read',
    query: providerListQuery,
    answer: onePage(providerSchema, providerExample),
    refuses: ['bad_cursor'],
    work: ({ query }) => list(query, deps),
  })
  adminRoute(operations, {
    method: 'GET',
    path: '/identity-providers/:id',
    operationId: 'showIdentityProvider',
    summary: 'Show an identity provider',
    may: 'identity-providers:read',
    answer: providerAnswer,
    refuses: ['not_found'],
    work: (call) => withProvider(call, deps, async (provider) => showProvider(provider, deps)),
  })
  providerPresetRoutes(operations, deps)
  providerTestRoutes(operations, deps)
  providerChangeRoutes(operations, deps)
}

async function list(query: z.output<typeof providerListQuery>, deps: AdminDeps): Promise<AdminAnswer> {
  const { storage, cursors } = deps
  const asked = readPage('identity-providers', query, cursors)
  if ('refusal' in asked) return asked
  const placeOf = (one: IdentityProvider) => ({ id: one.id, value: query.sort.sort === 'name' ? one.name : one.createdAt })
  const found = pageOfShort(await providerStore(storage.db).list(), asked.page, placeOf)
  return { body: writePage('identity-providers', found, query, { cursors, placeOf, json: (one) => showProvider(one, deps).body }) }
}
