import { domainToASCII } from 'node:url'
import { isVisibleLine } from '../../kit/index.ts'
import { parseAppleKey } from '../apple-secret.ts'
import type { IdentityProvider, ProviderKind } from '../provider.ts'

export interface NewProvider extends Omit<IdentityProvider, 'createdAt' | 'updatedAt' | 'kind'> {
  kind?: ProviderKind
  clientSecret: string
}

export type ProviderRefusal =
  | {
      refusal:
        | 'id_malformed'
        | 'id_taken'
        | 'name_malformed'
        | 'issuer_malformed'
        | 'client_id_missing'
        | 'client_secret_missing'
        | 'apple_key_malformed'
        | 'audience_malformed'
        | 'not_found'
        | 'changed_meanwhile'
    }
  | { refusal: 'domain_malformed'; domain: string }

export function refuseProvider(
  { id, name, kind, issuer, clientId, authoritativeFor, accessTokenAudience }: Omit<NewProvider, 'clientSecret'>,
  clientSecret: string | undefined,
): ProviderRefusal | undefined {
  if (!/^[a-z0-9](?:[a-z0-9-]{0,30}[a-z0-9])?$/.test(id)) return { refusal: 'id_malformed' }
  if (!isVisibleLine(name, 60)) return { refusal: 'name_malformed' }
  if (!isIssuer(issuer)) return { refusal: 'issuer_malformed' }
  if (clientId.trim() === '' || /\p{Cc}/u.test(clientId)) return { refusal: 'client_id_missing' }
  if (clientSecret === '') return { refusal: 'client_secret_missing' }
  if (kind === 'apple' && clientSecret !== undefined && !parseAppleKey(clientSecret)) return { refusal: 'apple_key_malformed' }
  if (accessTokenAudience === '' || /\p{Cc}/u.test(accessTokenAudience ?? '')) return { refusal: 'audience_malformed' }
  const domain = authoritativeFor.find((entry) => entry !== '*' && !/^(?:[a-z0-9-]+\.)+[a-z0-9-]+$/.test(domainToASCII(entry)))
  return domain === undefined ? undefined : { refusal: 'domain_malformed', domain }
}

/** In the form in which addresses are compared: lower case, and ASCII. */
export function plainDomain(domain: string): string {
  return domain === '*' ? domain : domainToASCII(domain.toLowerCase())
}

/** An issuer identifier (OpenID Connect Discovery §2): an address without query or fragment, compared as it stands. */
function isIssuer(text: string): boolean {
  if (!URL.canParse(text) || /[\p{Cc}\s{}]/u.test(text)) return false
  const { protocol, search, hash, username } = new URL(text)
  return (protocol === 'https:' || protocol === 'http:') && search === '' && hash === '' && username === ''
}
