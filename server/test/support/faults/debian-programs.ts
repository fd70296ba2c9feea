import { execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { chmodSync, mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { connect } from 'node:net'
import { tmpdir } from 'node:os'
import path from 'node:path'
import process from 'node:process'
import { after } from 'node:test'
import { promisify } from 'node:util'
import { until } from '../until.ts'

const run = promisify(execFile)

/** A network that says nothing is none. */
const TIMEOUT_MS = 60_000

const LIBRARIES = /^lib(?!.*-perl$)/

type Name = 'haproxy' | 'pgbouncer'

/**
 * Programs that npm does not have, unpacked from Debian's packages for the time of a test: nothing is installed, and no rights are needed.
 */
export interface DebianPrograms {
  /** Starts one that serves `port` of this machine by a file of settings. It is ended when the test ends. */
  start(name: Name, { config, port }: { config: string; port: number }): Promise<void>
}

/** Answers what apt said where Debian's packages can't be had: on another system, or without a network. */
export async function bringDebianPrograms(): Promise<DebianPrograms | { missing: string }> {
  const home = mkdtempSync(path.join(tmpdir(), 'portaria-debian-'))
  chmodSync(home, 0o755)
  endWithTest(() => rmSync(home, { recursive: true, force: true }))
  const ownLists = ['-o', `Dir::State::lists=${home}/lists`, '-o', `Dir::Cache=${home}/cache`]
  try {
    await download(home, []).catch(async () => {
      for (const folder of ['lists/partial', 'cache/archives/partial']) mkdirSync(path.join(home, folder), { recursive: true })
      await apt('apt-get', [...ownLists, 'update'], home)
      await download(home, ownLists)
    })
  } catch (error) {
    return { missing: String(error) }
  }
  return { start: (name, given) => start(home, name, given) }
}

async function download(home: string, options: readonly string[]): Promise<void> {
  const onlyDepends = ['recommends', 'suggests', 'conflicts', 'breaks', 'replaces', 'enhances'].map((kind) => `--no-${kind}`)
  const programs: Name[] = ['haproxy', 'pgbouncer']
  const needed = await apt('apt-cache', [...options, 'depends', '--recurse', ...onlyDepends, ...programs], home)
  // Lines of "libc6:amd64", a tab and the version.
  const installed = new Set((await apt('dpkg-query', ['-W'], home)).split('\n').map((line) => line.split(/[:\t]/)[0]))
  const libraries = needed.split('\n').filter((name) => LIBRARIES.test(name) && !installed.has(name))
  await apt('apt-get', [...options, '-o', 'APT::Sandbox::User=root', 'download', ...programs, ...new Set(libraries)], home)
  const archives = readdirSync(home).filter((name) => name.endsWith('.deb'))
  for (const archive of archives) await apt('dpkg-deb', ['-x', archive, path.join(home, 'root')], home)
}

async function apt(command: string, parameters: readonly string[], cwd: string): Promise<string> {
  const { stdout } = await run(command, parameters, { cwd, timeout: TIMEOUT_MS, maxBuffer: 64 * 1024 * 1024 })
  return stdout
}

async function start(home: string, name: Name, { config, port }: { config: string; port: number }): Promise<void> {
  const file = path.join(home, `${name}-${port}.conf`)
  writeFileSync(file, config)
  chmodSync(file, 0o644)
  const libraries = readdirSync(path.join(home, 'root/usr/lib')).map((folder) => path.join(home, 'root/usr/lib', folder))
  const child = spawn(path.join(home, 'root/usr/sbin', name), name === 'haproxy' ? ['-f', file] : [file], {
    cwd: home,
    env: { LD_LIBRARY_PATH: libraries.join(':') },
    stdio: ['ignore', 'pipe', 'pipe'],
    // PgBouncer refuses to run as root.
    ...(process.getuid?.() === 0 && (await idsOfNobody())),
  })
  let said = ''
  for (const stream of [child.stdout, child.stderr]) stream.setEncoding('utf8').on('data', (text) => (said = (said + text).slice(-10_000)))
  let fault: string | undefined
  child.once('error', (error) => (fault = `can't be started: ${error}`)).once('exit', () => (fault ??= `ended:\n${said}`))
  endWithTest(() => child.kill('SIGKILL'))
  await until(async () => {
    if (fault !== undefined) throw new Error(`${name} ${fault}`)
    return isServed(port)
  })
}

/** Runs `end` after the test, or before the process ends without one. */
function endWithTest(end: () => void): void {
  process.once('exit', end)
  after(() => {
    process.off('exit', end)
    end()
  })
}

async function idsOfNobody(): Promise<{ uid: number; gid: number }> {
  const [uid, gid] = await Promise.all(['-u', '-g'].map(async (flag) => Number((await run('id', [flag, 'nobody'])).stdout)))
  if (uid === undefined || gid === undefined) throw new Error('there is no account "nobody"')
  return { uid, gid }
}

async function isServed(port: number): Promise<boolean> {
  const socket = connect(port, '127.0.0.1')
  try {
    await once(socket, 'connect')
    return true
  } catch {
    return false
  } finally {
    socket.destroy()
  }
}
