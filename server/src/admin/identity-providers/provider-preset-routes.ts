import { PROVIDER_PRESETS } from '../../identity-providers/index.ts'
import type { AdminDeps } from '../api/deps.ts'
import { adminRoute, type Operations } from '../api/operations.ts'
import { callbackUrlOf } from './examine-provider.ts'
import { presetsExample, presetsSchema } from './provider-schemas.ts'

const PRESETS = Object.entries(PROVIDER_PRESETS).map(([id, { name, kind, issuer, authoritativeFor }]) => ({
  id,
  name,
  kind,
  issuer,
  authoritative_for: authoritativeFor,
}))

/** The presets of known providers: the settings that are the same for everybody who connects one. */
export function providerPresetRoutes(operations: Operations, deps: AdminDeps): void {
  adminRoute(operations, {
    method: 'GET',
    path: '/identity-provider-presets',
    operationId: 'listIdentityProviderPresets',
    summary: 'List what is the same at everybody who connects a known provider',
    may: 'identity-providers:read',
    answer: {
      description: 'The presets, and the address to register before anything is saved',
      schema: presetsSchema,
      example: presetsExample,
    },
    work: async () => ({ body: { redirect_uri: callbackUrlOf(deps), presets: PRESETS } }),
  })
}
