import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import path from 'node:path'
import process from 'node:process'
import { fileURLToPath } from 'node:url'
import type { BrowserContextOptions, Page } from 'playwright-core'
import { freePort } from '../../server/test/support/free-port.ts'
import { memoryFolder } from '../../server/test/support/memory-folder.ts'
import { cheapPasswords, startService, type TestService } from '../../server/test/support/service.ts'
import { type OwnBrowser, openBrowser } from './browser.ts'

/** Everything a journey needs: the service, an internal and an external app in processes of their own, and a browser. */
export interface Harness {
  service: TestService
  painel: string
  livraria: string
  /** A tab of a new visitor, who reads Portuguese unless `options` say otherwise. */
  visitor(options?: BrowserContextOptions): Promise<Page>
  /** Everything the consoles of all tabs said, but for the status of a page that is itself the answer to a mistake. */
  complaints: string[]
  close(): Promise<void>
}

/** Starts it all, on SQLite unless a database is given. The caller closes it. */
export async function startHarness(database?: { url: string }, environment: Record<string, string> = {}): Promise<Harness> {
  const folder = mkdtempSync(path.join(memoryFolder(), 'portaria-e2e-'))
  const [painelPort, livrariaPort] = [await freePort(), await freePort()]
  const painel = `http://localhost:${painelPort}`
  const livraria = `http://127.0.0.1:${livrariaPort}`
  const options = { environment, passwords: cheapPasswords, stops: 'by_caller' } as const
  const service = await startService(database ?? { url: `sqlite:${path.join(folder, 'portaria.db')}` }, options)
  await service.product({ slug: 'painel', name: 'Painel', uris: [`${painel}/callback`] })
  const external = { audience: 'external', checkout: 'external' } as const
  const { product, apiKey } = await service.product({
    slug: 'livraria',
    name: 'Livraria Aurora',
    uris: [`${livraria}/callback`],
    ...external,
  })
  const keys = { PRODUCT_ID: product.id, PUBLISHABLE_KEY: product.publishableKey, API_KEY: apiKey }
  const apps = [
    await startApp('internal', { PORTARIA_URL: service.url, PORT: String(painelPort) }),
    await startApp('external', { PORTARIA_URL: service.url, PORT: String(livrariaPort), ...keys }),
  ]
  const browser = await openBrowser()
  const complaints: string[] = []
  return {
    service,
    painel,
    livraria,
    complaints,
    visitor: (options = {}) => newVisitor(browser, options, complaints),
    async close() {
      await browser.close()
      for (const app of apps) app.kill()
      await service.stop()
      rmSync(folder, { recursive: true, force: true })
    },
  }
}

/** A tab of somebody new, whose console is listened to. */
export async function newVisitor(browser: OwnBrowser, options: BrowserContextOptions, complaints: string[]): Promise<Page> {
  const context = await browser.newContext({ locale: 'pt-BR', ...options })
  context.setDefaultTimeout(60_000)
  context.on('console', (message) => {
    const isOwnStatus = message.text().startsWith('Failed to load resource') && message.location().url === message.page()?.url()
    // A journey may type before the browser has put the focus where the page wants it: then the browser remarks on that, and rightly leaves
    // it.
    const isFasterThanFocus = message.text().startsWith('Autofocus processing was blocked because a document already has a focused element')
    if (message.type() !== 'log' && !isOwnStatus && !isFasterThanFocus) complaints.push(`${message.location().url}: ${message.text()}`)
  })
  context.on('weberror', (fault) => complaints.push(String(fault.error())))
  return context.newPage()
}

/**
 * A busy machine may take longer for an answer than an app waits by itself, which is five seconds: here it waits for a minute, so that none
 * shows the page for a Portaria that is away. What it answers while it waits is the same.
 */
export const PATIENTLY = 'data:text/javascript,const t=AbortSignal.timeout.bind(AbortSignal);AbortSignal.timeout=(ms)=>t(12*ms)'

function startApp(name: string, environment: Record<string, string>): Promise<ChildProcess> {
  return startProcess(['--import', PATIENTLY, fileURLToPath(new URL(`../../examples/${name}/app.js`, import.meta.url))], environment)
}

/** Starts a process of Node, and waits until it says that it listens: with its first words, unless others are named. */
export async function startProcess(args: readonly string[], environment: Record<string, string>, ready = /\S/): Promise<ChildProcess> {
  const app = spawn(process.execPath, args, { env: { ...process.env, ...environment }, stdio: ['ignore', 'pipe', 'inherit'] })
  process.once('exit', () => app.kill())
  const listening = Promise.withResolvers<void>()
  app.stdout.setEncoding('utf8').on('data', (text: string) => ready.test(text) && listening.resolve())
  await Promise.race([listening.promise, once(app, 'exit').then(() => Promise.reject(new Error(`${args.join(' ')} did not start`)))])
  return app
}
