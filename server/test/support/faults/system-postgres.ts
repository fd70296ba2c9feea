import { execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { chmodSync, existsSync, globSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import process from 'node:process'
import { after } from 'node:test'
import { freePort } from '../free-port.ts'
import { until } from '../until.ts'

/** PostgreSQL as the system has it: a server, and the folder of its programs, which npm's packages lack. */
export interface SystemPostgres {
  url: string
  bin: string
}

const PROGRAMS = ['initdb', 'postgres', 'pg_dump', 'pg_restore', 'psql']

/** The folder of the programs of this machine's own PostgreSQL, if it has one. */
export function findSystemPostgres(): string | undefined {
  const folders = [...(process.env.PATH ?? '').split(path.delimiter), ...globSync('/usr/lib/postgresql/*/bin')]
  return folders.findLast((folder) => PROGRAMS.every((name) => existsSync(path.join(folder, name))))
}

/** Starts a server of that PostgreSQL for the time of a test. */
export async function startSystemPostgres(bin: string): Promise<SystemPostgres> {
  const data = mkdtempSync(path.join(tmpdir(), 'portaria-system-postgres-'))
  after(() => rmSync(data, { recursive: true, force: true }))
  chmodSync(data, 0o700)
  const user = process.getuid?.() === 0 ? idsOfNobody(data) : {}
  const options = ['--username=portaria', '--auth=trust', '--encoding=UTF8', '--locale=C', '--no-sync']
  execFileSync(path.join(bin, 'initdb'), ['-D', data, ...options], { cwd: data, stdio: 'pipe', ...user })
  const port = await freePort()
  const settings = ['listen_addresses=127.0.0.1', `port=${port}`, 'unix_socket_directories=', 'fsync=off']
  const server = spawn(path.join(bin, 'postgres'), ['-D', data, ...settings.flatMap((one) => ['-c', one])], { cwd: data, ...user })
  let log = ''
  server.stderr.setEncoding('utf8').on('data', (text: string) => (log += text))
  const kill = () => server.kill('SIGQUIT')
  process.once('exit', kill)
  after(async () => {
    process.off('exit', kill)
    if (kill()) await once(server, 'exit')
  })
  await until(() => {
    if (server.exitCode !== null) throw new Error(`PostgreSQL did not start:\n${log}`)
    return log.includes('ready to accept connections')
  })
  const address = (name: string) => `postgres://portaria@127.0.0.1:${port}/${name}`
  execFileSync(path.join(bin, 'psql'), [address('postgres'), '-c', 'create database portaria'], { stdio: 'pipe' })
  return { url: address('portaria'), bin }
}

/** PostgreSQL refuses to run as root. */
function idsOfNobody(data: string): { uid: number; gid: number } {
  execFileSync('chown', ['nobody', data])
  const idOf = (flag: string) => Number(execFileSync('id', [flag, 'nobody'], { encoding: 'utf8' }))
  return { uid: idOf('-u'), gid: idOf('-g') }
}
