import { PortariaError } from './error.ts'
import { calmly } from './faults.ts'

/** What an app says of itself. What is left out is read from the environment, where there is one. */
export interface PortariaOptions {
  /** Where Portaria lives, as in `https://sso.example.com`. Default: `PORTARIA_URL`. */
  url?: string | undefined
  /** Where this app lives, as people's browsers reach it; with a path if it has one. Never taken from a request. Default: `PORTARIA_APP_URL`. */
  appUrl?: string | undefined
  /** The product's secret key, `sk_…`: needed by external apps, and for `checkAccess`. Default: `PORTARIA_API_KEY`. */
  apiKey?: string | undefined
  /** The product's publishable key, `pk_…`: makes this an external app. Default: `PORTARIA_PUBLISHABLE_KEY`. */
  publishableKey?: string | undefined
  /** An external product's id. Known from the start, tokens of other products are refused before anyone is asked; else it is learned from the first confirmed session. */
  productId?: string | undefined
  /** 32 characters or more: access tokens are then kept in a sealed cookie rather than in memory. Default: `PORTARIA_COOKIE_SECRET`. */
  cookieSecret?: string | undefined
  /** Where `sign-in`, `callback` and `sign-out` lie. Default `/auth`. */
  authPath?: string | undefined
  /** What `@portaria/client/react` asks. Default `/api/auth/session`. */
  sessionPath?: string | undefined
  /**
   * The session's cookie. Default `eg_session`, which an app below the shared parent domain has from there. An external app on https has `__Host-eg_session`, which no
   * other host can set: else a sibling of the app's could sign its visitors in as somebody else.
   */
  cookieName?: string | undefined
  /** How often, in seconds, a session is confirmed with Portaria: so late at most is a sign-out elsewhere seen here. 0: every time. Default 60. */
  confirmEverySeconds?: number | undefined
  /** How long, in seconds, an answer of `checkAccess` that grants is remembered. 0: never, also not while Portaria can't be asked; else it is then for ten minutes. Default 30. */
  accessSeconds?: number | undefined
  /** How long to wait for Portaria, in ms. Default 5000. */
  timeoutMs?: number | undefined
  /** What calls Portaria. Default: the global `fetch`. */
  fetch?: typeof fetch | undefined
  /** Ms since 1970. Default: `Date.now`. */
  now?: (() => number) | undefined
  /** Hears, in plain words without secrets, what went wrong on the way to Portaria; the same at most once in five seconds. Default: `console.warn`. */
  onFault?: ((message: string) => unknown) | undefined
}

/** The same, checked and complete. */
export interface Settings {
  /** An origin, without a slash at the end: also the tokens' `iss`. */
  url: string
  appOrigin: string
  /** The path under which the app lies: empty, or with a slash before it and none behind. */
  appPath: string
  isHttps: boolean
  apiKey: string | undefined
  publishableKey: string | undefined
  productId: string | undefined
  cookieSecret: string | undefined
  /** As the browser sends them, `appPath` included. */
  authPath: string
  sessionPath: string
  cookieName: string
  confirmEveryMs: number
  accessMs: number
  timeoutMs: number
  fetch: typeof fetch
  now: () => number
  onFault: (message: string) => void
}

/** What each option is, by `typeof`. */
const KINDS: Record<keyof PortariaOptions, 'string' | 'number' | 'function'> = {
  url: 'string',
  appUrl: 'string',
  apiKey: 'string',
  publishableKey: 'string',
  productId: 'string',
  cookieSecret: 'string',
  authPath: 'string',
  sessionPath: 'string',
  cookieName: 'string',
  confirmEverySeconds: 'number',
  accessSeconds: 'number',
  timeoutMs: 'number',
  fetch: 'function',
  now: 'function',
  onFault: 'function',
}

/** The options that are of their kinds; the others are faults. Types alone don't see what is misspelt in JavaScript, or read from a variable as text. */
function readOptions(given: PortariaOptions, faults: string[]): PortariaOptions {
  const options = { ...given }
  for (const [name, value] of Object.entries(options)) {
    const kind: string | undefined = Object.hasOwn(KINDS, name) ? Reflect.get(KINDS, name) : undefined
    if (value === undefined || typeof value === kind) continue
    faults.push(kind === undefined ? `\`${name}\` is no option` : `\`${name}\` must be a ${kind}`)
    Reflect.deleteProperty(options, name)
  }
  return options
}

/** Checks the options. Throws one `PortariaError` that names every fault, each with what is expected. */
export function readSettings(given: PortariaOptions, environment: Record<string, string | undefined>): Settings {
  const faults: string[] = []
  const options = readOptions(given, faults)
  const text = (option: keyof PortariaOptions, variable: string, given: string | undefined) => {
    const value = given ?? environment[variable]
    return { name: given === undefined ? variable : `\`${option}\``, value: value === '' ? undefined : value }
  }
  const address = ({ name, value }: { name: string; value: string | undefined }, form: string): URL => {
    const url = value === undefined ? null : URL.parse(value)
    if (url && (url.protocol === 'https:' || url.protocol === 'http:') && !url.search && !url.hash && !url.username) return url
    faults.push(value === undefined ? `${name} is missing: ${form}` : `${name} must be ${form}`)
    return new URL('https://invalid.example')
  }
  const key = (kind: string, { name, value }: { name: string; value: string | undefined }): string | undefined => {
    if (value !== undefined && !value.startsWith(kind)) faults.push(`${name} must be a key that begins with ${kind}`)
    // It would be no header, and every call would fail as if Portaria were away.
    else if (value !== undefined && !/^[!-~]+$/.test(value)) faults.push(`${name} has a line break, a space or a special letter in it`)
    return value
  }
  const seconds = (option: string, given: number | undefined, fallback: number): number => {
    if (given !== undefined && !(given >= 0 && given <= 3600)) faults.push(`\`${option}\` must be 0 to 3600 seconds`)
    return (given ?? fallback) * 1000
  }
  const path = (option: string, given: string): string => {
    if (!/^(?:\/[\w.~-]+)+$/.test(given)) faults.push(`\`${option}\` must be a path as in /auth, without a slash at the end`)
    return given
  }

  const url = text('url', 'PORTARIA_URL', options.url)
  const hint = url.name === 'PORTARIA_URL' && url.value === undefined ? ' (node does not read .env by itself: node --env-file=.env)' : ''
  const portaria = address(url, `the address of Portaria, as in https://sso.example.com${hint}`)
  const app = address(text('appUrl', 'PORTARIA_APP_URL', options.appUrl), 'the address of this app, as in https://app.example.com')
  if (portaria.pathname !== '/') faults.push('`url` (PORTARIA_URL) must have no path')
  const appPath = app.pathname.replace(/\/+$/, '')
  const cookieSecret = text('cookieSecret', 'PORTARIA_COOKIE_SECRET', options.cookieSecret).value
  if (cookieSecret !== undefined && cookieSecret.length < 32)
    faults.push('`cookieSecret` (PORTARIA_COOKIE_SECRET) must have 32 characters or more')
  const isHttps = app.protocol === 'https:'
  const publishableKey = key('pk_', text('publishableKey', 'PORTARIA_PUBLISHABLE_KEY', options.publishableKey))
  const cookieName = options.cookieName ?? (isHttps && publishableKey !== undefined ? '__Host-eg_session' : 'eg_session')
  if (!/^[\w-]{1,64}$/.test(cookieName)) faults.push('`cookieName` must be letters, digits, _ and -')
  const timeoutMs = options.timeoutMs ?? 5000
  if (!Number.isInteger(timeoutMs) || timeoutMs < 1 || timeoutMs > 60_000) faults.push('`timeoutMs` must be a whole number from 1 to 60000')
  if (cookieName.startsWith('__Host-') && !isHttps) faults.push('a `cookieName` with __Host- needs an app on https')
  const now = options.now ?? Date.now
  const settings: Settings = {
    url: portaria.origin,
    appOrigin: app.origin,
    appPath,
    isHttps,
    apiKey: key('sk_', text('apiKey', 'PORTARIA_API_KEY', options.apiKey)),
    publishableKey,
    productId: options.productId === '' ? undefined : options.productId,
    cookieSecret,
    authPath: appPath + path('authPath', options.authPath ?? '/auth'),
    sessionPath: appPath + path('sessionPath', options.sessionPath ?? '/api/auth/session'),
    cookieName,
    confirmEveryMs: seconds('confirmEverySeconds', options.confirmEverySeconds, 60),
    accessMs: seconds('accessSeconds', options.accessSeconds, 30),
    timeoutMs,
    fetch: options.fetch ?? ((input, init) => fetch(input, init)),
    now,
    onFault: calmly(options.onFault ?? ((message) => console.warn(`Portaria: ${message}`)), now),
  }
  if (settings.publishableKey !== undefined && settings.apiKey === undefined)
    faults.push('PORTARIA_API_KEY is missing: an external app, which has a publishable key, exchanges what it receives with its secret key')
  if (faults.length > 0) throw new PortariaError('configuration', faults.join('\n'))
  return settings
}

/** `PORTARIA_*` where the runtime has an environment; workers have none, and say everything in the options. */
export function readEnvironment(): Record<string, string | undefined> {
  const process: { env?: Record<string, string | undefined> } | undefined = Reflect.get(globalThis, 'process')
  return process?.env ?? {}
}
