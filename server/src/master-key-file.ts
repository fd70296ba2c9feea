import { randomBytes, randomUUID } from 'node:crypto'
import { existsSync } from 'node:fs'
import { appendFile, link, mkdir, open, readFile, rm } from 'node:fs/promises'
import path from 'node:path'
import type { Config } from './config.ts'
import { parseMasterKey } from './kit/index.ts'
import { DamagedFiles, hasMasterKeyMark, openStorage } from './storage/index.ts'

const KEY_BYTES = 32

/** The existing master key. `undefined` when there is none yet and the database has used none. */
export async function readMasterKey(config: Config): Promise<{ key: Buffer } | { fault: string } | undefined> {
  try {
    return await findKey(config)
  } catch (error) {
    if (error instanceof DamagedFiles) return { fault: error.message }
    throw error
  }
}

async function findKey(config: Config): Promise<{ key: Buffer } | { fault: string } | undefined> {
  if (config.masterKey) return { key: config.masterKey }
  const file = masterKeyFile(config)
  if (file === undefined) return { fault: 'PORTARIA_MASTER_KEY: it is required with PostgreSQL' }
  const found = await readKeyFile(file)
  if (found && (await isLost(config))) return { fault: lostDatabase(config, file) }
  if (found || !(await isMarked(config))) return found
  // Another process may have made both in the meantime. It makes the file first, so the file is there now.
  const lost = `${file} is gone, and this database was made with the key in it: put it back, or set PORTARIA_MASTER_KEY to that key`
  return (await readKeyFile(file)) ?? { fault: lost }
}

/**
 * The master key: `PORTARIA_MASTER_KEY`, or with SQLite the file `portaria.key` beside the database (mode 0600), made on first use. Of
 * several processes that start at once one makes it, and all answer the same. A database whose key is gone is a fault, never a reason for a
 * new key.
 */
export async function findMasterKey(config: Config): Promise<{ key: Buffer; made: boolean } | { fault: string }> {
  const found = await readMasterKey(config)
  if (found) return 'fault' in found ? found : { ...found, made: false }
  const file = masterKeyFile(config)
  if (file === undefined) throw new Error('only SQLite goes without a master key')
  try {
    const made = await makeKeyFile(file)
    return { ...((await readKeyFile(file)) ?? { fault: `${file} was removed while it was being made` }), made }
  } catch (error) {
    return { fault: `${file} can't be made: ${error instanceof Error ? error.message : 'unknown fault'}` }
  }
}

/**
 * Records beside the key that a database was made with it. An empty database beside a used key means a wrong volume or a lost file, not a
 * first start. The record is a file of its own, because older versions read the key file as a whole.
 */
export async function noteUse(config: Config): Promise<void> {
  const file = config.masterKey ? undefined : masterKeyFile(config)
  if (file === undefined || config.database.dialect === 'postgres' || (await isNoted(config, file))) return
  await appendFile(`${file}.used`, `${path.basename(config.database.file)}\n`, { mode: 0o600 })
}

async function isNoted({ database }: Config, keyFile: string): Promise<boolean> {
  if (database.dialect === 'postgres' || !existsSync(`${keyFile}.used`)) return false
  return (await readFile(`${keyFile}.used`, 'utf8')).split('\n').includes(path.basename(database.file))
}

async function isLost(config: Config): Promise<boolean> {
  const file = masterKeyFile(config)
  return file !== undefined && (await isNoted(config, file)) && !(await isMarked(config))
}

function lostDatabase({ database }: Config, keyFile: string): string {
  const file = database.dialect === 'sqlite' ? database.file : ''
  return `${file} is empty or gone, and has been in use with ${keyFile}: put it back, or restore a backup (portaria restore FILE); to begin anew remove ${keyFile}.used`
}

/** The path of the key file, even if it does not exist; `undefined` with PostgreSQL. */
export function masterKeyFile({ database }: Pick<Config, 'database'>): string | undefined {
  return database.dialect === 'sqlite' ? path.join(path.dirname(database.file), 'portaria.key') : undefined
}

async function readKeyFile(file: string): Promise<{ key: Buffer } | { fault: string } | undefined> {
  if (!existsSync(file)) return undefined
  try {
    const key = parseMasterKey(await readFile(file, 'utf8'))
    return key ? { key } : { fault: `${file}: expects 32 bytes in base64, as Portaria wrote them; put back your copy of it` }
  } catch (error) {
    return { fault: `${file} can't be read: ${error instanceof Error ? error.message : 'unknown fault'}` }
  }
}

/**
 * Makes the file whole or not at all, and never over another: it is written under a temporary name, then linked to the real one, which
 * fails if that exists. It is on disk before anything is sealed with it. Answers whether this process made it.
 */
async function makeKeyFile(file: string): Promise<boolean> {
  await mkdir(path.dirname(file), { recursive: true, mode: 0o700 })
  const part = `${file}.${randomUUID()}`
  const handle = await open(part, 'wx', 0o600)
  try {
    await handle.writeFile(`${randomBytes(KEY_BYTES).toString('base64')}\n`)
    await handle.sync()
    await link(part, file)
    return true
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'EEXIST') return false
    throw error
  } finally {
    await handle.close()
    await rm(part, { force: true })
    await syncFolder(path.dirname(file))
  }
}

/** Windows can't open a folder, and needs no sync of it. */
async function syncFolder(folder: string): Promise<void> {
  const handle = await open(folder, 'r').catch(() => undefined)
  await handle?.sync().catch(() => undefined)
  await handle?.close()
}

async function isMarked({ database }: Config): Promise<boolean> {
  if (database.dialect !== 'sqlite' || !existsSync(database.file)) return false
  const storage = await openStorage(database)
  try {
    return await hasMasterKeyMark(storage.db)
  } finally {
    await storage.close()
  }
}
