import type { z } from 'zod'
import { type IdentityProvider, type NewProvider, type ProviderRefusal, providerStore } from '../../identity-providers/index.ts'
import type { AdminAnswer, AdminCall } from '../api/admin-route.ts'
import type { AdminDeps } from '../api/deps.ts'
import type { Refused } from '../api/refusals.ts'
import type { createProviderBody } from './provider-schemas.ts'

/** Works with the provider that the path names. */
export async function withProvider(
  { id }: Pick<AdminCall<unknown, unknown>, 'id'>,
  { storage }: AdminDeps,
  work: (provider: IdentityProvider) => Promise<AdminAnswer>,
): Promise<AdminAnswer> {
  const provider = await providerStore(storage.db).findById(id)
  return provider ? work(provider) : { refusal: 'not_found' }
}

/** A new provider, from the wire. */
export function newProviderOf(body: z.output<typeof createProviderBody>): NewProvider {
  const { id, name, kind, issuer, client_id: clientId, client_secret: clientSecret, authoritative_for: authoritativeFor = [] } = body
  const accessTokenAudience = body.access_token_audience ?? undefined
  return { id, name, ...(kind && { kind }), issuer, clientId, clientSecret, authoritativeFor, accessTokenAudience }
}

/** Each refusal on the wire, at the field that it is about. */
export const providerRefusals = {
  id_malformed: { refusal: 'malformed', fields: { id: 'id_malformed' } },
  id_taken: { refusal: 'malformed', fields: { id: 'id_taken' } },
  name_malformed: { refusal: 'malformed', fields: { name: 'name_malformed' } },
  issuer_malformed: { refusal: 'malformed', fields: { issuer: 'issuer_malformed' } },
  client_id_missing: { refusal: 'malformed', fields: { client_id: 'client_id_missing' } },
  client_secret_missing: { refusal: 'malformed', fields: { client_secret: 'client_secret_missing' } },
  apple_key_malformed: { refusal: 'malformed', fields: { client_secret: 'apple_key_malformed' } },
  audience_malformed: { refusal: 'malformed', fields: { access_token_audience: 'audience_malformed' } },
  domain_malformed: { refusal: 'malformed', fields: { authoritative_for: 'domain_malformed' } },
  not_found: { refusal: 'not_found' },
  changed_meanwhile: { refusal: 'changed_meanwhile' },
} as const satisfies Record<ProviderRefusal['refusal'], Refused>
