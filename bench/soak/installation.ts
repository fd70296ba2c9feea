import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { createInterface } from 'node:readline'
import { decodeJwt } from 'jose'
import { Client } from 'pg'
import { createKeyRing, createTokens } from '../../server/src/sessions/index.ts'
import { Browser } from '../../server/test/support/browser.ts'
import { fetchHandoff, openShop, type Shop } from '../../server/test/support/faults/actions.ts'
import { type Proxy as DatabaseProxy, openProxy } from '../../server/test/support/faults/proxy.ts'
import { freePort } from '../../server/test/support/free-port.ts'
import { WEBHOOKS } from '../../server/test/support/gateways/purchases.ts'
import { startPostgres, startStandby, type TestPostgres } from '../../server/test/support/postgres.ts'
import { environmentBeside, launchServer, type ServerProcess, untilReady } from '../../server/test/support/server-process.ts'
import { startService, type TestService } from '../../server/test/support/service.ts'
import { sessionOf, signedIn } from '../../server/test/support/users/sign-in-steps.ts'

/** As apps, browsers and payment services know it. */
const PUBLIC_URL = 'http://sso.soak.test'
const USERS = 40
/** Of these, those for whom handoffs are signed here. */
const SIGNED_IN = 8
const HANDOFF_MS = 60_000

/**
 * The environment that the launcher would set. No launcher stands between here and a node, since the node's clock could not be set then.
 */
const AS_LAUNCHED = { MALLOC_MMAP_THRESHOLD_: String(1024 ** 2), NODE_ENV: 'development' }

/** A node. It stays the same place, whatever process serves it now. */
export interface Place {
  name: 'a' | 'b' | 'c' | 'd'
  launch(): Promise<ServerProcess>
  server: ServerProcess
  /** A browser behind the operator's proxy, in a network of its own. */
  browser(network: string): Browser
}

/** PostgreSQL that is written to two disks: a commit waits for the standby. */
export interface Cluster {
  proxy: DatabaseProxy
  primary: TestPostgres
  standby: TestPostgres | undefined
}

export interface Installation {
  database: 'sqlite' | 'postgres'
  places: readonly [Place, ...Place[]]
  /** Absent on SQLite. */
  cluster: Cluster | undefined
  /** Of SQLite. */
  file: string | undefined
  emails: readonly string[]
  shop: Shop
  productKey: string
  /** Signs a handoff to the shop as the service would, for a user who is signed in and has agreed to it. */
  signHandoff(): Promise<string>
  /** The faults that nodes have logged, in one line each, and how often. */
  logged: Map<string, number>
  close(): Promise<void>
}

/** Two nodes on PostgreSQL with a standby, or one on SQLite, unless others are named; users, and a shop in another company. */
export async function openInstallation(
  database: Installation['database'],
  names: readonly Place['name'][] = database === 'sqlite' ? ['a'] : ['a', 'b'],
): Promise<Installation> {
  const folder = mkdtempSync(path.join(tmpdir(), 'portaria-soak-'))
  const file = database === 'sqlite' ? path.join(folder, 'portaria.db') : undefined
  const cluster = database === 'sqlite' ? undefined : await openCluster()
  const url = cluster?.proxy.url ?? `sqlite:${file}`
  const hand = await startService({ url }, { environment: { PORTARIA_URL: PUBLIC_URL }, stops: 'by_caller' })
  const emails = Array.from({ length: USERS }, (_, n) => `pessoa${n}@exemplo.com.br`)
  for (const email of emails) await hand.user(email)
  const shop = await openShop(hand)
  const signHandoff = await openSigner(hand, shop, emails)
  const environments = await Promise.all(names.map(async () => environmentBeside(hand, { port: await freePort() })))
  await hand.stop()
  const logged: Installation['logged'] = new Map()
  const [first, ...others] = await Promise.all(environments.map((environment, n) => openPlace(names[n] ?? 'a', environment, logged)))
  if (!first) throw new Error('no node')
  const places = [first, ...others] as const
  return {
    ...{ database, places, cluster, file, emails, shop, productKey: shop.apiKey, signHandoff, logged },
    async close() {
      for (const { server } of places) server.child.kill('SIGKILL')
      cluster?.proxy.cut()
      await Promise.all([cluster?.primary.stop(), cluster?.standby?.stop()])
      rmSync(folder, { recursive: true, force: true })
    },
  }
}

async function openSigner(hand: TestService, shop: Shop, emails: readonly string[]): Promise<Installation['signHandoff']> {
  const keys = createKeyRing({ ...hand.context, onFault: hand.context.onFault })
  await keys.load()
  const signer = await keys.signer()
  // The key ring would ask the database of `hand`, which is closed by then.
  const tokens = createTokens({ keys: { ...keys, signer: async () => signer }, issuer: PUBLIC_URL, now: Date.now })
  const sessions: { sub: string; sid: string }[] = []
  for (const email of emails.slice(0, SIGNED_IN)) {
    const browser = await signedIn(hand, email)
    await fetchHandoff(browser, shop)
    const { sub = '', sid } = decodeJwt<{ sid: string }>(sessionOf(browser))
    sessions.push({ sub, sid })
  }
  let turn = 0
  return () => {
    const session = sessions[turn++ % sessions.length] ?? { sub: '', sid: '' }
    return tokens.sign('eg-token+jwt', session, { audience: shop.product.id, expiresAt: Date.now() + HANDOFF_MS })
  }
}

async function openPlace(name: Place['name'], given: Record<string, string>, logged: Installation['logged']): Promise<Place> {
  const environment: Record<string, string> = {
    ...given,
    ...WEBHOOKS,
    PORTARIA_TRUST_PROXY: '1',
    PORTARIA_LOG_LEVEL: 'warn',
    ...AS_LAUNCHED,
  }
  const launch = async () => {
    const server = launchServer(environment)
    collectFaults(server, logged)
    return untilReady(server)
  }
  return {
    name,
    launch,
    server: await launch(),
    browser: (network) =>
      new Browser(`http://localhost:${environment.PORT}`, { origin: PUBLIC_URL, headers: { 'x-forwarded-for': network } }),
  }
}

/** Counts what a node logs as a fault: the answers of 500, which nothing else explains, and a file that was locked for too long. */
function collectFaults({ child }: ServerProcess, logged: Installation['logged']): void {
  if (!child.stdout) return
  createInterface(child.stdout).on('line', (line) => {
    if (!line.includes('"level":"error"') && !/"message":"[^"]*(busy|locked)/i.test(line)) return
    const { msg, route, err } = JSON.parse(line) as { msg: string; route?: string; err?: { type: string; code?: string; message: string } }
    const fault = [msg, route, err?.type, err?.code, err?.message].filter(Boolean).join(' | ')
    logged.set(fault, (logged.get(fault) ?? 0) + 1)
  })
}

/** Starts a node whose process is gone again. The database may be away, so it is tried until the service runs. */
export async function startAgain(place: Place): Promise<void> {
  for (;;) {
    const started = await place.launch().catch(() => undefined)
    if (!started) continue
    place.server = started
    return
  }
}

async function openCluster(): Promise<Cluster> {
  const primary = await startPostgres('on_disk')
  const cluster = { proxy: await openProxy(primary), primary, standby: undefined }
  await follow(cluster)
  return cluster
}

/** Gives the primary a standby, and has its commits wait for it from then on. */
async function follow(cluster: Cluster): Promise<void> {
  cluster.standby = await startStandby(cluster.primary, { through: cluster.primary.url })
  await ask(cluster.primary.url, "alter system set synchronous_standby_names = '*'")
  await ask(cluster.primary.url, 'select pg_reload_conf()')
}

/** The primary dies, the standby takes over, and a new one begins to follow. Nothing that was confirmed is lost. */
export async function failOver(cluster: Cluster): Promise<void> {
  const { primary: dead, standby } = cluster
  if (!standby) return
  await dead.kill()
  await ask(standby.url, 'select pg_promote()')
  // The copy has the settings of the dead primary, too: its commits would wait, but no standby follows yet.
  await ask(standby.url, 'alter system reset synchronous_standby_names')
  await ask(standby.url, 'select pg_reload_conf()')
  Object.assign(cluster, { primary: standby, standby: undefined })
  cluster.proxy.moveTo(standby)
  await dead.stop()
  await follow(cluster)
}

/** One statement on a connection of its own. */
export async function ask<Row extends object>(url: string, statement: string): Promise<Row[]> {
  const client = new Client({ connectionString: url })
  // The server may be killed while it is asked.
  client.on('error', () => {})
  await client.connect()
  try {
    return (await client.query<Row>(statement)).rows
  } finally {
    await client.end()
  }
}
