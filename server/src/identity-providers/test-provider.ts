import type { ServerMetadata } from 'openid-client'
import type { GuardedFetch } from '../guarded-fetch/index.ts'
import type { Discovery } from './discovery.ts'
import { DISCOVERY_FAULTS, explainDiscovery } from './explain-discovery.ts'
import { type Explained, explainNetworkFault } from './network-fault.ts'
import type { IdentityProvider } from './provider.ts'
import { testClient } from './test-client.ts'

/** Findings beyond those of `check` and `result`. */
export const FINDING_CODES = [
  ...DISCOVERY_FAULTS,
  'other_methods',
  'methods_unnamed',
  'no_key_address',
  'keys_not_open',
  'no_keys_in_answer',
  'keys_unreadable',
  'client_refused',
] as const

/**
 * One check of a provider, and its result, in plain words. `found`: the same for translation, where `check` and `result` leave something
 * open.
 */
export interface ProviderFinding {
  check: 'discovery' | 'code_flow' | 'pkce' | 'keys' | 'issuer_parameter' | 'client'
  result: 'ok' | 'warn' | 'fail'
  says: string
  found?: Found
}

type Found = Omit<Explained<(typeof FINDING_CODES)[number]>, 'says'>

/** Tests a provider as far as possible without a user: it answers, it is the named one, it supports what we need, it knows our client. */
export async function testProvider(
  provider: IdentityProvider,
  {
    discovery,
    guardedFetch,
    callbackUrl,
    timeoutSeconds,
  }: { discovery: Discovery; guardedFetch: GuardedFetch; callbackUrl: string; timeoutSeconds: number },
): Promise<ProviderFinding[]> {
  const asked = await discovery.configure(provider).then(
    (configuration) => ({ configuration, metadata: configuration.serverMetadata() }),
    (fault: unknown) => ({ fault: explainDiscovery(fault, provider.issuer) }),
  )
  if ('fault' in asked) {
    const { says, ...found } = asked.fault
    return [{ check: 'discovery', result: 'fail', says, found }]
  }
  const { configuration, metadata } = asked
  const ofClient = await testClient(configuration, callbackUrl)
  if (provider.kind === 'github') {
    const says = `the addresses of ${provider.issuer} are known: it speaks OAuth 2.0 alone, and describes itself nowhere`
    return [{ check: 'discovery', result: 'ok', says }, ofClient]
  }
  return [
    { check: 'discovery', result: 'ok', says: `${provider.issuer} answers and names itself so` },
    testCodeFlow(metadata),
    testPkce(metadata.code_challenge_methods_supported),
    await testKeys(metadata.jwks_uri, guardedFetch, timeoutSeconds),
    testIssuerParameter(metadata),
    ofClient,
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

function testPkce(offered: unknown): ProviderFinding {
  if (!Array.isArray(offered)) {
    const says = 'does not say that it checks PKCE; it is sent all the same. Turn it on there if that is possible'
    return { check: 'pkce', result: 'warn', says, found: { code: 'methods_unnamed', values: {} } }
  }
  if (offered.includes('S256')) return { check: 'pkce', result: 'ok', says: 'offers PKCE with S256' }
  const methods = offered.join(', ').slice(0, 60)
  const says = `offers PKCE with ${methods} alone, and S256 is sent: turn S256 on there, else it may refuse to sign users in`
  return { check: 'pkce', result: 'warn', says, found: { code: 'other_methods', values: { methods } } }
}

async function testKeys(jwksUri: string | undefined, guardedFetch: GuardedFetch, timeoutSeconds: number): Promise<ProviderFinding> {
  const fail = (says: string, found: Found): ProviderFinding => ({ check: 'keys', result: 'fail', says, found })
  if (jwksUri === undefined || !URL.canParse(jwksUri)) {
    const says = 'publishes no keys (jwks_uri is missing or no address), so that no ID token of it can be checked'
    return fail(says, { code: 'no_key_address', values: {} })
  }
  const address = new URL(jwksUri).href
  const cannot = (says: string, code: Found['code'], values: Found['values'] = {}) =>
    fail(`its keys at ${address} can't be had: ${says}`, { code, values: { ...values, address } })
  try {
    const answer = await guardedFetch(jwksUri, { signal: AbortSignal.timeout(timeoutSeconds * 1000) })
    const text = await answer.text()
    const { status } = answer
    if (status !== 200) return cannot(`the answer is ${status}, and has to be open to everybody`, 'keys_not_open', { status })
    const count = countKeys(text)
    if (count === 0) return cannot('no keys are in the answer', 'no_keys_in_answer')
    return { check: 'keys', result: 'ok', says: `publishes ${count} keys` }
  } catch (fault) {
    const network = explainNetworkFault(fault, jwksUri)
    if (network) return cannot(network.says, network.code, network.values)
    return cannot(fault instanceof Error ? fault.message : 'unknown fault', 'keys_unreadable')
  }
}

/** Keys in a JSON Web Key Set; 0 for an invalid one. */
function countKeys(text: string): number {
  try {
    const { keys } = JSON.parse(text)
    return Array.isArray(keys) ? keys.length : 0
  } catch {
    return 0 // not JSON
  }
}
