/** An answer: status, headers, body, and the address of a redirect. */
export interface Answer {
  status: number
  headers: Headers
  text: string
  /** The `Location` header, resolved; `undefined` when there is none. */
  location: URL | undefined
  json<T = Record<string, unknown>>(): T
}

/**
 * A browser as far as HTTP goes: it keeps cookies for one host, sends what browsers send, and follows nothing by itself.
 * Contract tests use it; what needs a screen is a journey.
 */
export class Browser {
  readonly cookies = new Map<string, string>()
  readonly #base: string
  readonly #origin: string
  readonly #headers: Record<string, string>

  constructor(base: string, { origin, headers }: { origin: string; headers: Record<string, string> }) {
    this.#base = base
    this.#origin = origin
    this.#headers = headers
  }

  get(path: string, headers: Record<string, string> = {}): Promise<Answer> {
    return this.request('GET', path, { headers: { accept: 'text/html,application/xhtml+xml', ...headers } })
  }

  /** Posts a form as one of our own pages would. */
  submit(path: string, fields: Record<string, string>, headers: Record<string, string> = {}): Promise<Answer> {
    const own = {
      accept: 'text/html',
      'content-type': 'application/x-www-form-urlencoded',
      origin: this.#origin,
      'sec-fetch-site': 'same-origin',
    }
    return this.request('POST', path, { headers: { ...own, ...headers }, body: new URLSearchParams(fields).toString() })
  }

  async request(
    method: string,
    path: string,
    { headers = {}, body }: { headers?: Record<string, string>; body?: string } = {},
  ): Promise<Answer> {
    const url = new URL(path, this.#base)
    const cookie = [...this.cookies].map(([name, value]) => `${name}=${value}`).join('; ')
    const response = await fetch(new URL(url.pathname + url.search, this.#base), {
      method,
      redirect: 'manual',
      headers: { ...this.#headers, ...(cookie && { cookie }), ...headers },
      ...(body !== undefined && { body }),
    })
    for (const line of response.headers.getSetCookie()) this.#keep(line)
    const text = await response.text()
    const location = response.headers.get('location')
    return {
      status: response.status,
      headers: response.headers,
      text,
      location: location === null ? undefined : new URL(location, this.#base),
      json: <T>() => JSON.parse(text) as T,
    }
  }

  /** Opens a login address and posts its form; answers what the form's POST answered. */
  async signIn(loginPath: string, { email, password }: { email: string; password: string }): Promise<Answer> {
    let page = await this.get(loginPath)
    if (page.location) page = await this.get(page.location.href)
    return this.submit('/login', { flow: hiddenFlow(page.text), email, password })
  }

  /** Follows our own redirects and the splash until the address of another host, or a page that stays. */
  async follow(answer: Answer): Promise<Answer> {
    let now = answer
    for (let hops = 0; hops < 10; hops++) {
      const splash = /url=(\S+)$/.exec(now.headers.get('refresh') ?? '')?.[1]
      const next = now.location?.href ?? splash
      if (next === undefined) return now
      const url = new URL(next, this.#base)
      if (url.origin !== new URL(this.#base).origin && url.origin !== this.#origin) return now
      now = await this.get(url.pathname + url.search)
    }
    throw new Error('redirects without end')
  }

  #keep(line: string): void {
    const [pair = '', ...attributes] = line.split('; ')
    const at = pair.indexOf('=')
    const name = pair.slice(0, at)
    if (attributes.includes('Max-Age=0')) this.cookies.delete(name)
    else this.cookies.set(name, pair.slice(at + 1))
  }
}

/** The flow in a page's form. */
export function hiddenFlow(page: string): string {
  const flow = /name="flow" value="([^"]+)"/.exec(page)?.[1]
  if (flow === undefined) throw new Error(`no flow in this page: ${page.slice(0, 300)}`)
  return flow
}
