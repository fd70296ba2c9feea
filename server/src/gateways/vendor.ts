import type { Outgoing } from '../http/index.ts'
import { explainNetworkFault } from '../identity-providers/index.ts'
import type { Now } from '../kit/index.ts'
import { FatalJobFault, TryLater } from '../outbox/index.ts'
import type { GatewayAdapter, GatewayCredentials, Vendor } from './gateway.ts'

export interface VendorDeps {
  /** What refuses addresses of our own network, and answers longer than 1 MiB or 10 s. */
  outgoing: Outgoing
  adapter: Pick<GatewayAdapter, 'api'>
  credentials: Pick<GatewayCredentials, 'accessToken' | 'apiUrl'>
  now: Now
}

/** The gateway does not know what it is asked for. */
export class UnknownToGateway extends FatalJobFault {}

/** How long one who is asked too often, and does not say when to come again, is left alone. */
const TOO_OFTEN_MS = 10_000

/**
 * A gateway's API, asked with a product's own credentials. Its faults say in plain words what was wrong, without secrets and without the path, which may hold
 * the id of a person. A refused access token is tried again like any other fault: the operator may mend it within the days of the back-off.
 */
export function createVendor({ outgoing, adapter, credentials, now }: VendorDeps): Vendor {
  const base = new URL(credentials.apiUrl ?? adapter.api.url)
  const headers = { 'user-agent': 'Portaria', accept: 'application/json', ...adapter.api.headers(credentials.accessToken) }
  return {
    async get(path) {
      const address = addressOf(path, base)
      const answer = await outgoing(address, { headers }).catch((fault: unknown) => explain(fault, base))
      const fault = faultOf(answer, now())
      if (fault) {
        await answer.body?.cancel().catch(() => undefined) // the connection is free again; what it says is nothing to us
        throw fault
      }
      return parse(await answer.text().catch((reason: unknown) => explain(reason, base)))
    },
  }
}

/** Ids of others stand in paths: one that leads elsewhere than it says (`..`, a backslash, `#`) is never asked for. */
function addressOf(path: string, base: URL): string {
  const [plain = ''] = path.split('?')
  const prefix = base.pathname.replace(/\/+$/, '')
  const text = `${base.origin}${prefix}${path}`
  const { origin, pathname, href } = URL.parse(text) ?? {}
  if (!plain.startsWith('/') || href === undefined || origin !== base.origin || pathname !== `${prefix}${plain}`)
    throw new FatalJobFault("the gateway told an id that can't stand in an address")
  return href
}

function faultOf({ status, headers }: Response, now: number): Error | undefined {
  if (status >= 200 && status < 300) return undefined
  if (status === 401 || status === 403) return new Error(`the gateway refuses the access token (${status})`)
  if (status === 404) return new UnknownToGateway('the gateway does not know what it is asked for (404)')
  if (status >= 300 && status < 400) return new Error(`the gateway sends us elsewhere (${status}), and no redirect is followed`)
  const afterMs = status === 429 || status === 503 ? retryAfter(headers.get('retry-after'), now) : undefined
  if (status === 429) return new TryLater('the gateway is asked too often (429)', afterMs ?? TOO_OFTEN_MS)
  const message = `the gateway does not answer as it should (${status})`
  return afterMs === undefined ? new Error(message) : new TryLater(message, afterMs)
}

/** How many ms to wait: seconds, or an HTTP date (RFC 9110 §10.2.3). `undefined` for what is neither. */
function retryAfter(text: string | null, now: number): number | undefined {
  if (text === null) return undefined
  if (/^\d{1,9}$/.test(text)) return Number(text) * 1_000
  const at = / GMT$/.test(text) ? Date.parse(text) : Number.NaN
  return Number.isNaN(at) ? undefined : Math.max(at - now, 0)
}

/** The fault itself goes no further: those of `fetch` may quote a header. */
function explain(fault: unknown, { href, host }: URL): never {
  const known = explainNetworkFault(fault, href)
  if (known !== undefined) throw new Error(known)
  const words = [fault, fault instanceof Error && fault.cause].map((one) => (one instanceof Error ? one.message : ''))
  throw new Error(
    words.some((text) => /longer than 1 MiB|exceeded max size/.test(text))
      ? 'the answer of the gateway is longer than 1 MiB'
      : `the call to ${host} failed`,
  )
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    throw new Error("the gateway's answer is no JSON") // without the parser's message, which quotes it
  }
}
