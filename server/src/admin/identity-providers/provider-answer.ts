import { type IdentityProvider, providerVersion } from '../../identity-providers/index.ts'
import type { AdminDeps } from '../api/deps.ts'
import { callbackUrlOf } from './examine-provider.ts'
import { providerJson } from './provider-json.ts'
import { providerExample, providerSchema } from './provider-schemas.ts'

export const providerAnswer = { description: 'The provider, without its secret', schema: providerSchema, example: providerExample }

export function showProvider(provider: IdentityProvider, deps: AdminDeps) {
  return { body: { ...providerJson(provider), redirect_uri: callbackUrlOf(deps) }, version: providerVersion(provider) }
}
