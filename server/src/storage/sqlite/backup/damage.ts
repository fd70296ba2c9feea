import { DamagedFiles, refuseDamagedFiles } from '../examine-files.ts'

/** SQLITE_CORRUPT and SQLITE_NOTADB. */
const DAMAGE = [11, 26]

export function isDamage(error: unknown): boolean {
  return error instanceof Error && 'errcode' in error && typeof error.errcode === 'number' && DAMAGE.includes(error.errcode & 0xff)
}

export function hasDamagedFiles(file: string): boolean {
  try {
    refuseDamagedFiles(file)
    return false
  } catch (error) {
    if (error instanceof DamagedFiles) return true
    throw error
  }
}
