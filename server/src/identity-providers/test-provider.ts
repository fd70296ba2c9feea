import type { Outgoing } from '../http/index.ts'
import type { Discovery } from './discovery.ts'
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
  { discovery, outgoing, callbackUrl }: { discovery: Discovery; outgoing: Outgoing; callbackUrl: string },
): Promise<ProviderFinding[]> {
  const metadata = await discovery.configure(provider).then(
    (configuration) => configuration.serverMetadata(),
    (fault: unknown) => explain(fault, provider.issuer),
  )
  if (typeof metadata === 'string') return [{ check: 'discovery', result: 'fail', says: metadata }]
  const { authorization_endpoint, jwks_uri } = metadata
  const findings: ProviderFinding[] = [{ check: 'discovery', result: 'ok', says: `${provider.issuer} answers and names itself so` }]
  const types = metadata.response_types_supported ?? []
  findings.push(
    authorization_endpoint !== undefined && metadata.token_endpoint !== undefined && (types.length === 0 || types.includes('code'))
      ? { check: 'code_flow', result: 'ok', says: 'offers the code flow' }
      : {
          check: 'code_flow',
          result: 'fail',
          says: 'does not offer the code flow (response_type "code"), which is the only one used here',
        },
  )
  findings.push(
    metadata.code_challenge_methods_supported?.includes('S256')
      ? { check: 'pkce', result: 'ok', says: 'offers PKCE with S256' }
      : { check: 'pkce', result: 'warn', says: 'does not say that it checks PKCE; it is sent all the same' },
  )
  findings.push(await testKeys(jwks_uri, outgoing))
  findings.push(
    metadata.authorization_response_iss_parameter_supported
      ? { check: 'issuer_parameter', result: 'ok', says: 'names itself in its answers (RFC 9207), and that is checked' }
      : {
          check: 'issuer_parameter',
          result: 'warn',
          says: 'does not name itself in its answers (RFC 9207); the state still ties each answer to it',
        },
  )
  findings.push({
    check: 'client',
    result: 'warn',
    says: `can't be asked without a person: register ${callbackUrl} as redirect URI there, then sign in once`,
  })
  return findings
}

async function testKeys(jwksUri: string | undefined, outgoing: Outgoing): Promise<ProviderFinding> {
  if (jwksUri === undefined) return { check: 'keys', result: 'fail', says: 'publishes no keys (jwks_uri is missing)' }
  try {
    const answer = await outgoing(jwksUri)
    const { keys } = JSON.parse(await answer.text())
    if (answer.status !== 200 || !Array.isArray(keys) || keys.length === 0) throw new Error(`status ${answer.status} without keys`)
    return { check: 'keys', result: 'ok', says: `publishes ${keys.length} keys` }
  } catch (fault) {
    return { check: 'keys', result: 'fail', says: `its keys at ${jwksUri} can't be read: ${innermost(fault)}` }
  }
}

/** What stands behind a failed discovery, and what to look at. */
function explain(fault: unknown, issuer: string): string {
  const reason = innermost(fault)
  const address = `${issuer.replace(/\/$/, '')}/.well-known/openid-configuration`
  if (/ENOTFOUND|EAI_AGAIN/.test(reason)) return `the host of ${issuer} does not exist: look for a typo in --issuer`
  if (/ECONNREFUSED|ETIMEDOUT|timeout|timed out/i.test(reason)) return `${issuer} does not answer: is it running, and reachable from here?`
  if (/private address/.test(reason)) return reason
  if (/issuer/i.test(reason)) return `what answers at ${address} names another issuer: use the one it names as --issuer, to the letter`
  if (/certificate|self.signed/i.test(reason)) return `the certificate of ${issuer} is not trusted here: ${reason}`
  return `${address} can't be used: ${reason}`
}

/** The deepest cause says what happened; what wraps it says only that something did. */
function innermost(fault: unknown): string {
  if (!(fault instanceof Error)) return 'unknown fault'
  const code = 'code' in fault && typeof fault.code === 'string' && fault.code.startsWith('E') ? `${fault.code} ` : ''
  return fault.cause instanceof Error ? innermost(fault.cause) : `${code}${fault.message}`
}
