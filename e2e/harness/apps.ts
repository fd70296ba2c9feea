import { type ChildProcess, execFile } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import path from 'node:path'
import process from 'node:process'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import type { BrowserContextOptions, Page } from 'playwright-core'
import { setPlan } from '../../server/src/subscriptions/index.ts'
import { freePort } from '../../server/test/support/free-port.ts'
import { WEBHOOKS } from '../../server/test/support/gateways/purchases.ts'
import { memoryFolder } from '../../server/test/support/memory-folder.ts'
import { cheapPasswords, startService, type TestService } from '../../server/test/support/service.ts'
import { openBrowser } from './browser.ts'
import { newVisitor, PATIENTLY, startProcess } from './harness.ts'
import { startTlsProxy, type TlsProxy } from './tls-proxy.ts'

/**
 * The apps as in production: each on a host of its own, all over TLS. `portaria.test` is the domain that Portaria and its own apps share.
 */
const hosts = {
  sso: 'sso.portaria.test',
  next: 'next.portaria.test',
  express: 'livraria.example',
  hono: 'hono.example',
  /** Internal, but on a domain of its own: registered as trusted, and not. */
  trusted: 'trusted.example',
  stranger: 'stranger.example',
} as const

const urls = {
  sso: `https://${hosts.sso}`,
  next: `https://${hosts.next}`,
  express: `https://${hosts.express}`,
  hono: `https://${hosts.hono}`,
  trusted: `https://${hosts.trusted}`,
  stranger: `https://${hosts.stranger}`,
} as const

export type AppName = 'next' | 'express' | 'hono' | 'trusted' | 'stranger'

export interface Apps {
  service: TestService
  /** Where each app is, of those that were asked for. */
  urls: typeof urls
  proxy: TlsProxy
  /** The product whose plan `clube-mensal` the Express example sells. */
  clubId: string
  visitor(options?: BrowserContextOptions): Promise<Page>
  complaints: string[]
  close(): Promise<void>
}

/** So late at most do the external apps see what happened elsewhere, in seconds. */
export const CONFIRM_EVERY_SECONDS = 1

const root = fileURLToPath(new URL('../../', import.meta.url))
const examples = path.join(root, 'examples')
const nextCommand = path.join(root, 'node_modules', 'next', 'dist', 'bin', 'next')
const external = { audience: 'external', checkout: 'external' } as const

/** Starts the service, a browser, and the examples named. The caller closes it. */
export async function startApps(...names: AppName[]): Promise<Apps> {
  const ports = new Map<string, number>()
  const proxy = await startTlsProxy(Object.values(hosts), (host) => ports.get(host))
  const folder = mkdtempSync(path.join(memoryFolder(), 'portaria-apps-'))
  const environment = { PORTARIA_URL: urls.sso, PORTARIA_COOKIE_DOMAIN: 'portaria.test', PORTARIA_TRUST_PROXY: '1', ...WEBHOOKS }
  const database = { url: `sqlite:${path.join(folder, 'portaria.db')}` }
  const service = await startService(database, { environment, passwords: cheapPasswords, stops: 'by_caller' })
  ports.set(hosts.sso, service.config.port)
  const keys = await register(service)
  const start = async (name: AppName) => {
    const port = await freePort()
    ports.set(hosts[name], port)
    return startApp(name, { ...proxy.environment, ...keys[name], PORT: String(port) })
  }
  const [browser, ...processes] = await Promise.all([openBrowser(proxy.browserFlags), ...names.map(start)])
  const complaints: string[] = []
  return {
    service,
    urls,
    proxy,
    clubId: keys.clubId,
    complaints,
    visitor: (options = {}) => newVisitor(browser, options, complaints),
    async close() {
      await browser.close()
      for (const app of processes) app.kill()
      await proxy.close()
      await service.stop()
      rmSync(folder, { recursive: true, force: true })
    },
  }
}

/** Makes the products, and answers what the environment of each app has to say beyond its address. */
async function register(service: TestService) {
  const operator = { ...service.context, actor: 'operator:test' }
  const callback = (name: AppName) => `${urls[name]}/auth/callback`
  await service.product({ slug: 'caderno', name: 'Caderno', uris: [callback('next')] })
  await service.product({ slug: 'vizinha', name: 'Rádio Vizinha', trusted: [callback('trusted')] })
  await service.product({ slug: 'estranha', name: 'Rádio Estranha', uris: [callback('stranger')] })
  const club = await service.product({ slug: 'clube', name: 'Clube do Livro', uris: [callback('express')], ...external })
  const radio = await service.product({ slug: 'radio', name: 'Rádio Maré', uris: [callback('hono')], ...external })
  const plan = await setPlan({ slug: 'clube-mensal', name: 'Clube mensal', price: 2900, productSlug: 'clube' }, operator)
  if ('refusal' in plan) throw new Error(plan.refusal)
  const keysOf = ({ product, apiKey }: typeof club) => ({ PORTARIA_PUBLISHABLE_KEY: product.publishableKey, PORTARIA_API_KEY: apiKey })
  return { next: {}, trusted: {}, stranger: {}, express: keysOf(club), hono: keysOf(radio), clubId: club.product.id }
}

function startApp(name: AppName, given: Record<string, string>): Promise<ChildProcess> {
  const environment = {
    ...given,
    PORTARIA_URL: urls.sso,
    PORTARIA_APP_URL: urls[name],
    CONFIRM_EVERY_SECONDS: String(CONFIRM_EVERY_SECONDS),
  }
  if (name === 'next') return startNext(environment)
  // Its environment alone makes an app internal: the Hono example without keys is one.
  return startProcess(
    ['--import', PATIENTLY, path.join(examples, name === 'express' ? 'external-express' : 'external-hono', 'app.js')],
    environment,
  )
}

/** As in production, since that is what operators run; the build takes a few seconds, and the network of nobody. */
async function startNext(settings: Record<string, string>): Promise<ChildProcess> {
  const folder = path.join(examples, 'internal-next')
  const environment = { ...settings, NEXT_TELEMETRY_DISABLED: '1', NODE_ENV: 'production' }
  await promisify(execFile)(process.execPath, [nextCommand, 'build', folder], { env: { ...process.env, ...environment } })
  return startProcess(['--import', PATIENTLY, nextCommand, 'start', folder], environment, /Ready/)
}
