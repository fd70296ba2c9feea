import { existsSync } from 'node:fs'
import type { Config } from '../../config.ts'
import { createSealer, deriveKeys } from '../../kit/index.ts'
import { readMasterKey } from '../../master-key-file.ts'
import {
  besideNewer,
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
import type { Streams } from '../command/output.ts'
import { createFileProgress } from '../database/file-progress.ts'
import type { Ask } from './asking.ts'
import { type Check, check } from './doctor-check.ts'
import { checkClock } from './doctor-clock.ts'
import { checkDrift } from './doctor-config.ts'
import { checkDisk, checkFiles, checkKeyFile } from './doctor-files.ts'
import { checkForwardAuth } from './doctor-forward-auth.ts'
import { checkGateways } from './doctor-gateways.ts'
import { checkOpenId } from './doctor-openid.ts'
import { checkAdministrator, checkCopy, checkNotifications, checkOutbox, checkProviders, checkWebhookSecret } from './doctor-others.ts'
import { checkSigningKeys } from './doctor-signing-keys.ts'

interface Shown {
  stderr: Streams['stderr']
  ask: Ask
}

/** Reads the database without changing it; a missing one is not made. */
export async function checkDatabase(config: Config, { stderr, ask }: Shown): Promise<Check[]> {
  const { database } = config
  if (database.dialect === 'sqlite' && !existsSync(database.file)) {
    const key = await readMasterKey(config)
    if (key && 'fault' in key) return [check('database', 'fail', key.fault), ...(await checkDisk(database.file))]
    return [
      check('database', 'warn', `${database.file} does not exist yet: the first start makes it, with its key`),
      ...(await checkDisk(database.file)),
    ]
  }
  const files = await filesOf(config)
  const beside = database.dialect === 'sqlite' ? [...files, ...(await checkDisk(database.file))] : files
  const open = () => openStorage(database).catch((error) => unreachable(error))
  const storage = await (database.dialect === 'postgres' ? ask('the database', open) : open())
  if ('status' in storage) return [storage, ...beside]
  try {
    const pages = await checkPages(storage, stderr)
    if (pages.some(({ status }) => status === 'fail')) return [...pages, ...beside]
    return [...(await checkContents(config, storage, ask)), ...pages, ...beside]
  } catch (error) {
    return [unreachable(error), ...beside]
  } finally {
    await storage.close()
  }
}

/** The rights of the key and of the database's files. They are looked at although the database can't be read. */
async function filesOf(config: Config): Promise<Check[]> {
  try {
    return [...(await checkKeyFile(config)), ...checkFiles(config)]
  } catch (error) {
    return [check('files', 'warn', `can't be looked at (${reasonOf(error)})`)]
  }
}

async function checkContents(config: Config, storage: Storage, ask: Ask): Promise<Check[]> {
  const found = await readMasterKey(config)
  const { pending, newer, needs } = await schemaState(storage)
  const reached = check('database', 'ok', `${storage.address.dialect} answers`)
  if (pending.length > 0 && found && 'fault' in found) return [reached, check('master key', 'fail', found.fault)]
  if (needs) return [reached, check('migrations', 'fail', newerSentence(needs))]
  if (pending.length > 0)
    return [reached, check('migrations', 'fail', `not applied: ${pending.join(', ')}. Run \`portaria migrate\`, or start the service`)]
  const checks = [
    reached,
    check('migrations', 'ok', newer.length === 0 ? 'all applied' : besideNewer(newer, storage.timeline.version)),
    ...(await checkCopy(storage)),
    await checkClock(storage),
    await checkAdministrator(storage),
    await checkWebhookSecret(config, storage),
    await checkOutbox(storage),
    await checkNotifications(storage),
    ...(await checkForwardAuth(config, storage)),
    ...(await checkOpenId(config, storage, ask)),
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
  const others = [...(await checkProviders({ config, storage, sealer, ask })), ...(await checkGateways({ config, storage, sealer, ask }))]
  const sealed = [...(await checkSigningKeys(storage, sealer)), ...others]
  return [...checks, check('master key', 'ok', opens), ...sealed]
}

async function checkPages(storage: Storage, stderr: Streams['stderr']): Promise<Check[]> {
  if (storage.address.dialect === 'postgres') return []
  const { at: onRead, end } = createFileProgress({ stderr })
  const state = await storage.checkPages(onRead).finally(end)
  if (state === 'sound') return [check('pages', 'ok', 'every page of the database can be read')]
  if ('damage' in state) return [check('pages', 'fail', state.damage)]
  return [check('pages', 'warn', `not read to their end (${state.unread}), so nobody knows whether one is damaged: run doctor again`)]
}

function unreachable(error: unknown): Check {
  if (error instanceof DamagedFiles) return check('database', 'fail', error.message)
  return check('database', 'fail', `can't be used (${reasonOf(error)}): check DATABASE_URL and that the database runs`)
}
