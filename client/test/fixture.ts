import assert from 'node:assert/strict'
import { after, before } from 'node:test'
import type { Browser } from '../../server/test/support/browser.ts'
import { createSqlite, type TestDatabase } from '../../server/test/support/databases.ts'
import { PASSWORD, startService, type TestService } from '../../server/test/support/service.ts'
import { goOn } from '../../server/test/support/users/sign-in-steps.ts'
import { createPortaria, type Portaria, type PortariaOptions } from '../src/index.ts'
import { type FaultyProxy, startFaultyProxy } from './faulty-proxy.ts'

export const INTERNAL = 'http://localhost:4001'
export const EXTERNAL = 'https://loja.example'

/** The real Portaria behind a proxy that counts and can fail, and the apps that a test opens. */
export interface Fixture {
  service: TestService
  proxy: FaultyProxy
  /** An app on the domain, and one of another company. Each is a process of its own: it remembers nothing of what others asked. */
  internal(options?: PortariaOptions): App
  external(options?: PortariaOptions): Promise<App>
}

export interface App {
  portaria: Portaria
  origin: string
  /** The app's own clock; it starts at the service's. */
  clock: { now: number }
  /** The faults that were reported to the app. */
  faults: string[]
  apiKey: string
  productId: string
  /** Of its session. */
  cookieName: string
}

export function fixtureForSuite(database: TestDatabase, environment: Record<string, string> = {}): () => Fixture {
  let fixture: Fixture | undefined
  let stop = async () => {}
  before(async () => {
    const proxy = await startFaultyProxy()
    const service = await startService(await database.fresh(), {
      environment: { PORTARIA_URL: proxy.url, ...environment },
      stops: 'by_caller',
    })
    proxy.forward(service.config.port)
    stop = async () => {
      await service.stop()
      await proxy.stop()
    }
    await service.product({ slug: 'dentro', uris: [`${INTERNAL}/auth/callback`] })
    fixture = createFixture(service, proxy)
  })
  after(() => stop())
  return () => {
    if (!fixture) throw new Error('the fixture has not been started')
    fixture.proxy.setMode('passes')
    fixture.proxy.asked()
    return fixture
  }
}

/** For tests that do not depend on how the service stores things. */
export const sqlite: TestDatabase = {
  name: 'sqlite',
  fresh: () => untilTheEnd(createSqlite('in_memory', 'tables')),
  empty: () => untilTheEnd(createSqlite('in_memory', 'nothing')),
}

const removals: (() => void)[] = []
// Out here: within a hook it would run when that hook is done, before anything has opened the file.
after(() => {
  for (const remove of removals) remove()
})

async function untilTheEnd(creating: ReturnType<typeof createSqlite>): Promise<{ url: string }> {
  const { url, remove } = await creating
  removals.push(remove)
  return { url }
}

let products = 0

function createFixture(service: TestService, proxy: FaultyProxy): Fixture {
  const open = (origin: string, options: PortariaOptions, product = { apiKey: '', productId: '' }): App => {
    const clock = { now: service.clock.now }
    const faults: string[] = []
    const base = {
      url: service.url,
      appUrl: origin,
      now: () => clock.now,
      onFault: (message: string) => faults.push(message),
      timeoutMs: 20_000,
    }
    const cookieName = options.cookieName ?? (origin.startsWith('https:') ? '__Host-eg_session' : 'eg_session')
    return { portaria: createPortaria({ ...base, ...options }), origin, clock, faults, cookieName, ...product }
  }
  return {
    service,
    proxy,
    internal: (options = {}) => open(INTERNAL, options),
    async external(options = {}) {
      const origin = EXTERNAL.replace('loja', `loja-${++products}`)
      const made = await service.product({
        slug: `loja-${products}`,
        audience: 'external',
        checkout: 'external',
        uris: [`${origin}/auth/callback`],
      })
      const { apiKey, product } = made
      return open(origin, { apiKey, publishableKey: product.publishableKey, ...options }, { apiKey, productId: product.id })
    },
  }
}

/** An app's answer to its browser. */
export interface Answer {
  status: number
  headers: Headers
  text: string
  /** The `Location` header, resolved. */
  location: URL | undefined
  /** The `Set-Cookie` lines, by name. */
  setCookies: Record<string, string>
}

/** A browser at one app. It keeps that host's cookies; those of the parent domain a test puts into `domain`. */
export class Visitor {
  readonly cookies = new Map<string, string>()
  readonly domain = new Map<string, string>()
  /** Until when each cookie of the host is kept, by the app's clock. */
  readonly #until = new Map<string, number>()
  readonly #app: App

  constructor(app: App) {
    this.#app = app
  }

  request(path: string, { method = 'GET', headers = {} }: { method?: string; headers?: Record<string, string> } = {}): Request {
    for (const [name, until] of this.#until) if (this.#app.clock.now >= until) this.cookies.delete(name)
    const pairs = [...this.cookies, ...this.domain].map(([name, value]) => `${name}=${value}`)
    const own = {
      accept: 'text/html',
      'accept-language': 'en',
      'sec-fetch-mode': 'navigate',
      'sec-fetch-dest': 'document',
      'sec-fetch-site': 'none',
    }
    const all = { ...own, ...(pairs.length > 0 && { cookie: pairs.join('; ') }), ...headers }
    return new Request(new URL(path, this.#app.origin), {
      method,
      headers: Object.entries(all).filter(([, value]) => value !== '') as [string, string][],
    })
  }

  /** The client's own paths, and behind them the app: a page for whoever is signed in. */
  async open(path: string | URL, init: { method?: string; headers?: Record<string, string> } = {}): Promise<Answer> {
    const { portaria, origin } = this.#app
    const url = new URL(path, origin)
    assert.equal(url.origin, origin, 'the browser has left the app')
    const request = this.request(url.pathname + url.search, init)
    const response = (await portaria.handle(request)) ?? (await page(request, portaria))
    const setCookies: Record<string, string> = {}
    for (const line of response.headers.getSetCookie()) {
      const [pair = ''] = line.split('; ', 1)
      const at = pair.indexOf('=')
      setCookies[pair.slice(0, at)] = line
      this.#keep(pair.slice(0, at), pair.slice(at + 1), Number(/; Max-Age=(\d+);/.exec(line)?.[1]))
    }
    const location = response.headers.get('location')
    return {
      status: response.status,
      headers: response.headers,
      text: await response.text(),
      location: location === null ? undefined : new URL(location, origin),
      setCookies,
    }
  }

  /** A cookie that ended leaves nothing behind: a test may put it back. */
  #keep(name: string, value: string, seconds: number): void {
    if (seconds === 0) {
      this.cookies.delete(name)
      this.#until.delete(name)
    } else {
      this.cookies.set(name, value)
      this.#until.set(name, this.#app.clock.now + seconds * 1000)
    }
  }

  session() {
    return this.#app.portaria.session(this.request('/'))
  }
}

async function page(request: Request, portaria: Portaria): Promise<Response> {
  const { user, response } = await portaria.requireUser(request)
  return response ?? new Response(`Hello ${user.name}`)
}

/** From an app's redirect to Portaria, through its pages, to the address back at the app. Signs in where the browser is not known yet. */
export async function through(browser: Browser, login: URL | undefined, email: string): Promise<URL> {
  assert.ok(login, 'no redirect')
  const path = login.pathname + login.search
  const isKnown = browser.cookies.has('eg_session') && login.searchParams.get('prompt') !== 'login'
  const first = isKnown ? await browser.get(path) : await browser.signIn(path, { email, password: PASSWORD })
  const left = await goOn(browser, first)
  assert.ok(left.location, `the sign-in ended at ${left.status} ${left.text.slice(0, 200)}`)
  return left.location
}

let users = 0

/** Somebody, with a browser at Portaria and at an app. */
export interface User {
  id: string
  email: string
  browser: Browser
  at: Visitor
}

export async function user({ service }: Fixture, app: App): Promise<User> {
  const { id, email } = await service.user(`pessoa${++users}@exemplo.com.br`)
  return { id, email, browser: service.browser(), at: new Visitor(app) }
}

/** Signs somebody in at an app; answers what its callback answered. */
export async function signIn({ browser, at, email }: User, returnTo = '/'): Promise<Answer> {
  const left = await at.open(`/auth/sign-in?return_to=${encodeURIComponent(returnTo)}`)
  return at.open(await through(browser, left.location, email))
}

/** Somebody signed in at an app. */
export async function signedIn(fixture: Fixture, app: App): Promise<User> {
  const someone = await user(fixture, app)
  const arrived = await signIn(someone)
  assert.equal(arrived.status, 302, arrived.text)
  return someone
}

/** The session that somebody's browser has at an app: an external one, which is on https here, keeps it out of its siblings' reach. */
export function tokenOf({ at }: User): string {
  return at.cookies.get('__Host-eg_session') ?? at.cookies.get('eg_session') ?? assert.fail('no session cookie')
}

/** A session, in one word. */
export async function reasonOf(session: Promise<Awaited<ReturnType<Portaria['session']>>>): Promise<string> {
  const found = await session
  return found.status === 'signed_in' ? found.user.id : found.reason
}
