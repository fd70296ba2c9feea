import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { openSync, readdirSync, readFileSync } from 'node:fs'
import { availableParallelism } from 'node:os'
import path from 'node:path'
import process from 'node:process'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { freePort } from '../../server/test/support/free-port.ts'
import { openConnection } from './connection.ts'
import { MASTER_KEY, URL_OF_SERVICE } from './fixture.ts'

export const WEBHOOK_SECRET = 'a secret for nothing but this bench'
export const root = fileURLToPath(new URL('../..', import.meta.url))
const SERVER_CORE = '0'
const LOAD_CORE = '1'
const PINNER = 'taskset'
const canPin = availableParallelism() > 1 && spawnSync(PINNER, ['-c', SERVER_CORE, 'true']).status === 0

/** Keeps this process, the load, off the servers' core. Answers what could be done about it. */
export function pinLoad(): string {
  if (!canPin) return 'NOT pinned (no taskset, or one core): servers and load share the cores, so the ratios say little'
  spawnSync(PINNER, ['-a', '-c', '-p', LOAD_CORE, String(process.pid)])
  return `servers on core ${SERVER_CORE}, load on core ${LOAD_CORE}`
}

/** Moves a server that was started otherwise to the servers' core, and with it what it starts from then on. */
export function moveToServerCore(pid: number): void {
  if (canPin) spawnSync(PINNER, ['-a', '-c', '-p', SERVER_CORE, String(pid)])
}

/** A server under test, on the servers' core. */
export interface Running {
  port: number
  child: ChildProcess
  /** Ms of processor time that it has used so far, with all its threads. */
  cpuMs(): number
  residentMb(): number
  stop(): Promise<void>
}

function startOnServerCore(args: string[], options: { env: NodeJS.ProcessEnv; stdio: Array<'ignore' | 'ipc' | number> }): ChildProcess {
  return canPin ? spawn(PINNER, ['-c', SERVER_CORE, process.execPath, ...args], options) : spawn(process.execPath, args, options)
}

/**
 * The service as an operator runs it, or, in development, where it may call an API on this machine: its own launcher, production settings,
 * SQLite in a file, the log at `info` in a file. `more` are further settings.
 */
export async function startService(
  folder: string,
  as: 'production' | 'development' = 'production',
  more: Record<string, string> = {},
): Promise<Running> {
  const port = await freePort()
  const log = openSync(path.join(folder, 'log'), 'a')
  const child = startOnServerCore([path.join(root, 'server/bin/portaria.mjs'), 'serve'], {
    env: {
      ...process.env,
      ...settingsOf(folder, port),
      ...(as === 'development' && { PORTARIA_URL: `http://localhost:${port}` }),
      ...more,
    },
    stdio: ['ignore', log, log],
  })
  return running(child, port)
}

export function settingsOf(folder: string, port: number): Record<string, string> {
  return {
    NODE_ENV: 'production',
    PORT: String(port),
    HOST: '127.0.0.1',
    PORTARIA_URL: URL_OF_SERVICE,
    PORTARIA_TRUST_PROXY: '1',
    PORTARIA_WEBHOOK_SECRET: WEBHOOK_SECRET,
    PORTARIA_ALLOW_PRIVATE: '127.0.0.0/8',
    PORTARIA_MASTER_KEY: MASTER_KEY,
    DATABASE_URL: `sqlite:${path.join(folder, 'portaria.db')}`,
  }
}

/** The baseline of the service; see `baseline.ts`. */
export async function startBaseline(folder: string): Promise<Running> {
  const port = await freePort()
  const child = startOnServerCore([path.join(root, 'bench/harness/baseline.ts'), String(port), folder], {
    env: { ...process.env, NODE_ENV: 'production' },
    stdio: ['ignore', 2, 2, 'ipc'],
  })
  return running(child, port)
}

/** The OpenID Connect library alone; see `library-alone.ts`. */
export async function startLibraryAlone(): Promise<Running> {
  const port = await freePort()
  const child = startOnServerCore([path.join(root, 'bench/harness/library-alone.ts'), String(port)], {
    env: { ...process.env, NODE_ENV: 'production' },
    stdio: ['ignore', 2, 2, 'ipc'],
  })
  return running(child, port)
}

async function running(child: ChildProcess, port: number): Promise<Running> {
  await untilListening(port, child)
  const proc = `/proc/${child.pid}`
  return {
    port,
    child,
    cpuMs: () => readdirSync(`${proc}/task`).reduce((sum, thread) => sum + nanoseconds(`${proc}/task/${thread}/schedstat`), 0) / 1e6,
    residentMb: () => Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`${proc}/status`, 'utf8'))?.[1]) / 1024,
    async stop() {
      child.kill('SIGTERM')
      if (child.exitCode === null && child.signalCode === null) await once(child, 'exit')
    },
  }
}

function nanoseconds(file: string): number {
  return Number(readFileSync(file, 'utf8').split(' ', 1)[0])
}

/** Answers when something listens on the port. */
export async function untilListening(port: number, child: ChildProcess): Promise<void> {
  for (;;) {
    if (child.exitCode !== null) throw new Error(`a server ended with code ${child.exitCode} instead of listening`)
    const connection = await openConnection(port).catch(() => undefined)
    if (connection) return connection.close()
    await sleep(10)
  }
}
