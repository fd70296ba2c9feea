import { PortariaError } from './error.ts'
import { swallowErrors } from './faults.ts'
import { hostName } from './http/cookies.ts'
import { parseUrl } from './http/parse-url.ts'

/** The text of a request's body; `undefined` where it is too long. */
export type ReadBody = () => Promise<string | undefined>

/** Answers a delivery of events. `raw`: the framework's own request, where its body is read from. It never rejects. */
export type EventReceiver = (request: Request, readBody?: ReadBody, raw?: unknown) => Promise<Response>

/** An app's options. A missing option is read from the environment, if there is one. */
export interface PortariaOptions {
  /** Portaria's address, as `https://sso.example.com`. Default: `PORTARIA_URL`. */
  url?: string | undefined
  /**
   * This app's address, as users' browsers reach it; with a path if it has one. Never taken from a request. Default: `PORTARIA_APP_URL`.
   */
  appUrl?: string | undefined
  /** The product's secret key, `sk_…`: needed by external apps, and for `checkAccess`. Default: `PORTARIA_API_KEY`. */
  apiKey?: string | undefined
  /** The product's publishable key, `pk_…`: makes this an external app. Default: `PORTARIA_PUBLISHABLE_KEY`. */
  publishableKey?: string | undefined
  /**
   * An external product's id. If given, tokens of other products are refused without a call; otherwise it is learned from the first
   * confirmed session.
   */
  productId?: string | undefined
  /** 32 characters or more: access tokens are then kept in a sealed cookie instead of memory. Default: `PORTARIA_COOKIE_SECRET`. */
  cookieSecret?: string | undefined
  /** The base path of `sign-in`, `callback` and `sign-out`. Default `/auth`. */
  authPath?: string | undefined
  /** The path that `@portaria/client/react` requests. Default `/api/auth/session`. */
  sessionPath?: string | undefined
  /**
   * The session's cookie. Default `eg_session`, which an app below the shared parent domain receives from there. An external app on https
   * has `__Host-eg_session`, which no other host can set: otherwise a sibling host could sign the app's visitors in as another user.
   */
  cookieName?: string | undefined
  /**
   * The origins of pages of this app outside of `appUrl`, as of a single-page app beside its API: `['https://app.example.com']`. They may
   * read the session, sign out, and be returned to. They must be on the same site as `appUrl`: browsers send no cookies to others. Default:
   * `PORTARIA_ALLOWED_ORIGINS`, separated by spaces; else none.
   */
  allowedOrigins?: readonly string[] | undefined
  /**
   * The interval, in seconds, in which a session is confirmed with Portaria: a sign-out elsewhere is seen here after this time at most. 0:
   * every time. Default 60.
   */
  confirmEverySeconds?: number | undefined
  /**
   * The time, in seconds, in which a grant of `checkAccess` is remembered; while Portaria can't be asked, it is remembered for ten minutes.
   * 0: never, in either case. Default 30.
   */
  accessSeconds?: number | undefined
  /** The timeout of a call to Portaria, in ms. Default 5000. */
  timeoutMs?: number | undefined
  /**
   * Called when Portaria reports that a session of this app has ended, or every session of a user where there is no `sid`: for an app with
   * a session store of its own. It may be called twice. If it fails, Portaria reports it again.
   */
  onSignedOut?: ((ended: { sid: string | null; sub: string | null }) => unknown) | undefined
  /** Answers `POST …/events`, where Portaria delivers events: `receiveEvents` of `@portaria/client/events`. */
  onEvent?: EventReceiver | undefined
  /** The function that calls Portaria. Default: the global `fetch`. */
  fetch?: typeof fetch | undefined
  /** Ms since 1970. Default: `Date.now`. */
  now?: (() => number) | undefined
  /**
   * Called with faults on the way to Portaria, in plain words without secrets; the same one at most once in five seconds. Default:
   * `console.warn`.
   */
  onFault?: ((message: string) => unknown) | undefined
}

/** The options, checked and complete. */
export interface Settings {
  /** An origin, without a slash at the end: also the tokens' `iss`. */
  url: string
  appOrigin: string
  /** The app's base path: empty, or with a slash at the beginning and none at the end. */
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
  allowedOrigins: readonly string[]
  confirmEveryMs: number
  accessMs: number
  timeoutMs: number
  onSignedOut: NonNullable<PortariaOptions['onSignedOut']>
  onEvent: EventReceiver | undefined
  fetch: typeof fetch
  now: () => number
  onFault: (message: string) => void
}

/** The type of each option, by `typeof`. */
const KINDS: Record<keyof PortariaOptions, 'string' | 'number' | 'function' | 'object'> = {
  url: 'string',
  appUrl: 'string',
  apiKey: 'string',
  publishableKey: 'string',
  productId: 'string',
  cookieSecret: 'string',
  authPath: 'string',
  sessionPath: 'string',
  cookieName: 'string',
  allowedOrigins: 'object',
  confirmEverySeconds: 'number',
  accessSeconds: 'number',
  timeoutMs: 'number',
  onSignedOut: 'function',
  onEvent: 'function',
  fetch: 'function',
  now: 'function',
  onFault: 'function',
}

/**
 * The options with valid types; the others are faults. The type check does not see misspellings in JavaScript, or values read from a
 * variable as text.
 */
function readOptions(given: PortariaOptions, faults: string[]): PortariaOptions {
  const options = { ...given }
  for (const [name, value] of Object.entries(options)) {
    const kind = new Map<string, string>(Object.entries(KINDS)).get(name)
    if (value === undefined || typeof value === kind) continue
    faults.push(kind === undefined ? `\`${name}\` is no option` : `\`${name}\` must be a ${kind}`)
    Reflect.deleteProperty(options, name)
  }
  return options
}

/** Checks the options. Throws one `PortariaError` that names every fault with the expected value. */
export function readSettings(given: PortariaOptions, environment: Record<string, string | undefined>): Settings {
  const faults: string[] = []
  const options = readOptions(given, faults)
  /** `cookieSecret` is PORTARIA_COOKIE_SECRET in the environment. A fault uses the name that was given. */
  const text = (option: 'url' | 'appUrl' | 'apiKey' | 'publishableKey' | 'cookieSecret') => {
    const variable = `PORTARIA_${option.replace(/[A-Z]/g, '_$&').toUpperCase()}`
    const value = options[option] ?? environment[variable]
    return { name: options[option] === undefined ? variable : `\`${option}\``, value: value === '' ? undefined : value }
  }
  const expect = (isRight: boolean, fault: string) => void (isRight || faults.push(fault))
  const address = (option: 'url' | 'appUrl', form: string, hint = ''): URL => {
    const { name, value } = text(option)
    const url = parseUrl(value ?? '')
    if (url && /^https?:$/.test(url.protocol) && !url.search && !url.hash && !url.username) return url
    faults.push(value === undefined ? `${name} is missing: ${form}${hint}` : `${name} must be ${form}`)
    return new URL('https://invalid.example')
  }
  const key = (option: 'apiKey' | 'publishableKey', kind: string): string | undefined => {
    const { name, value } = text(option)
    if (value?.startsWith(kind) === false) faults.push(`${name} must begin with ${kind}`)
    // An invalid header value: every call would fail as if Portaria were away.
    else expect(/^[!-~]*$/.test(value ?? ''), `${name} has a line break, a space or a special letter`)
    return value
  }
  const number = (option: 'confirmEverySeconds' | 'accessSeconds' | 'timeoutMs', fallback: number, least: number, most: number): number => {
    const value = options[option] ?? fallback
    expect(value >= least && value <= most, `\`${option}\` must be ${least} to ${most}`)
    return value
  }
  const path = (option: 'authPath' | 'sessionPath', fallback: string): string => {
    const value = options[option] ?? fallback
    expect(/^(?:\/[\w.~-]+)+$/.test(value), `\`${option}\` must be a path as in /auth`)
    return appPath + value
  }

  const { origin: url, pathname } = address('url', 'the address of Portaria, as in https://sso.example.com', HINT)
  expect(pathname === '/', '`url` (PORTARIA_URL) must have no path')
  const app = address('appUrl', 'the address of this app, as in https://app.example.com')
  const appPath = app.pathname.replace(/\/+$/, '')
  const isHttps = app.protocol === 'https:'
  const apiKey = key('apiKey', 'sk_')
  const publishableKey = key('publishableKey', 'pk_')
  expect(publishableKey === undefined || apiKey !== undefined, 'PORTARIA_API_KEY is missing: an app with a publishable key needs it')
  const { name: secret, value: cookieSecret } = text('cookieSecret')
  expect(cookieSecret === undefined || cookieSecret.length >= 32, `${secret} must have 32 characters or more`)
  const cookieName = options.cookieName ?? hostName('eg_session', isHttps && publishableKey !== undefined)
  expect(/^[\w-]{1,64}$/.test(cookieName), '`cookieName` must be letters, digits, _ and -')
  expect(isHttps || !cookieName.startsWith('__Host-'), 'a `cookieName` with __Host- needs an app on https')
  const allowedOrigins = options.allowedOrigins ?? environment.PORTARIA_ALLOWED_ORIGINS?.split(/[\s,]+/).filter((one) => one !== '') ?? []
  expect(
    [...allowedOrigins].every((one) => isOrigin(one, { isHttps })),
    `\`allowedOrigins\` (PORTARIA_ALLOWED_ORIGINS) must be origins as in http${isHttps ? 's' : ''}://app.example.com, without a path`,
  )
  const now = options.now ?? Date.now
  const settings: Settings = {
    url,
    appOrigin: app.origin,
    appPath,
    isHttps,
    apiKey,
    publishableKey,
    productId: options.productId || undefined,
    cookieSecret,
    authPath: path('authPath', '/auth'),
    sessionPath: path('sessionPath', '/api/auth/session'),
    cookieName,
    allowedOrigins,
    confirmEveryMs: number('confirmEverySeconds', 60, 0, 3600) * 1000,
    accessMs: number('accessSeconds', 30, 0, 3600) * 1000,
    timeoutMs: Math.ceil(number('timeoutMs', 5000, 1, 60_000)),
    onSignedOut: options.onSignedOut ?? (() => {}),
    onEvent: options.onEvent,
    fetch: options.fetch ?? ((input, init) => fetch(input, init)),
    now,
    onFault: swallowErrors(options.onFault ?? ((message) => console.warn(`Portaria: ${message}`)), now),
  }
  if (faults.length > 0) throw new PortariaError('configuration', faults.join('\n'))
  return settings
}

const HINT = ' (node reads .env by --env-file=.env; Vite keeps it from the server: give the values as options)'

/** Byte for byte as browsers send it. Anybody on the way can change a page on http. */
function isOrigin(text: unknown, { isHttps }: { isHttps: boolean }): boolean {
  return (
    typeof text === 'string' && parseUrl(text)?.origin === text && !text.includes('*') && text.startsWith(isHttps ? 'https://' : 'http')
  )
}

/** `PORTARIA_*` where the runtime has an environment; workers have none, and give all in the options. */
export function readEnvironment(): Record<string, string | undefined> {
  const process: { env?: Record<string, string | undefined> } | undefined = Reflect.get(globalThis, 'process')
  return process?.env ?? {}
}
