import { chainOf, type Explained, explainNetworkFault, NETWORK_FAULTS } from './network-fault.ts'

export const DISCOVERY_FAULTS = [
  ...NETWORK_FAULTS,
  'names_another_issuer',
  'no_json',
  'not_https',
  'secret_unreadable',
  'no_description',
  'nothing_there',
  'leads_elsewhere',
  'fault_there',
  'not_open',
  'other_content',
] as const
export type DiscoveryFault = Explained<(typeof DISCOVERY_FAULTS)[number]>

/** The cause of a failed discovery, and what to do, in plain words for the operator. */
export function explainDiscovery(fault: unknown, issuer: string): DiscoveryFault {
  const address = `${issuer.replace(/\/$/, '')}/.well-known/openid-configuration`
  const network = explainNetworkFault(fault, issuer)
  if (network !== undefined) return network
  const chain = chainOf(fault)
  const answer = chain.find((link) => link instanceof Response)
  if (answer) return explainAnswer(answer, address)
  const values = { address, issuer }
  const named = chain.map(issuerNamedBy).find((name) => name !== undefined)
  if (named !== undefined) {
    const says = `${address} names another issuer, ${named}: use the one it names as --issuer, to the letter`
    return { code: 'names_another_issuer', values: { ...values, named }, says }
  }
  if (chain.some((link) => link instanceof SyntaxError))
    return { code: 'no_json', values, says: `what ${address} answers is no JSON: is --issuer right?` }
  const reason = chain.findLast((link) => link instanceof Error)?.message ?? 'unknown fault'
  return explainReason(reason, values)
}

/** Our own refusals, or the library's objection to the description. */
function explainReason(reason: string, values: { address: string; issuer: string }): DiscoveryFault {
  const { address, issuer } = values
  if (/^only https /.test(reason)) {
    const says = `${issuer} is not https, and only https addresses are called: use its https address as --issuer`
    return { code: 'not_https', values, says }
  }
  if (/^the client secret /.test(reason))
    return { code: 'secret_unreadable', values, says: `${reason} with this master key: connect the provider anew` }
  const says = `what ${address} answers does not describe an OpenID provider (${reason}): is --issuer right?`
  return { code: 'no_description', values, says }
}

/** An answer arrived and was unusable. */
function explainAnswer({ status, headers }: Response, address: string): DiscoveryFault {
  const values = { address, status }
  if (status === 404)
    return { code: 'nothing_there', values, says: `there is nothing at ${address} (404): look for a typo in --issuer, its path too` }
  if (status >= 300 && status < 400) {
    const says = `${address} leads elsewhere (${status}), and no redirect is followed: use as --issuer what the provider calls itself`
    return { code: 'leads_elsewhere', values, says }
  }
  if (status >= 500)
    return { code: 'fault_there', values, says: `${address} answers ${status}: something is wrong over there, try again later` }
  if (status !== 200)
    return { code: 'not_open', values, says: `${address} answers ${status}, and has to be open to everybody: ask who runs it` }
  const type = (headers.get('content-type') ?? '').split(';', 1)[0] || 'text'
  const says = `${address} answers ${type} where JSON is due: is --issuer right, or does a sign-in page or proxy cut in?`
  return { code: 'other_content', values: { address, type }, says }
}

/** The issuer of a description that did not match, if it is safe to print at a terminal. */
function issuerNamedBy(link: unknown): string | undefined {
  if (typeof link !== 'object' || link === null || !('attribute' in link) || link.attribute !== 'issuer') return undefined
  const body = 'body' in link && typeof link.body === 'object' && link.body !== null ? link.body : {}
  const name = 'issuer' in body && typeof body.issuer === 'string' ? body.issuer : ''
  return /^[\x21-\x7e]{1,200}$/.test(name) ? name : 'which can’t be shown'
}
