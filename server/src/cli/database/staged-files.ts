import { randomUUID } from 'node:crypto'
import { existsSync, readdirSync, rmSync, statSync } from 'node:fs'
import path from 'node:path'
import process from 'node:process'

/** No restore takes so long. */
const LEFT_AFTER_MS = 24 * 60 * 60_000
const MARK = '.restoring-'
const STOPS = ['SIGINT', 'SIGTERM'] as const

/**
 * Names a file beside the database for a backup while it is prepared, and calls `work` with it. It and all that SQLite puts beside it are
 * removed at the end, also when the command is stopped: they hold what the backup holds. What an earlier one that was killed has left goes
 * first, and makes room.
 */
export async function withStaged<T>(database: string, work: (staged: string) => Promise<T>): Promise<T> {
  for (const left of listLeft(database)) rmSync(left, { force: true })
  const staged = `${database}${MARK}${randomUUID()}`
  const remove = () => {
    for (const file of listBeside(staged)) rmSync(file, { force: true })
  }
  const stop = (signal: NodeJS.Signals) => {
    remove()
    process.kill(process.pid, signal) // nobody listens any more: it ends the process, and its parent sees by what
  }
  for (const signal of STOPS) process.once(signal, stop)
  try {
    return await work(staged)
  } finally {
    for (const signal of STOPS) process.off(signal, stop)
    remove()
  }
}

/** The files that a restore has left beside the database, because it was killed. Younger ones may be those of one that runs. */
export function listLeft(database: string): string[] {
  const before = Date.now() - LEFT_AFTER_MS
  return listBeside(database + MARK).filter((file) => (statSync(file, { throwIfNoEntry: false })?.mtimeMs ?? before) < before)
}

/** The files whose names begin so. */
function listBeside(beginning: string): string[] {
  const { dir, base } = path.parse(beginning)
  const folder = dir || '.'
  const names = existsSync(folder) ? readdirSync(folder).filter((name) => name.startsWith(base)) : []
  return names.sort().map((name) => path.join(dir, name))
}
