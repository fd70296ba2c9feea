/** Why an address can't be registered; `use` is the form to register instead, where there is one. */
export type RedirectUriRefusal = {
  refusal: 'malformed' | 'not_normal' | 'scheme' | 'userinfo' | 'fragment' | 'wildcard' | 'host' | 'reserved_parameter' | 'too_long'
  use?: string
}

const MAX_LENGTH = 1_000
/** Our own parameters, as frameworks fold them: `eg.session`, `eg_session[]` and `EG-Session` arrive in some apps under one name. */
const RESERVED = ['egsession', 'egtoken', 'state']
const LOOPBACK = /^(localhost|127\.\d+\.\d+\.\d+|\[::1\])$/

/** A scheme of an app's own, in the form of a reversed domain name (RFC 8252 §7.1), with a path after one slash. */
const PRIVATE_USE = /^[a-z][a-z0-9-]*(?:\.[a-z0-9-]+)+:\/(?!\/)/

/**
 * Checks an address at its registration, so that later it is only compared byte for byte (RFC 9700 §2.1). It must equal its parsed form,
 * use `https` (or `http` for a loopback host, RFC 8252 §7.3), and have no fragment, userinfo, wildcard, or parameter that we append
 * ourselves. `isNative`: a native app of OpenID Connect may also have a scheme of its own.
 */
export function parseRedirectUri(text: string, { isNative = false }: { isNative?: boolean } = {}): { uri: string } | RedirectUriRefusal {
  if (text.length > MAX_LENGTH) return { refusal: 'too_long' }
  // Parsers drop control characters and turn backslashes: the shown address would not be the one it leads to.
  if (/[\p{Cc}\s\\]/u.test(text) || !URL.canParse(text)) return { refusal: 'malformed' }
  const url = new URL(text)
  const isPrivateUse = isNative && PRIVATE_USE.test(text)
  if (!isPrivateUse && url.protocol !== 'https:' && !(url.protocol === 'http:' && LOOPBACK.test(url.hostname))) return { refusal: 'scheme' }
  if (url.username !== '' || url.password !== '' || text.includes('@', 8)) return { refusal: 'userinfo' }
  if (text.includes('#')) return { refusal: 'fragment' }
  if (text.includes('*')) return { refusal: 'wildcard' }
  if ((url.hostname === '' && !isPrivateUse) || url.hostname.endsWith('.')) return { refusal: 'host' }
  if (namesIn(url).some((name) => RESERVED.includes(name))) return { refusal: 'reserved_parameter' }
  return url.href === text ? { uri: text } : { refusal: 'not_normal', use: url.href }
}

/** The names of a query's parameters, folded. Some frameworks also split at semicolons, and read a name up to its bracket. */
function namesIn({ search }: URL): string[] {
  const pieces = search.replace(/^\?/, '').split(';')
  const names = pieces.flatMap((piece) => [...new URLSearchParams(piece).keys()])
  return names.map((name) =>
    (name.trim().split('[')[0] ?? '')
      .normalize('NFKC')
      .toLowerCase()
      .replace(/[^a-z0-9]/g, ''),
  )
}
