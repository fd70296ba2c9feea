import { existsSync, readdirSync, statSync } from 'node:fs'
import { stat, statfs } from 'node:fs/promises'
import path from 'node:path'
import process from 'node:process'
import type { Config } from '../../config.ts'
import { masterKeyFile } from '../../master-key-file.ts'
import { listLeft } from '../database/staged-files.ts'
import type { Check } from './doctor-check.ts'
import { check } from './doctor-check.ts'

const GIB = 1024 ** 3
const DISK_WARN_BYTES = GIB
const DISK_FAIL_BYTES = GIB / 10

export async function checkDisk(file: string): Promise<Check[]> {
  const folder = path.dirname(file)
  if (!existsSync(folder)) return []
  const { bavail, bsize } = await statfs(folder)
  const free = bavail * bsize
  const status = free < DISK_FAIL_BYTES ? 'fail' : free < DISK_WARN_BYTES ? 'warn' : 'ok'
  const fix = status === 'ok' ? '' : ': make room, a full disk stops all writing'
  return [check('disk', status, `${(free / GIB).toFixed(1)} GiB free beside the database${fix}`)]
}

export async function checkKeyFile(config: Config): Promise<Check[]> {
  const file = config.masterKey ? undefined : masterKeyFile(config)
  if (file === undefined || !existsSync(file) || process.platform === 'win32') return []
  const { mode } = await stat(file)
  return (mode & 0o077) === 0 ? [] : [check('key file', 'warn', `${file} can be read by others: chmod 600 ${file}`)]
}

/** How the names of a restore's files go on after that of the database: the one that was replaced, and the one that is being prepared. */
const KEPT = ['.before-restore', '.restoring-']

/** The database, its log, and the files of a restore: all of them hold addresses and password hashes. */
export function checkFiles({ database }: Config): Check[] {
  if (database.dialect === 'postgres' || process.platform === 'win32') return []
  const { dir, base } = path.parse(database.file)
  const isOfIt = (name: string) => [base, `${base}-wal`, `${base}-shm`].includes(name) || KEPT.some((mark) => name.startsWith(base + mark))
  const open = (existsSync(dir || '.') ? readdirSync(dir || '.') : [])
    .filter(isOfIt)
    .map((name) => path.join(dir, name))
    .filter((file) => ((statSync(file, { throwIfNoEntry: false })?.mode ?? 0) & 0o077) !== 0)
  const left = listLeft(database.file)
  return [
    ...(open.length === 0 ? [] : [check('files', 'warn', `${open.join(', ')} can be read by others: chmod 600 ${open.join(' ')}`)]),
    ...(left.length === 0 ? [] : [check('files', 'warn', `${left.join(', ')}: left by a restore that was cut, the next one removes them`)]),
  ]
}
