import { chainOf, explainNetworkFault } from './network-fault.ts'

/** What stands behind a failed discovery, and what to do, in plain words for the operator. */
export function explainDiscovery(fault: unknown, issuer: string): string {
  const address = `${issuer.replace(/\/$/, '')}/.well-known/openid-configuration`
  const network = explainNetworkFault(fault, issuer)
  if (network !== undefined) return network
  const chain = chainOf(fault)
  const answer = chain.find((link) => link instanceof Response)
  if (answer) return explainAnswer(answer, address)
  const named = chain.map(issuerNamedBy).find((name) => name !== undefined)
  if (named !== undefined) return `${address} names another issuer, ${named}: use the one it names as --issuer, to the letter`
  if (chain.some((link) => link instanceof SyntaxError)) return `what ${address} answers is no JSON: is --issuer right?`
  const reason = chain.findLast((link) => link instanceof Error)?.message ?? 'unknown fault'
  if (/^only https /.test(reason)) return `${issuer} is not https, and only https addresses are called: use its https address as --issuer`
  if (/^the client secret /.test(reason)) return `${reason} with this master key: connect the provider anew`
  return `what ${address} answers does not describe an OpenID provider (${reason}): is --issuer right?`
}

/** An answer that came and could not be used. */
function explainAnswer({ status, headers }: Response, address: string): string {
  if (status === 404) return `there is nothing at ${address} (404): look for a typo in --issuer, its path too`
  if (status >= 300 && status < 400)
    return `${address} leads elsewhere (${status}), and no redirect is followed: use as --issuer what the provider calls itself`
  if (status >= 500) return `${address} answers ${status}: something is wrong over there, try again later`
  if (status !== 200) return `${address} answers ${status}, and has to be open to everybody: ask who runs it`
  const type = (headers.get('content-type') ?? '').split(';', 1)[0] || 'text'
  return `${address} answers ${type} where JSON is due: is --issuer right, or does a sign-in page or proxy cut in?`
}

/** The issuer in a description that did not fit, where it is such that a terminal may show it. */
function issuerNamedBy(link: unknown): string | undefined {
  if (typeof link !== 'object' || link === null || !('attribute' in link) || link.attribute !== 'issuer') return undefined
  const body = 'body' in link && typeof link.body === 'object' && link.body !== null ? link.body : {}
  const name = 'issuer' in body && typeof body.issuer === 'string' ? body.issuer : ''
  return /^[\x21-\x7e]{1,200}$/.test(name) ? name : 'which can’t be shown'
}
