import type { Flow } from '../../sign-in/index.ts'
import type { PendingStep, SignedInBrowser } from '../authorization/authorization-state.ts'
import type { ClientDocument } from '../client-documents/client-document.ts'
import type { Redemption } from './redemption.ts'

/** One request on its way through the library, with what we know of it. */
export interface Exchange {
  cookieHeader: string | undefined
  /** Where the request comes from, for the client's session. */
  origin: { ip: string; userAgent: string }
  /** The sign-in that this authorization request waited for. */
  flow: Flow | undefined
  /** The description of the client that this authorization request names, if it describes itself. */
  described: { address: URL; document: ClientDocument } | undefined
  /** Our page about an error that can't be sent back to the client. */
  errorPage(status: number, error: string): { page: string; headers: Readonly<Record<string, string>> }
  browser: SignedInBrowser | undefined
  pending: PendingStep | undefined
  /** Of a token request, from when the library has found its code or refresh token good. */
  redemption: Redemption | undefined
}

const exchanges = new WeakMap<object, Exchange>()

/** `raw` is the server's own object for the request, by which the library knows it too. */
export function beginExchange(raw: object, exchange: Omit<Exchange, 'browser' | 'pending' | 'redemption'>): void {
  exchanges.set(raw, { ...exchange, browser: undefined, pending: undefined, redemption: undefined })
}

/** The exchange of a request that the library handles. */
export function exchangeOf({ req }: { req: object }): Exchange {
  const exchange = exchanges.get(req)
  if (!exchange) throw new Error('the library handles a request that was not given to it')
  return exchange
}
