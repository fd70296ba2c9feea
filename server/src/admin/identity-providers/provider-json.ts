import type { IdentityProvider, ProviderFinding } from '../../identity-providers/index.ts'
import { isoTime } from '../../kit/index.ts'

/** An identity provider, on the command line and in the admin API alike. */
export function providerJson({ id, name, kind, issuer, clientId, authoritativeFor, accessTokenAudience, createdAt }: IdentityProvider) {
  return {
    id,
    name,
    kind,
    issuer,
    client_id: clientId,
    authoritative_for: authoritativeFor,
    access_token_audience: accessTokenAudience ?? null,
    created_at: isoTime(createdAt),
  }
}

export function findingJson({ check, result, says, found }: ProviderFinding) {
  return { check, result, says, code: found?.code ?? null, values: found?.values ?? {} }
}
