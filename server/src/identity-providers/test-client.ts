import type { Configuration } from 'openid-client'
import { chainOf } from './network-fault.ts'

/** A code that no provider has given out. */
const NO_CODE = 'portaria-asks-whether-you-know-it'

/** The errors of a provider about a code that it has not given out: where it knows the client and its secret, and where it does not. */
const KNOWN = ['invalid_grant', 'bad_verification_code']
const UNKNOWN = ['invalid_client', 'unauthorized_client', 'incorrect_client_credentials']

interface ClientFinding {
  check: 'client'
  result: 'ok' | 'warn' | 'fail'
  says: string
  found?: { code: 'client_refused'; values: { error: string } }
}

/** Asks for tokens with an invented code. A provider checks the client first, so its refusal shows whether it knows client and secret. */
export async function testClient(configuration: Configuration, callbackUrl: string): Promise<ClientFinding> {
  const client = await import('openid-client')
  const url = new URL(callbackUrl)
  const { issuer, authorization_response_iss_parameter_supported: namesItself } = configuration.serverMetadata()
  // An answer without the name would be refused here, and the provider never asked (RFC 9207).
  url.search = new URLSearchParams({ code: NO_CODE, state: 'test', ...(namesItself && { iss: issuer }) }).toString()
  const checks = { expectedState: 'test', pkceCodeVerifier: client.randomPKCECodeVerifier() }
  const error = await client.authorizationCodeGrant(configuration, url, checks).then(() => undefined, errorIn)
  const register = `register ${callbackUrl} as redirect URI there, then sign in once`
  if (error !== undefined && UNKNOWN.includes(error))
    return {
      ...{ check: 'client', result: 'fail', says: `does not know this client, or has another secret for it (${error})` },
      found: { code: 'client_refused', values: { error } },
    }
  if (error !== undefined && KNOWN.includes(error))
    return { check: 'client', result: 'ok', says: `knows this client and its secret; ${register}` }
  return { check: 'client', result: 'warn', says: `does not say whether it knows this client and its secret; ${register}` }
}

/** The `error` of a refusal. GitHub refuses with 200, so that the library takes the body for a bad answer. */
function errorIn(fault: unknown): string | undefined {
  for (const link of chainOf(fault)) {
    if (typeof link !== 'object' || link === null) continue
    if ('error' in link && typeof link.error === 'string') return link.error
    const body = 'body' in link && typeof link.body === 'object' && link.body !== null ? link.body : {}
    if ('error' in body && typeof body.error === 'string') return body.error
  }
  return undefined
}
