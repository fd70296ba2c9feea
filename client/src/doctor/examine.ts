import { PortariaError } from '../error.ts'
import { textAt } from '../http/json.ts'
import { type PortariaOptions, readSettings, type Settings } from '../settings.ts'
import { examineLogout, examineOpenId } from './examine-doors.ts'
import { examineProduct, type OwnProduct } from './examine-product.ts'
import { bad, doubtful, type Finding, good } from './finding.ts'
import { createProbe, type Probe } from './probe.ts'

/**
 * Checks everything that a sign-in needs, from this app's server: an app's own log would show these faults one failed sign-in at a time. It
 * changes nothing, ends no session, and no finding holds a secret.
 */
export async function examine(options: PortariaOptions, environment: Record<string, string | undefined>): Promise<Finding[]> {
  let settings: Settings
  try {
    settings = readSettings(options, environment)
  } catch (fault) {
    if (!(fault instanceof PortariaError)) throw fault
    return fault.message.split('\n').map((text) => bad('settings', text, 'Set it in the environment, or in .env beside your app.'))
  }
  const probe = createProbe(settings)
  const address = await examineAddress(probe, settings)
  const kind = settings.publishableKey === undefined ? 'internal: no publishable key' : 'external: a publishable and a secret key'
  const said = good('settings', `${settings.appOrigin}${settings.appPath} is an ${kind.replace(':', ' app,')}`)
  const findings = [said, ...examineTransport(settings), ...address]
  if (address.some(({ state }) => state === 'bad')) return findings
  const own = await examineProduct(probe, settings)
  return [
    ...findings,
    ...(await examineKeys(probe, settings)),
    ...(await examineCallback(probe, settings)),
    ...own.findings,
    ...(await examineCookies(probe, settings, own.trustsCallback)),
    ...(await examineOpenId(probe, settings, own)),
    ...(await examineLogout(probe, settings, own)),
  ]
}

/** Plain http is for one machine. On a private network it is that network's own risk, so it is only a warning. */
function examineTransport({ url, appOrigin, isHttps, apiKey }: Settings): Finding[] {
  const findings: Finding[] = []
  const what = apiKey === undefined ? 'the sessions' : 'the secret key and the sessions'
  if (url.startsWith('http:') && !isThisMachine(url))
    findings.push(doubtful('https', `${url} is plain http`, `Anyone on the way can read ${what} that this app sends. Put it behind https.`))
  if (!isHttps && !isThisMachine(appOrigin))
    findings.push(doubtful('https', `${appOrigin} is plain http`, 'Anyone on the way can read its cookies. Put it behind https.'))
  return findings
}

function isThisMachine(address: string): boolean {
  return /^(?:localhost|.+\.localhost|127\.[\d.]+|\[::1\])$/.test(new URL(address).hostname)
}

async function examineAddress(probe: Probe, { url, now }: Settings): Promise<Finding[]> {
  const began = now()
  const { status, at, reason } = await probe.get('/healthz')
  if (status === 0)
    return [
      bad('address', `${url} does not answer: ${reason}`, 'Is PORTARIA_URL right, and can this machine reach it? Is its certificate good?'),
    ]
  if (status !== 200)
    return [
      bad(
        'address',
        `${url} answers ${status}, which Portaria does not`,
        'PORTARIA_URL is the address of Portaria itself, without a path.',
      ),
    ]
  const reached = good('address', `${url} answers in ${now() - began} ms`)
  if (at === undefined)
    return [reached, doubtful('clock', 'Portaria’s answers carry no time', 'A proxy before it takes the Date header out.')]
  // The header has whole seconds, and the answer took some time.
  const off = Math.round((now() - at) / 1000)
  const said = `this server's clock is ${Math.abs(off)} s ${off < 0 ? 'behind' : 'ahead of'} Portaria's`
  if (Math.abs(off) <= 10) return [reached, good('clock', 'this server and Portaria agree about the time')]
  const fix = 'Let both keep time (NTP): beyond 60 s no session is believed.'
  return [reached, Math.abs(off) > 55 ? bad('clock', said, fix) : doubtful('clock', said, fix)]
}

async function examineKeys(probe: Probe, { url }: Settings): Promise<Finding[]> {
  const { status, body } = await probe.get('/.well-known/jwks.json')
  const keys = Array.isArray(body?.keys) ? body.keys.length : 0
  if (status !== 200 || keys === 0)
    return [
      bad('keys', `${url}/.well-known/jwks.json answers ${status} and holds no keys`, 'Is this Portaria? A proxy must pass on every path.'),
    ]
  const found = good('keys', `${keys} public key${keys === 1 ? '' : 's'} to verify sessions with`)
  const metadata = await probe.get('/.well-known/oauth-authorization-server')
  const issuer = textAt(metadata.body, 'issuer')
  if (issuer === null || issuer === url) return [found]
  const fix = `Set PORTARIA_URL to ${issuer} here: a token is believed under one name.`
  return [found, bad('issuer', `Portaria calls itself ${issuer}, and this app calls it ${url}`, fix)]
}

async function examineCallback(probe: Probe, { appOrigin, authPath, publishableKey }: Settings): Promise<Finding[]> {
  const callback = `${appOrigin}${authPath}/callback`
  const query = new URLSearchParams({
    redirect_to: callback,
    state: 'doctor',
    ...(publishableKey !== undefined && { api_key: publishableKey }),
  })
  const { status, body } = await probe.get(`/auth/login?${query}`)
  if (status === 200 || status === 302) return [good('callback', `${callback} is registered`)]
  const error = typeof body?.error === 'string' ? body.error : ''
  if (error === 'redirect_to nao autorizado')
    return [
      bad(
        'callback',
        `${callback} is not registered with Portaria`,
        `The operator runs: npx portaria product set --slug YOUR-PRODUCT --add-uri ${callback}`,
      ),
    ]
  if (error === 'api_key invalida')
    return [
      bad(
        'callback',
        'the publishable key is not that of the product with this callback',
        `Is PORTARIA_PUBLISHABLE_KEY the pk_… of the product that ${callback} is registered for?`,
      ),
    ]
  return [
    bad('callback', `the login answers ${status} ${error}`, 'Try again; if it stays, ask the operator to look at the log of this moment.'),
  ]
}

async function examineCookies(
  probe: Probe,
  { url, appOrigin, authPath, publishableKey }: Settings,
  trustsCallback: OwnProduct['trustsCallback'],
): Promise<Finding[]> {
  const host = new URL(appOrigin).hostname
  // A sign-out without a session clears cookies all the same, and so reveals their domain.
  const { setCookies } = await probe.get('/auth/signout')
  const domains = setCookies.map((cookie) => /^eg_session=.*;\s*domain=\.?([^;\s]+)/i.exec(cookie)?.[1]?.toLowerCase())
  const domain = domains.find((one) => one !== undefined)
  const isInternal = domain === undefined ? host === new URL(url).hostname : host === domain || host.endsWith(`.${domain}`)
  const where = domain === undefined ? `the host of ${url}` : `${domain} and below`
  if (publishableKey !== undefined) return [good('cookies', `this app keeps its own session cookie on ${host}`)]
  if (isInternal) return [good('cookies', `${host} lies on the internal domain (${where})`)]
  const outside = `${host} lies outside of the internal domain (${where})`
  if (trustsCallback === 'yes') return [good('cookies', `${outside}, and its callback is trusted with the family’s session`)]
  const trust = `npx portaria product set --slug YOUR-PRODUCT --add-trusted-uri ${appOrigin}${authPath}/callback`
  const fix = `Is it an external product, whose PORTARIA_PUBLISHABLE_KEY is missing here? Else, if it may hold the family’s session, the operator runs: ${trust}`
  const said = `${outside}: no sign-in brings it a session, unless its callback is trusted`
  return [trustsCallback === 'no' ? bad('cookies', said, fix) : doubtful('cookies', said, fix)]
}
