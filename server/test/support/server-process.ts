import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import process from 'node:process'
import { after } from 'node:test'
import { fileURLToPath } from 'node:url'
import type { Storage } from '../../src/storage/index.ts'
import { Browser } from './browser.ts'
import type { TestService } from './service.ts'

export interface ServerProcess {
  url: string
  child: ChildProcess
  /** How it ended. */
  exited: Promise<{ code: number | null; signal: string | null }>
  /** Standard output and standard error so far. */
  log(): string
  complaints(): string
  browser(): Browser
  /** Sets the machine's clock, as far ahead of ours; in whole ms, as a machine's clock is read. */
  setClock(aheadMs: number): void
}

const [hooks, main] = ['../../bin/own-modules.mjs', '../../src/main.ts'].map((file) => new URL(file, import.meta.url))

const program = (before: string) =>
  `${before} await import('${hooks}'); const { serve } = await import('${main}'); process.exitCode = await serve(process.env)`

const launcher = fileURLToPath(new URL('../../bin/portaria.mjs', import.meta.url))

interface SpawnOptions {
  fileBlocks?: number
  openFiles?: number
  cwd?: string
  clockAheadMs?: number
}

/** The same as `launchServer`, but it is killed when the test ends. */
export function spawnServer(environment: Record<string, string>, options: SpawnOptions = {}): ServerProcess {
  const server = launchServer(environment, options)
  after(() => void server.child.kill('SIGKILL'))
  return server
}

/**
 * The real service as a process of its own, with no environment but this one (and where Node keeps what it has compiled). `fileBlocks`, of
 * 512 bytes, is the size to which it may make a file grow: a full disk; `openFiles` is how many it may open. `clockAheadMs` is how far the
 * machine's clock is ahead of ours: a start that comes later. With `PORTARIA_PROCESSES` it is the launcher, which an operator starts, and
 * its clock can't be set.
 */
export function launchServer(
  environment: Record<string, string>,
  { fileBlocks, openFiles, cwd, clockAheadMs = 0 }: SpawnOptions = {},
): ServerProcess {
  const clock = `let ahead = ${clockAheadMs}; const clock = Date.now; Date.now = () => clock() + ahead;
    process.on('message', (ms) => { ahead = ms }); process.channel.unref();`
  const started = environment.PORTARIA_PROCESSES ? [launcher, 'serve'] : ['--input-type=module', '-e', program(clock)]
  const node = [process.execPath, '--disable-warning=ExperimentalWarning', ...started]
  const limits = [fileBlocks !== undefined && `ulimit -f ${fileBlocks}`, openFiles !== undefined && `ulimit -n ${openFiles}`].filter(
    Boolean,
  )
  const [file = '', ...args] = limits.length === 0 ? node : ['sh', '-c', `${limits.join('; ')}; exec "$@"`, 'sh', ...node]
  const { PATH = '', NODE_COMPILE_CACHE } = process.env
  const env = { PATH, ...(NODE_COMPILE_CACHE && { NODE_COMPILE_CACHE }), HOST: 'localhost', ...environment }
  const child = spawn(file, args, { env, stdio: ['ignore', 'pipe', 'pipe', 'ipc'], ...(cwd !== undefined && { cwd }) })
  let log = ''
  let complaints = ''
  child.stdout?.setEncoding('utf8').on('data', (text: string) => (log += text))
  child.stderr?.setEncoding('utf8').on('data', (text: string) => (complaints += text))
  const url = environment.PORTARIA_URL ?? `http://localhost:${environment.PORT}`
  return {
    url,
    child,
    exited: once(child, 'close').then(([code, signal]) => ({ code, signal })),
    log: () => log,
    complaints: () => complaints,
    browser: () => new Browser(`http://localhost:${environment.PORT}`, { origin: url, headers: {} }),
    setClock: (aheadMs) => void child.send(Math.round(aheadMs)),
  }
}

/** The same, once it says that it is ready. */
export async function startServer(environment: Record<string, string>, options: SpawnOptions = {}): Promise<ServerProcess> {
  return untilReady(spawnServer(environment, options))
}

/** Answers a server once it says that it is ready. Throws what it said if it ends instead. */
export async function untilReady(server: ServerProcess): Promise<ServerProcess> {
  const ready = new Promise<void>((resolve) =>
    server.child.stderr?.on('data', () => server.complaints().includes('is ready at') && resolve()),
  )
  const ended = await Promise.race([ready, server.exited])
  if (ended) throw new Error(`the service ended (${ended.code ?? ended.signal}): ${server.complaints()}${server.log()}`)
  return server
}

/** The environment of another node beside this service: the same database, address and master key. */
export function environmentBeside({ config }: TestService, { port }: { port: number }): Record<string, string> {
  const { database, masterKey, baseUrl } = config
  return {
    PORT: String(port),
    PORTARIA_URL: baseUrl,
    DATABASE_URL: database.dialect === 'sqlite' ? `sqlite:${database.file}` : database.url,
    PORTARIA_MASTER_KEY: masterKey?.toString('base64') ?? '',
  }
}

/**
 * Makes all leases of the outbox so much older, as if a worker that died had been dead for as long: nodes go by the database's clock, which
 * no test moves.
 */
export async function ageLeases({ db }: Pick<Storage, 'db'>, byMs: number): Promise<void> {
  await db
    .updateTable('outbox')
    .set((e) => ({ leased_until: e('leased_until', '-', byMs) }))
    .where('leased_until', 'is not', null)
    .execute()
}
