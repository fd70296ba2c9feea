import { z } from 'zod'
import { addProvider, changeProvider, removeProvider } from '../../identity-providers/index.ts'
import type { AdminAnswer, AdminCall } from '../api/admin-route.ts'
import type { AdminDeps } from '../api/deps.ts'
import { adminRoute, type Operations } from '../api/operations.ts'
import { actionBody } from '../api/request/reason.ts'
import { providerAnswer, showProvider } from './provider-answer.ts'
import { newProviderOf, providerRefusals, withProvider } from './provider-call.ts'
import { changeProviderBody, createProviderBody } from './provider-schemas.ts'

/** Identity providers: connected, changed and removed. A provider can open accounts, so each needs a recent authentication. */
export function providerChangeRoutes(operations: Operations, deps: AdminDeps): void {
  const common = { may: 'identity-providers:write', authentication: 'recent' } as const
  adminRoute(operations, {
    ...common,
    method: 'POST',
    path: '/identity-providers',
    operationId: 'addIdentityProvider',
    summary: 'Connect an identity provider',
    body: createProviderBody,
    answer: { ...providerAnswer, status: 201 },
    work: (call) => create(call, deps),
  })
  adminRoute(operations, {
    ...common,
    method: 'PATCH',
    path: '/identity-providers/:id',
    operationId: 'changeIdentityProvider',
    summary: 'Change an identity provider; issuer and client stay',
    body: changeProviderBody,
    version: 'required',
    answer: providerAnswer,
    refuses: ['not_found'],
    work: (call) => withProvider(call, deps, () => change(call, deps)),
  })
  adminRoute(operations, {
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

async function create({ body, actor }: AdminCall<unknown, z.output<typeof createProviderBody>>, deps: AdminDeps): Promise<AdminAnswer> {
  const made = await addProvider(newProviderOf(body), { ...deps, actor })
  return 'refusal' in made ? providerRefusals[made.refusal] : showProvider(made, deps)
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
  return 'refusal' in changed ? providerRefusals[changed.refusal] : showProvider(changed, deps)
}
