/**
 * Every value of a cookie in a `Cookie` header, in the order sent. Several are possible: a sibling subdomain, or another path, may have set one of the same name
 * (RFC 6265 §5.4).
 */
export function readCookies(header: string | null, name: string): string[] {
  const values: string[] = []
  if (header === null) return values
  const start = `${name}=`
  for (let at = header.indexOf(start); at !== -1; at = header.indexOf(start, at + start.length)) {
    if (!isStart(header, at)) continue
    const end = header.indexOf(';', at)
    values.push(header.slice(at + start.length, end === -1 ? undefined : end).trim())
  }
  return values
}

/** The name begins the header or follows a semicolon: `x-eg_session=` is another cookie. */
function isStart(header: string, at: number): boolean {
  let before = at - 1
  while (before >= 0 && header[before] === ' ') before--
  return before < 0 || header[before] === ';'
}

/** The cookies of a `Cookie` header whose names begin like this, by name: the first of each, and no more than `most` of them. */
export function listCookies(header: string | null, prefix: string, most: number): Map<string, string> {
  const found = new Map<string, string>()
  for (const pair of (header ?? '').split(';')) {
    if (found.size >= most) break
    const at = pair.indexOf('=')
    const name = at === -1 ? '' : pair.slice(0, at).trim()
    if (name.startsWith(prefix) && !found.has(name)) found.set(name, pair.slice(at + 1).trim())
  }
  return found
}

/** A `Set-Cookie` of this host alone, for no script to read. `maxAge` in seconds; 0 removes it. */
export function writeCookie(name: string, value: string, { maxAge, isHttps }: { maxAge: number; isHttps: boolean }): string {
  return `${name}=${value}; Path=/; Max-Age=${maxAge}; HttpOnly; SameSite=Lax${isHttps ? '; Secure' : ''}`
}
