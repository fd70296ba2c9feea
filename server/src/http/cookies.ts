/**
 * All values of one cookie in a `Cookie` header, in the order sent. There are several when hosts of one domain each set their own (RFC 6265
 * §5.4). Reading only the first would let a sibling host choose the value.
 */
export function readCookies(header: string | undefined, name: string): string[] {
  if (header === undefined) return []
  const values: string[] = []
  for (const pair of header.split(';')) {
    const equals = pair.indexOf('=')
    if (equals > 0 && pair.slice(0, equals).trim() === name) values.push(unquote(pair.slice(equals + 1).trim()))
  }
  return values
}

/** The value of a cookie that only this host can have set; `undefined` when it is absent, empty or ambiguous. */
export function readCookie(header: string | undefined, name: string): string | undefined {
  const values = new Set(readCookies(header, name))
  const [value] = values
  return values.size === 1 && value !== '' ? value : undefined
}

export interface Cookie {
  name: string
  value: string
  /** Seconds; 0 removes the cookie. */
  maxAgeSeconds: number
  secure: boolean
  /** Absent: for this host alone. */
  domain?: string
}

/** A `Set-Cookie` value (RFC 6265 §4.1): always HttpOnly, SameSite=Lax, Path=/. The caller percent-encodes the value if needed. */
export function formatCookie({ name, value, maxAgeSeconds, secure, domain }: Cookie): string {
  if (!/^[\w.~%!'()*-]*$/.test(value)) throw new Error(`cookie ${name} has a character that needs encoding`)
  const parts = [`${name}=${value}`, 'Path=/', `Max-Age=${maxAgeSeconds}`, 'HttpOnly', 'SameSite=Lax']
  if (domain) parts.push(`Domain=${domain}`)
  if (secure) parts.push('Secure')
  return parts.join('; ')
}

function unquote(text: string): string {
  return text.length > 1 && text.startsWith('"') && text.endsWith('"') ? text.slice(1, -1) : text
}
