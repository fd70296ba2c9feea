import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { after } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { freePort } from '../free-port.ts'
import type { TestPostgres } from '../postgres.ts'
import { until } from '../until.ts'
import { bringDebianPrograms, type DebianPrograms } from './debian-programs.ts'
import { ask } from './failing-over.ts'
import { startPooler } from './pooler.ts'
import { startProxy } from './proxy.ts'

/** Ways to whichever of two servers takes writes. */
export interface Ways {
  /** Through a proxy; through that and a pooler in session mode; the same in transaction mode. */
  urls: [string, string, string]
  /** The standby has taken over. */
  onPromoted(): void
  by: string
}

/**
 * By HAProxy and PgBouncer. Where Debian's packages can't be had, by a proxy and a pooler of our own, which does without the transaction
 * mode: then `by` says why.
 */
export async function startWays(primary: TestPostgres, standby: TestPostgres): Promise<Ways> {
  const programs = await bringDebianPrograms()
  if ('missing' in programs) {
    const proxy = await startProxy(primary)
    const pooler = (await startPooler(proxy.url)).url
    return {
      urls: [proxy.url, pooler, pooler],
      onPromoted: () => proxy.moveTo(standby),
      by: `note: stand-ins for HAProxy and PgBouncer: ${programs.missing}`,
    }
  }
  const proxy = await startHaproxy(programs, [primary, standby])
  const poolers = (['session', 'transaction'] as const).map((mode) => startPgbouncer(programs, proxy, mode))
  const [session = '', transaction = ''] = await Promise.all(poolers)
  return { urls: [proxy, session, transaction], onPromoted: () => {}, by: 'HAProxy and PgBouncer' }
}

/** Of HAProxy. These and all settings below are those of docs/operate/scale.md. */
const PATIENT = ['timeout connect 2s', 'timeout check 3s', 'timeout client 1h', 'timeout server 1h']

/** Starts HAProxy before servers of which one takes writes; answers the address of that one. */
async function startHaproxy(programs: DebianPrograms, servers: readonly TestPostgres[]): Promise<string> {
  const port = await freePort()
  const checks = await Promise.all(servers.map(startManager))
  const config = [
    ...['listen portaria', `bind 127.0.0.1:${port}`, 'mode tcp', ...PATIENT],
    ...['option httpchk GET /primary', 'default-server inter 1s fall 2 rise 1 on-marked-down shutdown-sessions'],
    ...servers.map(({ url }, i) => `server s${i} ${new URL(url).host} check port ${checks[i]}`),
  ]
  await programs.start('haproxy', { config: `${config.join('\n')}\n`, port })
  const address = new URL(servers[0]?.url ?? '')
  address.host = `127.0.0.1:${port}`
  // It takes each for the primary until it has asked, and gives them connections in turn.
  const isPrimary = () => isPrimaryAt(address.href)
  await until(async () => (await Promise.all(servers.map(isPrimary))).every(Boolean))
  return address.href
}

/** Starts PgBouncer before a database. */
async function startPgbouncer(programs: DebianPrograms, url: string, mode: 'session' | 'transaction'): Promise<string> {
  const [port, to] = [await freePort(), new URL(url)]
  const database = to.pathname.slice(1)
  const config = [
    ...['[databases]', `${database} = host=127.0.0.1 port=${to.port} user=${to.username} password=${to.password}`],
    ...['[pgbouncer]', 'listen_addr = 127.0.0.1', `listen_port = ${port}`, 'unix_socket_dir =', 'auth_type = any'],
    ...[`pool_mode = ${mode}`, 'default_pool_size = 30', 'server_login_retry = 1'],
  ]
  await programs.start('pgbouncer', { config: `${config.join('\n')}\n`, port })
  to.host = `127.0.0.1:${port}`
  return to.href
}

const SLOW_MS = 1_000

/**
 * Starts what tells HAProxy whether a server is the primary, as Patroni does. Answers its port. A server that is slow, as on a busy
 * machine, is still what it was: HAProxy would end every connection to it.
 */
async function startManager({ url }: TestPostgres): Promise<number> {
  let last = false
  const server = createServer((_request, response) => {
    const asked = isPrimaryAt(url).then((isPrimary) => (last = isPrimary))
    void Promise.race([asked, sleep(SLOW_MS).then(() => last)]).then((isPrimary) => response.writeHead(isPrimary ? 200 : 503).end())
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  after(() => server.close())
  return (server.address() as AddressInfo).port
}

async function isPrimaryAt(url: string): Promise<boolean> {
  try {
    const [row] = await ask<{ standby: boolean }>(url, 'select pg_is_in_recovery() as standby')
    return row?.standby === false
  } catch {
    return false
  }
}
