import { textAt } from '../http/json.ts'
import type { Settings } from '../settings.ts'
import type { OwnProduct } from './examine-product.ts'
import { bad, doubtful, type Finding, good } from './finding.ts'
import type { Probe } from './probe.ts'

/** The address that is notified of sign-outs: whether it is this app's, and whether it answers. */
export async function examineLogout(probe: Probe, settings: Settings, { logoutUri, openIdKind }: OwnProduct): Promise<Finding[]> {
  if (logoutUri === undefined) return []
  const own = `${settings.appOrigin}${settings.authPath}/backchannel-logout`
  if (logoutUri === null)
    return [good('sign-outs', `seen at the next check; within two seconds with: product set --backchannel-logout-uri ${own}`)]
  if (logoutUri !== own)
    return [doubtful('sign-outs', `${logoutUri} is notified of them, and not this app`, `Is that right? This app listens at ${own}`)]
  if (openIdKind !== undefined && settings.publishableKey === undefined)
    return [
      doubtful(
        'sign-outs',
        'the product speaks OpenID Connect, so it is notified of those sessions alone, and not of the family’s session that this app has',
        'Register this app and the one that speaks OpenID Connect as two products.',
      ),
    ]
  // A notice without a token is refused: nobody is signed out.
  const { status, reason } = await probe.post(own)
  if (status === 400) return [good('sign-outs', `${own} answers`)]
  const said = status === 0 ? `does not answer: ${reason}` : `answers ${status}`
  const fix = 'Is the app running, does its handler serve POST there, and does nothing before it ask for a cookie or a CSRF token?'
  return [doubtful('sign-outs', `${own} ${said}`, fix)]
}

/** The document that an app of OpenID Connect reads first. */
export async function examineOpenId(probe: Probe, { url }: Settings, { openIdKind }: OwnProduct): Promise<Finding[]> {
  if (openIdKind === undefined) return []
  const { status, body } = await probe.get('/.well-known/openid-configuration')
  const issuer = textAt(body, 'issuer')
  if (status !== 200 || issuer === null)
    return [bad('openid', `${url}/.well-known/openid-configuration answers ${status}`, 'A proxy must pass on every path.')]
  if (issuer !== url)
    return [bad('openid', `the issuer is ${issuer}, and this app calls it ${url}`, `Give the app ${issuer} as its issuer.`)]
  const lists = (name: string, value: string) => Array.isArray(body?.[name]) && body[name].includes(value)
  const missing = [
    ...(lists('code_challenge_methods_supported', 'S256') ? [] : ['PKCE with S256']),
    ...(lists('id_token_signing_alg_values_supported', 'RS256') ? [] : ['ID tokens with RS256']),
  ]
  if (missing.length > 0) return [bad('openid', `${url} does not offer ${missing.join(' and ')}`, 'Is this Portaria? Ask the operator.')]
  return [good('openid', `the product is of the kind ${openIdKind}; PKCE with S256, ID tokens with RS256`)]
}
