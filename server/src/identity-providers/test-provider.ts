import type { ServerMetadata } from 'openid-client'
import type { Outgoing } from '../http/index.ts'
import type { Discovery } from './discovery.ts'
import { explainDiscovery } from './explain-discovery.ts'
import { explainNetworkFault } from './network-fault.ts'
import type { IdentityProvider } from './provider.ts'

/** One thing asked of a provider, and what was found, in plain words. */
export interface ProviderFinding {
  check: 'discovery' | 'code_flow' | 'pkce' | 'keys' | 'issuer_parameter' | 'client'
  result: 'ok' | 'warn' | 'fail'
  says: string
}

/** Asks a provider what can be asked without a person: does it answer, is it what it says, can it do what we need, does it know our client? */
export async function testProvider(
  provider: IdentityProvider,
  {
    discovery,
    outgoing,
    callbackUrl,
    patienceSeconds,
  }: { discovery: Discovery; outgoing: Outgoing; callbackUrl: string; patienceSeconds: number },
): Promise<ProviderFinding[]> {
  const metadata = await discovery.configure(provider).then(
    (configuration) => configuration.serverMetadata(),
    (fault: unknown) => explainDiscovery(fault, provider.issuer),
  )
  if (typeof metadata === 'string') return [{ check: 'discovery', result: 'fail', says: metadata }]
  return [
    { check: 'discovery', result: 'ok', says: `${provider.issuer} answers and names itself so` },
    testCodeFlow(metadata),
    testPkce(metadata.code_challenge_methods_supported),
    await testKeys(metadata.jwks_uri, outgoing, patienceSeconds),
    testIssuerParameter(metadata),
    {
      check: 'client',
      result: 'warn',
      says: `can't be asked without a person: register ${callbackUrl} as redirect URI there, then sign in once`,
    },
  ]
}

function testCodeFlow({ authorization_endpoint, token_endpoint, response_types_supported: types }: ServerMetadata): ProviderFinding {
  const isNamed = !Array.isArray(types) || types.length === 0 || types.includes('code')
  if (authorization_endpoint !== undefined && token_endpoint !== undefined && isNamed)
    return { check: 'code_flow', result: 'ok', says: 'offers the code flow' }
  const says = 'does not offer the code flow (response_type "code"), which is the only one used here: allow it there'
  return { check: 'code_flow', result: 'fail', says }
}

function testIssuerParameter({ authorization_response_iss_parameter_supported: isNamed }: ServerMetadata): ProviderFinding {
  if (isNamed) return { check: 'issuer_parameter', result: 'ok', says: 'names itself in its answers (RFC 9207), and that is checked' }
  const says = 'does not name itself in its answers (RFC 9207); the state still ties each answer to it'
  return { check: 'issuer_parameter', result: 'warn', says }
}

function testPkce(methods: unknown): ProviderFinding {
  if (Array.isArray(methods) && methods.includes('S256')) return { check: 'pkce', result: 'ok', says: 'offers PKCE with S256' }
  const says = Array.isArray(methods)
    ? `offers PKCE with ${methods.join(', ').slice(0, 60)} alone, and S256 is sent: turn S256 on there, else it may refuse to sign people in`
    : 'does not say that it checks PKCE; it is sent all the same. Turn it on there if that is possible'
  return { check: 'pkce', result: 'warn', says }
}

async function testKeys(jwksUri: string | undefined, outgoing: Outgoing, patienceSeconds: number): Promise<ProviderFinding> {
  const fail = (says: string): ProviderFinding => ({ check: 'keys', result: 'fail', says })
  if (jwksUri === undefined || !URL.canParse(jwksUri))
    return fail('publishes no keys (jwks_uri is missing or no address), so that no ID token of it can be checked')
  const cannot = (reason: string) => fail(`its keys at ${new URL(jwksUri).href} can't be had: ${reason}`)
  try {
    const answer = await outgoing(jwksUri, { signal: AbortSignal.timeout(patienceSeconds * 1000) })
    const text = await answer.text()
    if (answer.status !== 200) return cannot(`the answer is ${answer.status}, and has to be open to everybody`)
    const count = countKeys(text)
    return count === 0 ? cannot('no keys are in the answer') : { check: 'keys', result: 'ok', says: `publishes ${count} keys` }
  } catch (fault) {
    return cannot(explainNetworkFault(fault, jwksUri) ?? (fault instanceof Error ? fault.message : 'unknown fault'))
  }
}

/** In a JSON Web Key Set; 0 for what is none. */
function countKeys(text: string): number {
  try {
    const { keys } = JSON.parse(text)
    return Array.isArray(keys) ? keys.length : 0
  } catch {
    return 0 // no JSON
  }
}
