import type { GuardedFetch } from '../../guarded-fetch/index.ts'
import { type Explained, explainNetworkFault, NETWORK_FAULTS } from '../../identity-providers/index.ts'
import type { Now } from '../../kit/index.ts'
import { FatalJobFault, TryLater } from '../../outbox/index.ts'
import type { GatewayAdapter, GatewayApi, GatewayCredentials } from '../gateway.ts'

export interface GatewayApiDeps {
  /** Refuses addresses of our own network, and answers beyond 1 MiB or 10 s. */
  guardedFetch: GuardedFetch
  adapter: Pick<GatewayAdapter, 'api'>
  credentials: Pick<GatewayCredentials, 'accessToken' | 'apiUrl'>
  now: Now
}

export const GATEWAY_API_FAULTS = [
  ...NETWORK_FAULTS,
  'token_refused',
  'unknown_there',
  'leads_elsewhere',
  'asked_too_often',
  'bad_answer',
  'answer_too_long',
  'call_failed',
  'no_json',
] as const
export type GatewayApiFault = Omit<Explained<(typeof GATEWAY_API_FAULTS)[number]>, 'says'>

/** Kept beside the errors: their class says when a job is tried again, and only their message is written down. */
const explained = new WeakMap<object, GatewayApiFault>()

/** The kind of a gateway's fault, for texts in other languages than its message. */
export function explainGatewayApiFault(fault: Error): GatewayApiFault {
  return explained.get(fault) ?? { code: 'call_failed', values: {} }
}

function withCode<Fault extends Error>(fault: Fault, code: GatewayApiFault['code'], values: GatewayApiFault['values'] = {}): Fault {
  explained.set(fault, { code, values })
  return fault
}

/** The gateway does not know the requested object. */
export class UnknownToGateway extends FatalJobFault {}

/** The pause after too many requests, if the gateway states none. */
const TOO_OFTEN_MS = 10_000

/**
 * A gateway's API, called with a product's own credentials. Its faults say in plain words what was wrong, without secrets and without the
 * path, which may hold a customer's id. A refused access token is tried again like any other fault: the operator may correct it within the
 * days of the back-off.
 */
export function createGatewayApi({ guardedFetch, adapter, credentials, now }: GatewayApiDeps): GatewayApi {
  const base = new URL(credentials.apiUrl ?? adapter.api.url)
  const headers = { 'user-agent': 'Portaria', accept: 'application/json', ...adapter.api.headers(credentials.accessToken) }
  return {
    async get(path) {
      const address = addressOf(path, base)
      const answer = await guardedFetch(address, { headers }).catch((fault: unknown) => explain(fault, base))
      const fault = faultOf(answer, now())
      if (fault) {
        await answer.body?.cancel().catch(() => undefined) // frees the connection; the content is not needed
        throw fault
      }
      return parse(await answer.text().catch((reason: unknown) => explain(reason, base)))
    },
  }
}

/** Foreign ids stand in paths: a path that a parser changes (`..`, a backslash, `#`) is never requested. */
function addressOf(path: string, base: URL): string {
  const [plain = ''] = path.split('?')
  const prefix = base.pathname.replace(/\/+$/, '')
  const text = `${base.origin}${prefix}${path}`
  const { origin, pathname, href } = URL.parse(text) ?? {}
  if (!plain.startsWith('/') || href === undefined || origin !== base.origin || pathname !== `${prefix}${plain}`)
    throw new FatalJobFault("the gateway sent an id that can't stand in an address")
  return href
}

function faultOf({ status, headers }: Response, now: number): Error | undefined {
  if (status >= 200 && status < 300) return undefined
  const values = { status }
  if (status === 401 || status === 403)
    return withCode(new Error(`the gateway refuses the access token (${status})`), 'token_refused', values)
  if (status === 404) return withCode(new UnknownToGateway('the gateway does not know what it is asked for (404)'), 'unknown_there', values)
  if (status >= 300 && status < 400)
    return withCode(new Error(`the gateway sends us elsewhere (${status}), and no redirect is followed`), 'leads_elsewhere', values)
  const afterMs = status === 429 || status === 503 ? retryAfter(headers.get('retry-after'), now) : undefined
  if (status === 429)
    return withCode(new TryLater('the gateway is asked too often (429)', afterMs ?? TOO_OFTEN_MS), 'asked_too_often', values)
  const message = `the gateway does not answer as it should (${status})`
  return withCode(afterMs === undefined ? new Error(message) : new TryLater(message, afterMs), 'bad_answer', values)
}

/** The wait in ms: from seconds, or from an HTTP date (RFC 9110 §10.2.3). `undefined` for anything else. */
function retryAfter(text: string | null, now: number): number | undefined {
  if (text === null) return undefined
  if (/^\d{1,9}$/.test(text)) return Number(text) * 1_000
  const at = / GMT$/.test(text) ? Date.parse(text) : Number.NaN
  return Number.isNaN(at) ? undefined : Math.max(at - now, 0)
}

/** The error itself is not passed on: those of `fetch` may quote a header. */
function explain(fault: unknown, { href, host }: URL): never {
  const known = explainNetworkFault(fault, href)
  if (known !== undefined) throw withCode(new Error(known.says), known.code, known.values)
  const texts = [fault, fault instanceof Error && fault.cause].map((one) => (one instanceof Error ? one.message : ''))
  if (texts.some((text) => /longer than \d+ bytes|exceeded max size/.test(text)))
    throw withCode(new Error('the answer of the gateway is longer than 1 MiB'), 'answer_too_long')
  throw withCode(new Error(`the call to ${host} failed`), 'call_failed', { host })
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    throw withCode(new Error("the gateway's answer is no JSON"), 'no_json') // without the parser's message, which quotes the text
  }
}
