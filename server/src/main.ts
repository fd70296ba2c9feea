import { once } from 'node:events'
import type { Server } from 'node:http'
import process from 'node:process'
import { setImmediate, setTimeout } from 'node:timers/promises'
import closeWithGrace from 'close-with-grace'
import { accountStore, passkeyChallengeStore, sentMailStore, ticketStore } from './accounts/index.ts'
import { deleteDue, keepDays, MOST_DAYS, mintSetupLink } from './admin/index.ts'
import { buildService, type House, openHouse, type Service } from './app.ts'
import { SYSTEM } from './audit/index.ts'
import { type Config, type Environment, readConfig } from './config.ts'
import { forgetOldRedemptions } from './handoff/index.ts'
import { createLogger, createMetricsServer, forgetOldLimits, type Logger } from './http/index.ts'
import { forgetOldAttempts } from './identity-providers/index.ts'
import { DAY_MS, HOUR_MS, MINUTE_MS } from './kit/index.ts'
import { findMasterKey } from './master-key-file.ts'
import { endLongWaits } from './notifications/index.ts'
import { forgetDeadMails } from './outbox/index.ts'
import { endExpiredActing, SEEN_MS, sessionStore, tendSigningKeys } from './sessions/index.ts'
import { addFirstPlans } from './subscriptions/index.ts'

const STOP_MS = 30_000
const ARRIVED_MS = 1_000
/** Of the event loop: a new connection is accepted in one and read in the next. */
const TURNS_TO_READ = 3
const IDLE_LOOK_MS = 50
const NEXT_STEP = 'Then create a product in the console: it shows what your app needs, with code to copy.'
const HOUSEKEEPING_MS = 10 * MINUTE_MS
/** Ended sessions stay a week longer, for the person to see where they were signed in. */
const KEEP_EXPIRED_MS = 7 * DAY_MS
/** That a mail was sent, not what it said. */
const KEEP_MAILS_MS = 365 * DAY_MS
/** How long the operator can still send a mail that was given up. */
const KEEP_DEAD_MAILS_MS = 30 * DAY_MS

/** Runs the service until it is told to stop. Answers an exit code when it can't start; every fault of the environment is said at once. */
export async function serve(environment: Environment): Promise<number> {
  const read = await readConfig(environment)
  if ('faults' in read) {
    for (const { variable, expects } of read.faults) complain(`${variable}: expects ${expects}`)
    return 1
  }
  const { config } = read
  const logger = createLogger(config.logLevel)
  const masterKey = await findMasterKey(config)
  if ('fault' in masterKey) {
    complain(masterKey.fault)
    return 1
  }
  const house = await open({ ...config, masterKey: masterKey.key }, logger)
  if (!house) return 1
  return start(house, logger, { isFirst: masterKey.made })
}

async function open(config: Config & { masterKey: Buffer }, logger: Logger): Promise<House | undefined> {
  try {
    const house = await openHouse(config, {
      onFault: (error) => logger.warn({ err: error }, 'background work failed, it will be tried again'),
    })
    if (house !== 'wrong_master_key') return house
    complain('PORTARIA_MASTER_KEY: expects the key with which this database was made; what is sealed in it does not open with this one')
  } catch (error) {
    complain(`DATABASE_URL: the database can't be used: ${error instanceof Error ? error.message || error.name : 'unknown fault'}`)
  }
  return undefined
}

async function start(house: House, logger: Logger, { isFirst }: { isFirst: boolean }): Promise<number> {
  const { config, changes } = house
  await addFirstPlans(house)
  await tendSigningKeys({ ...house, actor: SYSTEM })
  const service = buildService(house, logger, { onMailFile: (file) => complain(`  A mail was written: ${file}`) })
  await service.keys.load()
  await changes.start()
  const metricsServer = config.metricsPort === undefined ? undefined : createMetricsServer(service.metrics)
  const refused = await listen(service, metricsServer, config)
  if (refused !== undefined) {
    complain(refused)
    await stop(house, service, metricsServer)
    return 1
  }
  service.outbox.start()
  const timers = keepHouse(house, service)
  closeWithGrace({ delay: STOP_MS }, async ({ err, signal }) => {
    if (err) logger.fatal({ err }, 'fault outside any request')
    logger.info({ signal }, 'stopping')
    timers.forEach(clearInterval)
    await stop(house, service, metricsServer)
    logger.info('stopped')
  })
  logger.info({ url: config.baseUrl, host: config.host, port: config.port, database: config.database.dialect }, 'listening')
  if (config.production && config.smtpUrl === undefined) logger.warn('PORTARIA_SMTP_URL is not set: no mail will be sent')
  await welcome(house, { isFirst })
  return 0
}

/** Answers, in a line for the operator, why a port can't be had; `undefined` when all listen. */
async function listen(
  { app }: Service,
  metricsServer: Server | undefined,
  { host, port, metricsPort }: Config,
): Promise<string | undefined> {
  try {
    await app.listen({ port, host })
  } catch (error) {
    return `PORT: ${portFault(error, host, port)}`
  }
  try {
    if (metricsServer) await once(metricsServer.listen(metricsPort, host), 'listening')
  } catch (error) {
    return `PORTARIA_METRICS_PORT: ${portFault(error, host, metricsPort)}`
  }
  return undefined
}

function portFault(error: unknown, host: string, port: number | undefined): string {
  if (!(error instanceof Error) || !('code' in error)) throw error
  if (error.code === 'EADDRINUSE') return `expects a free port; ${host}:${port} is in use by another program`
  return `expects an address to listen on; ${host}:${port} can't be had: ${error.message}`
}

/** What is in flight is finished first; only then do the feed and the database go. */
async function stop(
  { changes, storage, onFault }: House,
  { app, outbox, mailer, writeSeen, writeCounts }: Service,
  metricsServer: Server | undefined,
): Promise<void> {
  // Requests that have arrived but were not read yet are in flight too: their connections would be taken for idle ones.
  await setTimeout(ARRIVED_MS)
  for (let turn = 0; turn < TURNS_TO_READ; turn++) await setImmediate()
  // A connection that is kept alive falls idle with its last answer, and would hold up the end for as long as it may stay so.
  const idle = setInterval(() => app.server.closeIdleConnections(), IDLE_LOOK_MS)
  await app.close()
  clearInterval(idle)
  await writeSeen().catch(onFault)
  await writeCounts().catch(onFault)
  await outbox.stop()
  await mailer.close()
  metricsServer?.close()
  await changes.stop()
  await storage.close()
}

/** Removes what has had its day, and makes the next signing key when it is due. */
function keepHouse(house: House, { writeSeen, writeCounts }: Service): NodeJS.Timeout[] {
  const { storage, changes, now, onFault } = house
  const tidy = async () => {
    await changes.forgetOld()
    // Before anything goes that a day is counted from.
    await keepDays(storage.db, MOST_DAYS, now())
    await forgetOldLimits(storage.db, now())
    await forgetOldRedemptions(storage.db, now() - HOUR_MS)
    await ticketStore(storage.db).forgetExpired(now())
    await passkeyChallengeStore(storage.db).forgetExpired(now())
    await forgetOldAttempts(storage.db, now())
    await sentMailStore(storage.db).forgetOld(now() - KEEP_MAILS_MS)
    await endExpiredActing(house)
    await endLongWaits(house)
    await forgetDeadMails(storage.db, now() - KEEP_DEAD_MAILS_MS)
    await sessionStore(storage.db).forgetExpired(now() - KEEP_EXPIRED_MS)
  }
  const tend = () => tendSigningKeys({ ...house, actor: SYSTEM })
  const again = (work: () => Promise<unknown>, everyMs: number) => setInterval(() => void work().catch(onFault), everyMs).unref()
  const letGo = () => deleteDue(house)
  // At once too: where nodes never live for ten minutes nobody would ever be deleted.
  void letGo().catch(onFault)
  return [
    again(tidy, HOUSEKEEPING_MS),
    again(tend, HOUR_MS),
    again(writeSeen, SEEN_MS),
    again(writeCounts, MINUTE_MS),
    again(letGo, HOUSEKEEPING_MS),
  ]
}

/** For the person at the terminal, on standard error: logs on standard output stay one JSON object a line. */
async function welcome(house: House, { isFirst }: { isFirst: boolean }): Promise<void> {
  complain(`Portaria is ready at ${house.config.baseUrl} (Ctrl+C stops it)`)
  if (isFirst) {
    complain(
      '\n  First start: a database and its keys were made in ./data. Keep a copy of ./data/portaria.key elsewhere: without it the database does not open.',
    )
  }
  if (house.config.smtpUrl === undefined && house.config.mailFolder !== undefined)
    complain(
      `\n  Mails are not sent: each is written into ${house.config.mailFolder}, as PORTARIA_SMTP_URL is not set. Any editor opens them.`,
    )
  const [anybody] = await accountStore(house.storage.db).list({ limit: 1 })
  if (!anybody) await inviteFirst(house)
}

/** Who starts an empty service at a terminal is its operator: the address is shown there and nowhere else, since a log is read by others. */
async function inviteFirst({ config, storage, now }: House): Promise<void> {
  if (!process.stdout.isTTY) return complain(`\n  Make the first administrator:  npx portaria setup-link\n  ${NEXT_STEP}\n`)
  const made = await mintSetupLink({ storage, baseUrl: config.baseUrl, now, actor: SYSTEM })
  if ('refusal' in made) return
  process.stdout.write(`
  Make the first administrator, within 30 minutes, at this address. It works once:

  ${made.url}

  ${NEXT_STEP}
  Too late? npx portaria setup-link makes another. To see two apps share one sign-in: npm run demo

`)
}

function complain(line: string): void {
  process.stderr.write(`${line}\n`)
}
