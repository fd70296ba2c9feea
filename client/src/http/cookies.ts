/**
 * Every value of a cookie in a `Cookie` header, in the order sent. There can be several: a sibling subdomain, or another path, may have set
 * one of the same name (RFC 6265 §5.4).
 */
export function readCookies(header: string | null, name: string): string[] {
  return pairsOf(header).flatMap(([own, value]) => (own === name ? [value] : []))
}

/** The cookies of a `Cookie` header whose names begin like this, by name: the first of each, and no more than `most` of them. */
export function listCookies(header: string | null, prefix: string, most: number): Map<string, string> {
  const found = new Map<string, string>()
  for (const [name, value] of pairsOf(header)) if (found.size < most && name.startsWith(prefix) && !found.has(name)) found.set(name, value)
  return found
}

function pairsOf(header: string | null): [name: string, value: string][] {
  return (header ?? '').split(';').flatMap((pair) => {
    const at = pair.indexOf('=')
    return at === -1 ? [] : [[pair.slice(0, at).trim(), pair.slice(at + 1).trim()]]
  })
}

/** On https, a name that no sibling subdomain can set (RFC 6265bis §4.1.3.2). */
export function hostName(name: string, isHttps: boolean): string {
  return isHttps ? `__Host-${name}` : name
}

/** A `Set-Cookie` of this host alone, hidden from scripts. `maxAge` in seconds; 0 removes it. */
export function writeCookie(name: string, value: string, { maxAge, isHttps }: { maxAge: number; isHttps: boolean }): string {
  return `${name}=${value}; Path=/; Max-Age=${maxAge}; HttpOnly; SameSite=Lax${isHttps ? '; Secure' : ''}`
}
