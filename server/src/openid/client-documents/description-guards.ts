import type { FastifyReply, FastifyRequest } from 'fastify'
import { clientAddress, networkOf } from '../../http/index.ts'
import type { OpenIdDeps } from '../deps.ts'
import { openIdErrorPage } from '../library/error-page.ts'
import type { Exchange } from '../library/exchange.ts'
import type { FetchRefusal } from './fetch-document.ts'
import { findClient } from './find-client.ts'

/** The description of the client that an authorization request names; `undefined` for a client that is registered, or not known at all. */
export async function findDescription(
  clientId: string | null,
  request: FastifyRequest,
  deps: OpenIdDeps,
): Promise<NonNullable<Exchange['described']> | FetchRefusal | undefined> {
  const address = clientId === null ? undefined : (await findClient(clientId, deps))?.address
  if (!address || !deps.documents) return undefined
  const document = await deps.documents.find(address, networkOf(clientAddress(request)))
  return 'refusal' in document ? document : { address, document }
}

const wire = {
  no_document: [400, 'the address of the client id has no description of a client'],
  other_client: [400, 'the description has another client_id than its address'],
  has_secret: [400, 'token_endpoint_auth_method must be none, without a secret'],
  no_redirect_uri: [400, 'no redirect URI has the origin of the client id, or is a loopback address'],
  unreachable: [400, 'the description can’t be fetched: https, 200, JSON, 5 KB, five seconds'],
  too_many: [429, 'too many descriptions were fetched: try again in some minutes'],
} as const satisfies Record<FetchRefusal['refusal'], readonly [number, string]>

/** Never a redirect: an address that no description allows is a stranger's. */
export function refuseDescription(
  request: FastifyRequest,
  reply: FastifyReply,
  refused: FetchRefusal['refusal'],
  deps: OpenIdDeps,
): FastifyReply {
  const [status, says] = wire[refused]
  const { page } = openIdErrorPage(request, reply, { status, error: `invalid_client (${says})` }, deps)
  return deps.responses.page(reply, status, page)
}
