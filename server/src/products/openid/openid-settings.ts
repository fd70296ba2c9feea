import { parseRedirectUri, type RedirectUriRefusal } from '../redirect-uri.ts'

/** The kinds of apps that sign in by OpenID Connect. Only a `web` app has a server, which can keep a secret. */
export const OPENID_KINDS = ['web', 'browser', 'native'] as const
export type OpenIdKind = (typeof OPENID_KINDS)[number]

/** The algorithms of ID tokens. RS256 is the one that every client knows (OpenID Connect Core §15.1). */
export const ID_TOKEN_ALGS = ['RS256', 'ES256'] as const
export type IdTokenAlg = (typeof ID_TOKEN_ALGS)[number]

/** Whether the client must use PKCE (RFC 7636). */
export const PKCE = ['required', 'optional'] as const

/** How a product speaks OpenID Connect. Its publishable key is its `client_id`, each of its live API keys its secret. */
export interface OpenIdSettings {
  kind: OpenIdKind
  /** `optional` is for an old client that has a secret. */
  pkce: (typeof PKCE)[number]
  idTokenAlg: IdTokenAlg
  /** The addresses to which a sign-out may lead, compared byte for byte (RP-Initiated Logout §3). */
  postLogoutUris: readonly string[]
  /** The APIs for which it may request access tokens (RFC 8707), besides ours. */
  resources: readonly string[]
  /** Clients that describe themselves are taken in this product's name (decision 161). One product at most. */
  takesDocuments: boolean
  /**
   * When it was turned on, or its kind changed (ms). A client's session counts under the settings under which it was begun: this names
   * them, and is never compared with the time of another node.
   */
  since: number
}

const USUAL: Omit<OpenIdSettings, 'kind'> = {
  pkce: 'required',
  idTokenAlg: 'RS256',
  postLogoutUris: [],
  resources: [],
  takesDocuments: false,
  since: 0,
}
const MAX_LISTED = 50
const MAX_RESOURCE = 500

export type OpenIdRefusal =
  | { refusal: 'openid_off' | 'pkce_needs_web' | 'documents_need_native' | 'too_many_openid_uris' }
  | { refusal: 'resource_refused' }
  | { refusal: 'uri_refused'; uri: string; of: 'post_logout_uris'; why: RedirectUriRefusal }

/** A change of the settings: absent parts stay as they are, and `off` ends them. Without a kind there is nothing to change. */
export type OpenIdChange = Partial<Omit<OpenIdSettings, 'since'>> | 'off'

export function changeOpenId(
  before: OpenIdSettings | undefined,
  change: OpenIdChange,
  at: number,
): OpenIdSettings | undefined | OpenIdRefusal {
  if (change === 'off') return undefined
  const kind = change.kind ?? before?.kind
  if (kind === undefined) return { refusal: 'openid_off' }
  // A token that was given to a server with a secret must not be good without one.
  const takesDocuments = change.takesDocuments ?? before?.takesDocuments ?? false
  const isSame = before?.kind === kind && before.takesDocuments === takesDocuments
  const since = isSame ? before.since : Math.max(at, (before?.since ?? 0) + 1)
  const after = { ...USUAL, ...before, ...change, kind, takesDocuments, since }
  // A client that keeps no secret is protected by PKCE alone (RFC 9700 §2.1.1).
  if (after.pkce === 'optional' && kind !== 'web') return { refusal: 'pkce_needs_web' }
  if (after.takesDocuments && kind !== 'native') return { refusal: 'documents_need_native' }
  if (Math.max(after.postLogoutUris.length, after.resources.length) > MAX_LISTED) return { refusal: 'too_many_openid_uris' }
  for (const uri of after.postLogoutUris) {
    const parsed = parseRedirectUri(uri, { isNative: kind === 'native' })
    if ('refusal' in parsed) return { refusal: 'uri_refused', uri, of: 'post_logout_uris', why: parsed }
  }
  return after.resources.every(isResource) ? after : { refusal: 'resource_refused' }
}

/** An absolute URI without a fragment (RFC 8707 §2), in its parsed form. */
function isResource(text: string): boolean {
  if (text.length > MAX_RESOURCE || /[\p{Cc}\s\\#]/u.test(text) || !URL.canParse(text)) return false
  const { protocol, href } = new URL(text)
  return (protocol === 'https:' || protocol === 'http:') && (href === text || href === `${text}/`)
}

/** The settings of a row; one that another version wrote may lack some. */
export function readOpenId(json: string | null): OpenIdSettings | undefined {
  return json === null ? undefined : { ...USUAL, ...JSON.parse(json) }
}
