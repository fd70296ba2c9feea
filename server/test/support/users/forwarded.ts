import assert from 'node:assert/strict'
import { request } from 'node:http'
import { type ForwardAuthChange, setForwardAuth } from '../../../src/forward-auth/index.ts'
import type { Product } from '../../../src/products/index.ts'
import type { Answer, Browser } from '../browser.ts'
import type { TestService } from '../service.ts'

/** The service at its own host below a domain, behind a proxy that it trusts. */
export const BEHIND_PROXY = { PORTARIA_URL: 'https://sso.example.com', PORTARIA_COOKIE_DOMAIN: 'example.com', PORTARIA_TRUST_PROXY: '1' }

export const NAVIGATION = {
  accept: 'text/html,application/xhtml+xml,*/*;q=0.8',
  'sec-fetch-mode': 'navigate',
  'sec-fetch-dest': 'document',
}

/** Changes a product's forward auth; throws where it is refused. */
export async function forward(service: TestService, product: Product, change: ForwardAuthChange | 'off'): Promise<void> {
  const { cookieDomain, baseUrl } = service.config
  const set = await setForwardAuth(product.id, change, { ...service.context, cookieDomain, baseUrl, actor: 'operator:test' })
  assert.ok(!('refusal' in set), JSON.stringify(set))
}

/** An app on one host behind the proxy. */
export async function forwarded(
  service: TestService,
  slug: string,
  {
    input = {},
    host = `${slug}.example.com`,
    ...rule
  }: ForwardAuthChange & { input?: Partial<Parameters<TestService['product']>[0]>; host?: string } = {},
): Promise<{ host: string; product: Product }> {
  const { product } = await service.product({ slug, ...input })
  await forward(service, product, { ...rule, addHosts: [host] })
  return { host, product }
}

interface Question {
  /** The method and address that the browser has asked the proxy for. */
  method?: string
  uri?: string
  path?: string
  headers?: Record<string, string>
}

/** The question of a proxy about a request with this browser's cookies. Not by `fetch`, which has its own `Sec-Fetch-Mode`. */
export function ask(
  service: TestService,
  browser: Browser,
  host: string,
  { method = 'GET', uri = '/', path, headers }: Question = {},
): Promise<Answer> {
  const cookie = [...browser.cookies].map(([name, value]) => `${name}=${value}`).join('; ')
  const given = { 'x-forwarded-host': host, 'x-forwarded-method': method, 'x-forwarded-uri': uri, 'x-forwarded-proto': 'https' }
  return send(service, path ?? '/auth/forward', { accept: '*/*', ...(cookie && { cookie }), ...given, ...headers })
}

/** A GET, or another method, with these header fields and no others but `Host`. `from`: a loopback address to send it from. */
export function send(
  service: TestService,
  path: string,
  headers: Record<string, string>,
  { method = 'GET', from }: { method?: string; from?: string } = {},
): Promise<Answer> {
  const place = from === undefined ? { host: 'localhost' } : { host: '127.0.0.1', localAddress: from }
  return new Promise((resolve, reject) => {
    const sent = request({ ...place, port: service.config.port, path, method, headers, agent: false }, (response) => {
      const chunks: Buffer[] = []
      response.on('data', (chunk: Buffer) => chunks.push(chunk))
      response.on('end', () => {
        const text = Buffer.concat(chunks).toString()
        const lines = Object.entries(response.headersDistinct).flatMap(([name, values = []]) =>
          values.map((value): [string, string] => [name, value]),
        )
        const location = response.headers.location
        resolve({
          status: response.statusCode ?? 0,
          headers: new Headers(lines),
          text,
          location: location === undefined ? undefined : new URL(location, service.url),
          json: <T>() => JSON.parse(text) as T,
        })
      })
    })
    sent.on('error', reject)
    sent.end()
  })
}

/** The headers that the proxy passes on to the app. */
export function identity({ headers }: Answer): Record<string, string | null> {
  const names = ['user', 'email', 'name', 'plan', 'impersonator']
  return Object.fromEntries(names.map((name) => [name, headers.get(`portaria-${name}`)]))
}
