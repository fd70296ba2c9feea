import type { IncomingMessage } from 'node:http'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { clientAddress } from '../../http/index.ts'
import type { Flow } from '../../sign-in/index.ts'
import type { OpenIdDeps } from '../deps.ts'
import { openIdErrorPage } from './error-page.ts'
import { beginExchange, type Exchange } from './exchange.ts'
import type { OpenIdProvider } from './openid-provider.ts'

/** A request for the library, where it differs from the one that came. */
interface Given {
  /** Path and query. */
  url?: string
  /** The form's fields as text. */
  body?: string
  flow?: Flow | undefined
  described?: Exchange['described']
}

/** Answers a request by the library. Fastify gives the answer up, but still logs and counts the request. */
export async function answerByLibrary(
  request: FastifyRequest,
  reply: FastifyReply,
  { url, body, flow, described }: Given,
  { provider, ...deps }: OpenIdDeps & { provider: OpenIdProvider },
): Promise<FastifyReply> {
  const { handle } = await provider.instance()
  const { raw } = request
  const { host, protocol } = new URL(deps.baseUrl)
  const origin = { ip: clientAddress(request), userAgent: request.headers['user-agent'] ?? '' }
  const errorPage = (status: number, error: string) => openIdErrorPage(request, reply, { status, error }, deps)
  beginExchange(raw, { cookieHeader: request.headers.cookie, origin, flow, described, errorPage })
  raw.url = url ?? inOriginForm(raw.url ?? '/', deps.baseUrl)
  giveBody(raw, body ?? (typeof request.body === 'string' ? request.body : ''))
  // The library builds its addresses from these; a stranger's must not count.
  Object.assign(raw.headers, { host, 'x-forwarded-proto': protocol.slice(0, -1) })
  delete raw.headers['x-forwarded-host']
  reply.hijack()
  const headers = { ...deps.headers.redirect, ...OWN_HEADERS, 'x-request-id': request.id }
  for (const [name, value] of Object.entries(headers)) reply.raw.setHeader(name, value)
  await handle(raw, reply.raw)
  return reply
}

/** A request may name a whole address (RFC 9112 §3.2.2), whose host would end up in the library's own addresses. */
function inOriginForm(target: string, baseUrl: string): string {
  if (target.startsWith('/')) return target
  const { pathname, search } = new URL(target, baseUrl)
  return pathname + search
}

/** An answer may be a form that posts itself to the client (Form Post Response Mode): the library adds its script's hash. */
const OWN_HEADERS = {
  'content-security-policy': "default-src 'none'; script-src 'self'; base-uri 'none'; frame-ancestors 'none'",
  'cross-origin-resource-policy': 'cross-origin',
}

/** Fastify has read the body already: the library is given the same bytes, as a stream would give them. */
function giveBody(raw: IncomingMessage, text: string): void {
  const bytes = Buffer.from(text)
  Object.defineProperties(raw, {
    readable: { value: true, configurable: true },
    iterator: {
      value: async function* () {
        yield bytes
      },
      configurable: true,
    },
  })
  if (raw.headers['content-length'] !== undefined || raw.headers['transfer-encoding'] !== undefined)
    raw.headers['content-length'] = String(bytes.length)
}
