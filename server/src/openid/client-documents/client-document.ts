import { z } from 'zod'

/** A client that describes itself (OAuth Client ID Metadata Document): its client id is the address of the description. */
export interface ClientDocument {
  /** The name that it gives itself. It is not checked. */
  name: string | undefined
  /** Those of its redirect URIs that are allowed here. */
  redirectUris: readonly string[]
}

const MAX_ADDRESS = 500
const MAX_URIS = 20
const MAX_NAME = 60
/** Characters that change how the text around them is read: controls, and marks of direction. */
const UNSEEN = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu
const LOOPBACK = ['127.0.0.1', '[::1]', 'localhost']

/**
 * The address in a client id, if it is one under which a client may describe itself. Its text must be the address in its only form, since
 * it is compared and shown as text. `undefined` for every other client id, those of products included.
 */
export function parseDocumentAddress(clientId: string, { isDevelopment }: { isDevelopment: boolean }): URL | undefined {
  if (clientId.length > MAX_ADDRESS || !/^https?:\/\//.test(clientId)) return undefined
  const url = URL.parse(clientId)
  // The parser resolves dot segments, lowers the host, and drops an empty name: all these give another text.
  if (!url || url.href !== clientId || url.username || url.password || url.search || url.hash || url.pathname === '/') return undefined
  if (/[?#]/.test(clientId)) return undefined
  if (isDevelopment && url.hostname === '127.0.0.1') return url
  // A name with a dot, and no number: an IP address says nothing to the user whom the page asks.
  const isName = /^([a-z0-9]([a-z0-9-]*[a-z0-9])?\.)+[a-z]([a-z0-9-]*[a-z0-9])?$/.test(url.hostname)
  return url.protocol === 'https:' && isName ? url : undefined
}

const schema = z.object({
  client_id: z.string(),
  client_name: z.string().optional(),
  redirect_uris: z.array(z.string()).min(1).max(MAX_URIS),
  token_endpoint_auth_method: z.literal('none'),
  grant_types: z.array(z.string()).optional(),
  response_types: z.array(z.string()).optional(),
  client_secret: z.never().optional(),
  client_secret_expires_at: z.never().optional(),
})

export type DocumentRefusal = { refusal: 'no_document' | 'other_client' | 'has_secret' | 'no_redirect_uri' }

/** Reads the description that stands at `address`. */
export function readDocument(text: string, address: URL): ClientDocument | DocumentRefusal {
  const { data, error } = schema.safeParse(parseJson(text))
  const faulty = error?.issues.map(({ path }) => path[0]) ?? []
  if (faulty.some((name) => name === 'token_endpoint_auth_method' || String(name).startsWith('client_secret')))
    return { refusal: 'has_secret' }
  if (!data) return { refusal: 'no_document' }
  if (data.client_id !== address.href) return { refusal: 'other_client' }
  if (data.grant_types?.includes('authorization_code') === false || data.response_types?.includes('code') === false)
    return { refusal: 'no_document' }
  const redirectUris = data.redirect_uris.filter((uri) => isAllowed(uri, address))
  if (redirectUris.length === 0) return { refusal: 'no_redirect_uri' }
  return { name: plain(data.client_name), redirectUris }
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

/** The client's own origin, or a program on the user's device. The page names the client's host, so no other may get its codes. */
function isAllowed(uri: string, address: URL): boolean {
  const url = URL.parse(uri)
  if (!url || url.href !== uri || uri.length > MAX_ADDRESS || uri.includes('#') || url.username || url.password) return false
  if (isLoopback(url)) return true
  return url.protocol === 'https:' && url.origin === address.origin
}

/** Whether the answer goes to a program on the user's own device. */
export function isLoopback(url: URL): boolean {
  return url.protocol === 'http:' && LOOPBACK.includes(url.hostname)
}

function plain(name: string | undefined): string | undefined {
  const shown = [...(name ?? '').replaceAll(UNSEEN, '').replaceAll(/\s+/g, ' ').trim()]
  return shown.length === 0 ? undefined : shown.slice(0, MAX_NAME).join('')
}
