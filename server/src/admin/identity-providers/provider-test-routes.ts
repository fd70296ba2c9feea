import type { z } from 'zod'
import { draftProvider, type IdentityProvider } from '../../identity-providers/index.ts'
import type { AdminAnswer, AdminCall } from '../api/admin-route.ts'
import type { AdminDeps } from '../api/deps.ts'
import { adminRoute, type Operations } from '../api/operations.ts'
import { refuseTooMany } from '../api/rate-limits.ts'
import { examineProvider } from './examine-provider.ts'
import { newProviderOf, providerRefusals, withProvider } from './provider-call.ts'
import { findingJson } from './provider-json.ts'
import { createProviderBody, findingsExample, findingsSchema, testProviderBody } from './provider-schemas.ts'

/** Tests of identity providers, before and after they are saved. Nothing is written, and a secret is sent to its provider alone. */
export function providerTestRoutes(operations: Operations, deps: AdminDeps): void {
  const common = {
    method: 'POST',
    may: 'identity-providers:write',
    answer: { description: 'What was found, also where something is wrong', schema: findingsSchema, example: findingsExample },
  } as const
  adminRoute(operations, {
    ...common,
    path: '/identity-providers/:id/test',
    operationId: 'testIdentityProvider',
    summary: 'Ask a provider all that can be asked without a user',
    description: 'With `client_secret`, that secret is tried before it is saved. 10 a minute.',
    body: testProviderBody,
    refuses: ['not_found'],
    work: (call) => withProvider(call, deps, (provider) => test(provider, call.body.client_secret, call, deps)),
  })
  adminRoute(operations, {
    ...common,
    path: '/identity-providers/test',
    operationId: 'testIdentityProviderDraft',
    summary: 'Ask a provider the same before it is connected; nothing is saved',
    description: 'Takes what connects a provider, and refuses what would be refused there. 10 a minute, together with other tests.',
    // The service calls an address of the caller's choice, as when a provider is connected.
    authentication: 'recent',
    body: createProviderBody,
    work: (call) => testDraft(call, deps),
  })
}

async function testDraft(call: AdminCall<unknown, z.output<typeof createProviderBody>>, deps: AdminDeps): Promise<AdminAnswer> {
  const input = newProviderOf(call.body)
  const drafted = await draftProvider(input, deps)
  return 'refusal' in drafted ? providerRefusals[drafted.refusal] : test(drafted, input.clientSecret, call, deps)
}

async function test(
  provider: IdentityProvider,
  clientSecret: string | undefined,
  call: Pick<AdminCall<unknown, unknown>, 'caller'>,
  deps: AdminDeps,
): Promise<AdminAnswer> {
  const refused = await refuseTooMany('provider-test', call, deps)
  if (refused) return refused
  const findings = await examineProvider(provider, { ...deps, clientSecret })
  return { body: { ok: findings.every(({ result }) => result !== 'fail'), findings: findings.map(findingJson) } }
}
