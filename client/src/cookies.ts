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

/** The names in a `Cookie` header that begin like this. */
export function cookieNames(header: string | null, prefix: string): string[] {
  const names = (header ?? '').split(';').map((pair) => (pair.split('=', 1)[0] ?? '').trim())
  return names.filter((name) => name.startsWith(prefix))
}

/** A `Set-Cookie` of this host alone, for no script to read. `maxAge` in seconds; 0 removes it. */
export function writeCookie(name: string, value: string, { maxAge, isHttps }: { maxAge: number; isHttps: boolean }): string {
  return `${name}=${value}; Path=/; Max-Age=${maxAge}; HttpOnly; SameSite=Lax${isHttps ? '; Secure' : ''}`
}
