import { z } from 'zod'
import { MINUTE_MS, type Now, type Sealer } from '../../kit/index.ts'
import type { RedirectTarget } from '../../products/index.ts'
import { type Client, type FindClientDeps, findClient } from '../client-documents/find-client.ts'
import type { OpenIdProvider } from '../library/openid-provider.ts'

/** A logout as a client asks for it, its parts checked against each other and against the registration. */
export interface LogoutRequest {
  client: Client | undefined
  /** The client's session that the ID token names (`sid`). */
  hintedSessionId: string | undefined
  target: RedirectTarget | undefined
  /** The same parameters without the ID token, which has done its part. */
  parameters: URLSearchParams
}

export type LogoutRefusal = {
  refusal: 'parameter_twice' | 'bad_id_token_hint' | 'client_mismatch' | 'unknown_client' | 'unregistered_uri' | 'expired'
}

interface Deps extends FindClientDeps {
  provider: OpenIdProvider
}

const PARAMETERS = ['id_token_hint', 'client_id', 'post_logout_redirect_uri', 'state', 'ui_locales', 'logout_hint']
/** The kinds of JWT that an ID token may name itself (RFC 7519 §5.1): most name none. A logout token or access token names another. */
const ID_TOKEN_TYPES = [undefined, 'JWT']
/** A browser follows at once. */
const HANDED_ON_MS = MINUTE_MS
const PLACE = 'openid.logout'

export async function readLogoutRequest(query: URLSearchParams, { provider, ...deps }: Deps): Promise<LogoutRequest | LogoutRefusal> {
  if (PARAMETERS.some((name) => query.getAll(name).length > 1)) return { refusal: 'parameter_twice' }
  const hint = query.get('id_token_hint')
  const hinted = hint === null ? undefined : await readHint(hint, provider)
  if (hint !== null && !hinted) return { refusal: 'bad_id_token_hint' }
  const named = query.get('client_id') ?? undefined
  if (named !== undefined && hinted && hinted.clientId !== named) return { refusal: 'client_mismatch' }
  const parameters = new URLSearchParams(query)
  parameters.delete('id_token_hint')
  if (hinted) parameters.set('client_id', hinted.clientId)
  return findRegistered(parameters, hinted?.sessionId, deps)
}

/**
 * The client and the address of a request, as they are registered now. A client that describes itself has registered no address: one that
 * it names is passed over, and the user ends at our page.
 */
export async function findRegistered(
  parameters: URLSearchParams,
  hintedSessionId: string | undefined,
  deps: FindClientDeps,
): Promise<LogoutRequest | LogoutRefusal> {
  const [clientId, uri] = [parameters.get('client_id'), parameters.get('post_logout_redirect_uri')]
  const client = clientId === null ? undefined : await findClient(clientId, deps)
  if (clientId !== null && !client) return { refusal: 'unknown_client' }
  if (client?.address) return { client, hintedSessionId, target: undefined, parameters }
  // Without a client nothing says whose address it is. Then the address is left out, and the user ends at our page (§3).
  const target = uri === null || clientId === null ? undefined : await deps.products.postLogoutTarget(clientId, uri)
  if (uri !== null && clientId !== null && !target) return { refusal: 'unregistered_uri' }
  return { client, hintedSessionId, target, parameters }
}

/** An ID token of ours, however old (§2: the expiry does not matter), checked with its signature, issuer and audience. */
async function readHint(hint: string, provider: OpenIdProvider): Promise<{ clientId: string; sessionId: string | undefined } | undefined> {
  const { Client, IdToken } = (await provider.instance()).provider
  const decoded = (part: string | undefined) => JSON.parse(Buffer.from(part ?? '', 'base64url').toString())
  try {
    const [head, body] = hint.split('.')
    if (!ID_TOKEN_TYPES.includes(decoded(head).typ)) return undefined
    const { aud } = decoded(body)
    const client = typeof aud === 'string' ? await Client.find(aud) : undefined
    if (!client || typeof aud !== 'string') return undefined
    const { sid } = (await IdToken.validate(hint, client)).payload
    return { clientId: aud, sessionId: typeof sid === 'string' ? sid : undefined }
  } catch {
    return undefined // no JWT, or none of ours
  }
}

const sealedRequest = z.object({ p: z.string(), s: z.string().optional(), x: z.number() })

/** A request that came by POST, for the navigation that goes on with it: the ID token itself must not stand in an address. */
export function sealLogoutRequest({ parameters, hintedSessionId }: LogoutRequest, { sealer, now }: { sealer: Sealer; now: Now }): string {
  const value: z.input<typeof sealedRequest> = {
    p: parameters.toString(),
    ...(hintedSessionId !== undefined && { s: hintedSessionId }),
    x: now() + HANDED_ON_MS,
  }
  return sealer.seal(JSON.stringify(value), PLACE)
}

export async function openLogoutRequest(
  sealed: string,
  { sealer, now, ...deps }: FindClientDeps & { sealer: Sealer; now: Now },
): Promise<LogoutRequest | LogoutRefusal> {
  const text = sealer.open(sealed, PLACE)
  const { data } = sealedRequest.safeParse(text === undefined ? undefined : JSON.parse(text))
  if (!data || data.x <= now()) return { refusal: 'expired' }
  return findRegistered(new URLSearchParams(data.p), data.s, deps)
}
