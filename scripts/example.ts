// `npm run example -- external`: an app of another company, started against the service that runs here, with the keys of a product that was
// just made. The lines that the console shows for the app are pasted in, or lie in a file that is named: a secret is no argument, which
// every process of the machine could read.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { createServer } from 'node:net'
import process from 'node:process'
import { createInterface } from 'node:readline'
import { Writable } from 'node:stream'
import { fileURLToPath } from 'node:url'
import { buildClient } from './check.ts'

const NAMES = ['PORTARIA_URL', 'PORTARIA_PUBLISHABLE_KEY', 'PORTARIA_API_KEY'] as const
type Keys = Record<(typeof NAMES)[number], string>

const USAGE = `npm run example -- external         then paste the lines that the console shows for your app
npm run example -- external FILE    the same from a file`
const SUGGESTED = 'http://127.0.0.1:4004/auth/callback'
const TIMEOUT_MS = 10_000

const [name, file, ...rest] = process.argv.slice(2)
if (name !== 'external' || rest.length > 0) give(2, USAGE)
else await run(file)

async function run(from: string | undefined): Promise<void> {
  const keys = await readKeys(from)
  if (typeof keys === 'string') return give(1, keys)
  const appUrl = await findAppUrl(keys)
  if ('fault' in appUrl) return give(1, appUrl.fault)
  const { port } = appUrl.url
  if (!(await isFree(Number(port)))) return give(1, `port ${port} is taken by another program: stop it, then try again`)
  if (!existsSync(new URL('../client/dist/express.js', import.meta.url))) {
    console.log('Building what the example stands on (once, a few seconds) …')
    await buildClient()
  }
  const app = spawn(process.execPath, [fileURLToPath(new URL('../examples/external-express/app.js', import.meta.url))], {
    env: { ...process.env, ...keys, PORT: port, PORTARIA_APP_URL: appUrl.url.origin },
    stdio: ['ignore', 'inherit', 'inherit'],
  })
  for (const signal of ['SIGTERM', 'SIGHUP'] as const) process.once(signal, () => app.kill(signal))
  // A terminal sends its interrupt to both.
  process.on('SIGINT', () => (process.stdin.isTTY ? undefined : app.kill('SIGINT')))
  console.log('Open its address in the browser in which you are signed in. Ctrl+C stops it.')
  const [code] = await once(app, 'exit')
  process.exitCode = code ?? 0
}

/** The lines of a file, or as they come, until none is missing. Answers what is wrong, in a sentence. */
async function readKeys(from: string | undefined): Promise<Keys | string> {
  const found = new Map<string, string>()
  if (from === undefined) await readTyped(found)
  else {
    const text = await readFile(from, 'utf8').catch((error: unknown) => ({ fault: error instanceof Error ? error.message : String(error) }))
    if (typeof text !== 'string') return `${from} can't be read: ${text.fault}`
    for (const line of text.split('\n')) take(line, found)
  }
  if (!isComplete(found)) return `missing: ${missing(found)}. The console shows these lines when a product was made`
  const [url = '', publishableKey = '', apiKey = ''] = NAMES.map((one) => found.get(one))
  if (!URL.canParse(url)) return `PORTARIA_URL: ${url} is no address, as in http://localhost:3000`
  return { PORTARIA_URL: url.replace(/\/$/, ''), PORTARIA_PUBLISHABLE_KEY: publishableKey, PORTARIA_API_KEY: apiKey }
}

async function readTyped(found: Map<string, string>): Promise<void> {
  const isTerminal = process.stdin.isTTY === true
  const names = NAMES.map((one) => `  ${one}=…`).join('\n')
  const unseen = new Writable({ write: (_chunk, _encoding, done) => done() })
  // Before anybody is asked: a key that is pasted until then would be shown.
  const lines = createInterface({ input: process.stdin, ...(isTerminal && { output: unseen, terminal: true }) })
  if (isTerminal) console.log(`Paste the lines that the console shows for your app, then press Enter (they are not shown here):\n${names}`)
  for await (const line of lines) {
    take(line, found)
    if (isComplete(found)) break
    if (isTerminal && line.trim() === '') console.log(`Still missing: ${missing(found)}`)
  }
  lines.close()
}

function take(line: string, found: Map<string, string>): void {
  const [, key = '', value = ''] = /^\s*(?:export\s+)?(\w+)\s*=\s*["']?([^\s"']+)["']?\s*$/.exec(line) ?? []
  if (NAMES.some((one) => one === key)) found.set(key, value)
}

function isComplete(found: ReadonlyMap<string, string>): boolean {
  return NAMES.every((one) => found.has(one))
}

function missing(found: ReadonlyMap<string, string>): string {
  return NAMES.filter((one) => !found.has(one)).join(', ')
}

interface OwnProduct {
  slug: string
  audience: string
  publishable_key: string
  redirect_uris: Array<{ uri: string }>
}

/** Where the app has to listen for its registered address to lead to it: asked of the service, with the app's own key. */
async function findAppUrl(keys: Keys): Promise<{ url: URL } | { fault: string }> {
  const service = keys.PORTARIA_URL
  const product = await askProduct(keys)
  if (typeof product === 'string') return { fault: product }
  if (product.publishable_key !== keys.PORTARIA_PUBLISHABLE_KEY)
    return { fault: 'the two keys are of different products: paste the lines of one product' }
  if (product.audience !== 'external')
    return { fault: `${product.slug} is an internal app, and this example is one of another company: make an external product for it` }
  const url = product.redirect_uris.map(({ uri }) => new URL(uri)).find((one) => isOurs(one, service))
  if (url) return { url }
  const byHand = `npx portaria product set ${product.slug} --add-uri ${SUGGESTED}`
  return {
    fault: `${product.slug} has no redirect URI on this machine for the example to listen at. Add ${SUGGESTED} in the console (${service}/admin), or: ${byHand}`,
  }
}

async function askProduct({ PORTARIA_URL: service, PORTARIA_API_KEY: key }: Keys): Promise<OwnProduct | string> {
  try {
    const headers = { authorization: `Bearer ${key}` }
    const answer = await fetch(`${service}/api/products/self`, { headers, signal: AbortSignal.timeout(TIMEOUT_MS) })
    if (answer.status === 401) return `${service} does not know this API key: is it whole, and not revoked?`
    if (answer.status !== 200) return `${service} answers ${answer.status}: is it Portaria?`
    const product: OwnProduct = JSON.parse(await answer.text())
    return product
  } catch {
    return `no answer from ${service}: does Portaria run there? (npm start)`
  }
}

/**
 * On another host than the service: browsers keep cookies by host, whatever the port, and the session of the one would overwrite the
 * other's.
 */
function isOurs({ protocol, hostname, port, pathname }: URL, service: string): boolean {
  const isHere = hostname === '127.0.0.1' || hostname === 'localhost'
  return protocol === 'http:' && isHere && hostname !== new URL(service).hostname && port !== '' && pathname === '/auth/callback'
}

async function isFree(port: number): Promise<boolean> {
  const server = createServer()
  try {
    const listening = once(server, 'listening')
    server.listen(port, '127.0.0.1')
    await listening
    return true
  } catch {
    return false // taken, or not ours to have: the caller says so
  } finally {
    server.close()
  }
}

function give(code: number, sentence: string): void {
  console.error(sentence)
  process.exitCode = code
}
