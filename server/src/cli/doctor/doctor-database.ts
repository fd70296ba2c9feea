import { existsSync, statSync } from 'node:fs'
import { stat, statfs } from 'node:fs/promises'
import path from 'node:path'
import process from 'node:process'
import { listAudit } from '../../audit/index.ts'
import type { Config } from '../../config.ts'
import { createClock, createSealer, DAY_MS, deriveKeys, describeClock, MINUTE_MS, type Sealer } from '../../kit/index.ts'
import { masterKeyFile, readMasterKey } from '../../master-key-file.ts'
import { signingKeyState, signingKeyStore } from '../../sessions/index.ts'
import {
  besideNewer,
  compareClocks,
  DamagedFiles,
  hasMasterKeyMark,
  markMasterKey,
  newerSentence,
  openStorage,
  type Storage,
  schemaState,
} from '../../storage/index.ts'
import { reasonOf } from '../command/faults.ts'
import { WRONG_MASTER_KEY } from '../command/open-context.ts'
import type { Check } from './doctor-check.ts'
import { checkDrift } from './doctor-config.ts'
import { checkForwardAuth } from './doctor-forward-auth.ts'
import { checkGateways } from './doctor-gateways.ts'
import { checkOpenId } from './doctor-openid.ts'
import { checkAdministrator, checkCopy, checkNotifications, checkOutbox, checkProviders, checkWebhookSecret } from './doctor-others.ts'

/** A key is replaced after 90 days; some more days mean that housekeeping does not run. */
const OLD_KEY_MS = 100 * DAY_MS
const GIB = 1024 ** 3
const DISK_WARN_BYTES = GIB
const DISK_FAIL_BYTES = GIB / 10
const CLOCK_WARN_MS = MINUTE_MS

/** Reads the database without changing it; a missing one is not made. */
export async function checkDatabase(config: Config): Promise<Check[]> {
  const { database } = config
  if (database.dialect === 'sqlite' && !existsSync(database.file)) {
    const key = await readMasterKey(config)
    if (key && 'fault' in key) return [check('database', 'fail', key.fault), ...(await checkDisk(database.file))]
    return [
      check('database', 'warn', `${database.file} does not exist yet: the first start makes it, with its key`),
      ...(await checkDisk(database.file)),
    ]
  }
  const disk = database.dialect === 'sqlite' ? await checkDisk(database.file) : []
  const storage = await openStorage(database).catch((error) => unreachable(error))
  if ('status' in storage) return [storage, ...disk]
  try {
    const pages = await checkPages(storage)
    if (pages.some(({ status }) => status === 'fail')) return [...pages, ...disk]
    return [...(await checkContents(config, storage)), ...pages, ...disk]
  } catch (error) {
    return [unreachable(error), ...disk]
  } finally {
    await storage.close()
  }
}

async function checkContents(config: Config, storage: Storage): Promise<Check[]> {
  const found = await readMasterKey(config)
  const { pending, newer, needs } = await schemaState(storage)
  const reached = check('database', 'ok', `${storage.address.dialect} answers`)
  if (pending.length > 0 && found && 'fault' in found) return [reached, check('master key', 'fail', found.fault)]
  if (needs) return [reached, check('migrations', 'fail', newerSentence(needs))]
  if (pending.length > 0)
    return [reached, check('migrations', 'fail', `not applied: ${pending.join(', ')}. Run \`portaria migrate\`, or start the service`)]
  const keyFile = [...(await checkKeyFile(config)), ...checkFiles(config)]
  const checks = [
    reached,
    check('migrations', 'ok', newer.length === 0 ? 'all applied' : besideNewer(newer, storage.timeline.version)),
    ...keyFile,
    ...(await checkCopy(storage)),
    await checkClock(storage),
    await checkAdministrator(storage),
    await checkWebhookSecret(config, storage),
    await checkOutbox(storage),
    await checkNotifications(storage),
    ...(await checkForwardAuth(config, storage)),
    ...(await checkOpenId(config, storage)),
    ...(await checkDrift(storage)),
  ]
  if (!found) return [...checks, check('master key', 'warn', 'none yet: the first start makes it')]
  if ('fault' in found) return [...checks, check('master key', 'fail', found.fault)]
  const current = deriveKeys(found.key).sealing
  const previous = config.previousMasterKey && deriveKeys(config.previousMasterKey).sealing
  const sealer = createSealer(previous ? [current, previous] : [current])
  const marked = (await hasMasterKeyMark(storage.db)) && (await markMasterKey(storage.db, sealer))
  if (marked === 'wrong_key') return [...checks, check('master key', 'fail', WRONG_MASTER_KEY)]
  const opens = marked ? 'opens what is sealed' : 'nothing is sealed yet'
  const others = [...(await checkProviders(config, storage, sealer)), ...(await checkGateways({ config, storage, sealer }))]
  const sealed = [...(await checkSigningKeys(storage, sealer)), ...others]
  return [...checks, check('master key', 'ok', opens), ...sealed]
}

async function checkSigningKeys({ db }: Storage, sealer: Sealer): Promise<Check[]> {
  const name = 'signing key'
  const keys = await signingKeyStore(db).list()
  const current = keys.find((key) => signingKeyState(key, keys, Date.now()) === 'signing')
  if (!current) return [check(name, 'warn', 'none signs yet: the first start of the service makes one')]
  const closed = keys.filter(({ kid, privateSealed }) => sealer.open(privateSealed, `signing_keys.private_sealed.${kid}`) === undefined)
  if (closed.length > 0)
    return [check(name, 'fail', `${closed.map(({ kid }) => kid).join(', ')} can't be opened: \`portaria keys revoke\` it`)]
  const age = Date.now() - current.signsFrom
  const days = `${current.kid} has signed for ${Math.floor(age / DAY_MS)} days`
  if (age > OLD_KEY_MS)
    return [check(name, 'warn', `${days}: the service makes a new one by itself while it runs; \`portaria keys rotate\` does so now`)]
  return [check(name, 'ok', days)]
}

/**
 * Compared with the database's clock, by which all nodes agree. On SQLite that is this machine's own; but the audit log's newest entry
 * can't be of tomorrow: with a slow clock, tokens are refused or live too long.
 */
async function checkClock(storage: Storage): Promise<Check> {
  const clock = createClock()
  const time = await compareClocks(clock, storage)
  if (clock.state() !== 'right') {
    const refused = clock.state() === 'wrong' ? '; until then the service does not start here' : '; until then the service corrects it'
    return check('clock', clock.state() === 'wrong' ? 'fail' : 'warn', `${describeClock(clock.aheadMs())}${refused}`)
  }
  const [newest] = await listAudit(storage.db, { limit: 1 })
  const ahead = newest === undefined ? 0 : newest.at - time
  if (ahead <= CLOCK_WARN_MS) return check('clock', 'ok', new Date(time).toISOString())
  const seconds = Math.round(ahead / 1000)
  return check(
    'clock',
    'fail',
    `this machine's clock is ${seconds} s behind the newest audit entry: set it (NTP), or tokens will be refused`,
  )
}

async function checkDisk(file: string): Promise<Check[]> {
  const folder = path.dirname(file)
  if (!existsSync(folder)) return []
  const { bavail, bsize } = await statfs(folder)
  const free = bavail * bsize
  const status = free < DISK_FAIL_BYTES ? 'fail' : free < DISK_WARN_BYTES ? 'warn' : 'ok'
  const fix = status === 'ok' ? '' : ': make room, a full disk stops all writing'
  return [check('disk', status, `${(free / GIB).toFixed(1)} GiB free beside the database${fix}`)]
}

async function checkKeyFile(config: Config): Promise<Check[]> {
  const file = config.masterKey ? undefined : masterKeyFile(config)
  if (file === undefined || !existsSync(file) || process.platform === 'win32') return []
  const { mode } = await stat(file)
  return (mode & 0o077) === 0 ? [] : [check('key file', 'warn', `${file} can be read by others: chmod 600 ${file}`)]
}

/** The database, its log, and the files that a restore left of the one before: all of them hold addresses and password hashes. */
function checkFiles({ database }: Config): Check[] {
  if (database.dialect === 'postgres' || process.platform === 'win32') return []
  const open = ['', '-wal', '-shm', '.before-restore']
    .map((ending) => database.file + ending)
    .filter((file) => ((statSync(file, { throwIfNoEntry: false })?.mode ?? 0) & 0o077) !== 0)
  return open.length === 0 ? [] : [check('files', 'warn', `${open.join(', ')} can be read by others: chmod 600 ${open.join(' ')}`)]
}

async function checkPages(storage: Storage): Promise<Check[]> {
  if (storage.address.dialect === 'postgres') return []
  const damage = await storage.checkPages()
  return [damage === undefined ? check('pages', 'ok', 'every page of the database can be read') : check('pages', 'fail', damage)]
}

function unreachable(error: unknown): Check {
  if (error instanceof DamagedFiles) return check('database', 'fail', error.message)
  return check('database', 'fail', `can't be used (${reasonOf(error)}): check DATABASE_URL and that the database runs`)
}

function check(name: string, status: Check['status'], message: string): Check {
  return { name, status, message }
}
