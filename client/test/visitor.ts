import { type IncomingHttpHeaders, request } from 'node:http'
import type { Browser } from '../../server/test/support/browser.ts'
import { PASSWORD, type TestService } from '../../server/test/support/service.ts'
import { goOn } from '../../server/test/support/users/sign-in-steps.ts'

export interface Reply {
  status: number
  headers: IncomingHttpHeaders
  /** Each as it stood in a header of its own. */
  setCookies: string[]
  text: string
}

/** A browser at an app, byte by byte: Node's `fetch` would say of itself that it is no navigation. It follows no redirect. */
export interface Visitor {
  readonly cookies: Map<string, string>
  send(method: string, path: string, options?: { headers?: Record<string, string>; body?: string }): Promise<Reply>
  /** As a user goes somewhere. */
  open(path: string, headers?: Record<string, string>): Promise<Reply>
}

const NAVIGATION = { accept: 'text/html', 'sec-fetch-mode': 'navigate', 'sec-fetch-dest': 'document', 'sec-fetch-site': 'none' }

export function newVisitor(app: string): Visitor {
  const cookies = new Map<string, string>()
  const send: Visitor['send'] = async (method, path, { headers = {}, body } = {}) => {
    const cookie = [...cookies].map(([name, value]) => `${name}=${value}`).join('; ')
    const reply = await exchange(app, { method, path, headers: { ...(cookie && { cookie }), ...headers }, body })
    for (const line of reply.setCookies) {
      const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(line) ?? []
      if (line.includes('Max-Age=0')) cookies.delete(name)
      else cookies.set(name, value)
    }
    return reply
  }
  return { cookies, send, open: (path, headers = {}) => send('GET', path, { headers: { ...NAVIGATION, ...headers } }) }
}

/**
 * From the app's sign-in to its callback, which is answered here and not yet opened: the user's browser at Portaria does what lies
 * between.
 */
export async function signInAtPortaria(
  visitor: Visitor,
  service: TestService,
  email: string,
  returnTo: string,
  startPath = `/auth/sign-in?return_to=${encodeURIComponent(returnTo)}`,
): Promise<URL> {
  const start = await visitor.open(startPath)
  const login = new URL(start.headers.location ?? '')
  const browser: Browser = service.browser()
  const arrived = await goOn(browser, await browser.signIn(login.pathname + login.search, { email, password: PASSWORD }))
  if (!arrived.location) throw new Error(`no way back: ${arrived.status} ${arrived.text.slice(0, 200)}`)
  return arrived.location
}

function exchange(
  app: string,
  { method, path, headers, body }: { method: string; path: string; headers: Record<string, string>; body: string | undefined },
): Promise<Reply> {
  const { hostname, port } = new URL(app)
  return new Promise((resolve, reject) => {
    const length = body === undefined ? {} : { 'content-length': String(Buffer.byteLength(body)) }
    const guardedFetch = request({ hostname, port, method, path, headers: { ...length, ...headers }, agent: false }, (incoming) => {
      let text = ''
      incoming.setEncoding('utf8').on('data', (chunk: string) => {
        text += chunk
      })
      const { statusCode = 0, headers } = incoming
      incoming.on('end', () => resolve({ status: statusCode, headers, setCookies: headers['set-cookie'] ?? [], text }))
      incoming.on('error', reject)
    })
    guardedFetch.on('error', reject)
    guardedFetch.end(body)
  })
}
