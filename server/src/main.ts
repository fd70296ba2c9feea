import { once } from 'node:events'
import type { Server } from 'node:http'
import process from 'node:process'
import { setImmediate, setTimeout } from 'node:timers/promises'
import { buildService, type Service } from './app.ts'
import { SYSTEM } from './audit/index.ts'
import { type Config, type Environment, readConfig } from './config.ts'
import { type AppContext, type AppContextRefusal, openContext } from './context.ts'
import { startHousekeeping } from './housekeeping/index.ts'
import {
  createLogger,
  createLogStream,
  createMetricsServer,
  endAfterAnswers,
  type Logger,
  type LogStream,
  portFault,
  stopWithGrace,
  trackSilent,
} from './http/index.ts'
import { type Clock, describeClock, finishStart } from './kit/index.ts'
import { findMasterKey, noteUse } from './master-key-file.ts'
import { joinParent } from './processes/index.ts'
import { manageSigningKeys } from './sessions/index.ts'
import { COPY_UNFINISHED, DamagedFiles, isReadOnly, newerSentence } from './storage/index.ts'
import { addFirstPlans } from './subscriptions/index.ts'
import { welcome } from './welcome.ts'

/** For the last lines of the log. */
const LOG_MS = 2_000
const ARRIVED_MS = 1_000
/** Turns of the event loop: a new connection is accepted in one and read in the next. */
const TURNS_TO_READ = 3
const IDLE_LOOK_MS = 50
/** A process that has not ended 30 s after it was asked to is killed. */
const LATE_MS = 15_000
/** The signals that stop a single process. One of several leaves those of the terminal, which each of them gets, to the parent. */
const TERMINAL_TOO = ['SIGTERM', 'SIGINT', 'SIGHUP'] as const
/** Which of several processes of one port this is; only the first greets the operator. */
type Place = 'only' | 'first' | 'later'

/**
 * Runs the service until it is told to stop. Answers an exit code when it can't start; all faults of the environment are printed at once.
 */
export async function serve(environment: Environment, place: Place = 'only'): Promise<number> {
  const read = await readConfig(environment)
  if ('faults' in read) {
    for (const { variable, expects } of read.faults) complain(`${variable}: expects ${expects}`)
    return 1
  }
  const { config } = read
  // The terminal was closed, or nobody reads the pipe. The message is lost, and sign-ins go on.
  for (const stream of [process.stdout, process.stderr]) stream.on('error', () => {})
  const log = createLogStream(process.stdout.fd)
  const logger = createLogger(config.logLevel, log, place === 'only' ? undefined : process.pid)
  const masterKey = await findMasterKey(config)
  if ('fault' in masterKey) {
    complain(masterKey.fault)
    return 1
  }
  const context = await open({ ...config, masterKey: masterKey.key }, logger)
  if (!context) return 1
  await noteUse(config)
  return start(context, { environment, logger, log, notices: createLogStream(process.stderr.fd), place, isFirst: masterKey.made })
}

async function open(config: Config & { masterKey: Buffer }, logger: Logger): Promise<AppContext | undefined> {
  try {
    const context = await openContext(config, {
      onFault: (error) => logger[isReadOnly(error) ? 'debug' : 'warn']({ err: error }, 'background work failed, it will be tried again'),
      report: complain,
      onClock: (clock) => reportClock(clock, logger),
    })
    if (!('refusal' in context)) return context
    complain(refusalLine(context))
  } catch (error) {
    if (error instanceof DamagedFiles) complain(`DATABASE_URL: ${error.message}`)
    else complain(`DATABASE_URL: the database can't be used: ${error instanceof Error ? error.message || error.name : 'unknown fault'}`)
  }
  return undefined
}

function refusalLine(context: AppContextRefusal): string {
  if (context.refusal === 'needs_newer') return `DATABASE_URL: expects a database for this version; ${newerSentence(context.needs)}`
  if (context.refusal === 'copy_unfinished') return `DATABASE_URL: expects a whole database; ${COPY_UNFINISHED}`
  return 'PORTARIA_MASTER_KEY: expects the key with which this database was made; what is sealed in it does not open with this one'
}

/** The service corrects its own clock; other programs on this machine keep the wrong one. */
function reportClock(clock: Clock, logger: Logger): void {
  const aheadSeconds = clock.aheadMs() / 1000
  if (clock.state() === 'right') logger.info({ aheadSeconds }, "the clock agrees with the database's again")
  else logger.warn({ aheadSeconds }, `${describeClock(clock.aheadMs())}; until then it is corrected by the difference`)
}

interface Started {
  environment: Environment
  logger: Logger
  /** Standard output. */
  log: LogStream
  /**
   * Standard error, for the operator at the terminal. While the service runs, nothing is written there directly: a paused terminal would
   * block the service.
   */
  notices: LogStream
  place: Place
  isFirst: boolean
}

async function start(context: AppContext, { environment, logger, log, notices, place, isFirst }: Started): Promise<number> {
  const { config, changes, clock } = context
  if (clock.state() === 'wrong') {
    complain(`The clock: ${describeClock(clock.aheadMs())}. With a difference of more than an hour the service does not start.`)
    await context.close()
    return 1
  }
  await addFirstPlans(context)
  await unlessReadOnly(() => manageSigningKeys({ ...context, actor: SYSTEM }))
  const onMailFile = (file: string) => notices.write(`  A mail was written: ${file}\n`)
  const service = buildService(context, logger, { onMailFile, ...(place !== 'only' && { join: joinParent }) })
  await service.keys.load()
  await changes.start()
  const metricsServer = config.metricsPort === undefined ? undefined : createMetricsServer(service.metrics)
  const connections = trackSilent(service.app.server)
  finishStart()
  const refused = await listen(service, metricsServer, config)
  if (refused !== undefined) {
    complain(refused)
    await stop(context, service, { metricsServer, connections })
    return 1
  }
  service.outbox.start()
  const stopKeeping = startHousekeeping(context, service, environment)
  stopWithGrace(place === 'only' ? TERMINAL_TOO : ['SIGTERM'], async (cause) => {
    if (cause.err) logger.fatal({ err: cause.err }, 'fault outside any request')
    logger.info({ signal: cause.signal }, 'stopping')
    stopKeeping()
    await stop(context, service, { metricsServer, connections })
    logger.info('stopped')
    // As when Ctrl+S pauses the terminal.
    const flushed = await Promise.all([log, notices].map((stream) => stream.flush(LOG_MS)))
    if (flushed.includes('stuck')) process.kill(process.pid, 'SIGKILL')
  })
  logger.info({ url: config.baseUrl, host: config.host, port: config.port, database: config.database.dialect }, 'listening')
  if (config.production && config.smtpUrl === undefined) logger.warn('PORTARIA_SMTP_URL is not set: no mail will be sent')
  service.siblings?.nowServing()
  if (place !== 'later') await welcome(context, { logger, log, notices, isFirst, share: service.siblings?.shareDamage })
  return 0
}

/** A node that starts while its database is copied answers checks: a key that is due is made by the nodes of the copy. */
async function unlessReadOnly(work: () => Promise<unknown>): Promise<void> {
  await work().catch((error) => {
    if (!isReadOnly(error)) throw error
  })
}

/** Answers in a line for the operator why a port is unavailable; `undefined` when all listen. */
async function listen(
  { app }: Service,
  metricsServer: Server | undefined,
  { host, port, metricsPort }: Config,
): Promise<string | undefined> {
  try {
    await app.listen({ port, host })
  } catch (error) {
    return `PORT: ${await portFault(error, host, port)}`
  }
  try {
    if (metricsServer) await once(metricsServer.listen(metricsPort, host), 'listening')
  } catch (error) {
    return `PORTARIA_METRICS_PORT: ${await portFault(error, host, metricsPort)}`
  }
  return undefined
}

/** Requests in flight finish first. Then the feed and the database close. */
async function stop(
  { changes, storage, onFault }: AppContext,
  { app, outbox, mailer, siblings, flushLastSeen, writeFailedSignIns }: Service,
  { metricsServer, connections }: { metricsServer: Server | undefined; connections: ReturnType<typeof trackSilent> },
): Promise<void> {
  endAfterAnswers(app.server)
  // Requests that have arrived but are not read yet are in flight too: their connections would be taken for idle.
  await setTimeout(ARRIVED_MS)
  for (let turn = 0; turn < TURNS_TO_READ; turn++) await setImmediate()
  // A kept-alive connection becomes idle with its last answer, and would delay the end for as long as its idle timeout.
  const begun = performance.now()
  const idle = setInterval(() => {
    app.server.closeIdleConnections()
    connections.endSilent()
    // A client that still sends a request then is not waited for: the rest has to end in order, too.
    if (performance.now() - begun > LATE_MS) app.server.closeAllConnections()
  }, IDLE_LOOK_MS)
  await app.close()
  clearInterval(idle)
  await flushLastSeen().catch(onFault)
  await writeFailedSignIns().catch(onFault)
  await outbox.stop()
  await mailer.close()
  await siblings?.nowLeaving().catch(onFault)
  metricsServer?.close()
  await changes.stop()
  await storage.close()
}

function complain(line: string): void {
  process.stderr.write(`${line}\n`)
}
