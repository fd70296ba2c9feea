import { execFile } from 'node:child_process'
import { getCompileCacheDir } from 'node:module'
import path from 'node:path'
import process from 'node:process'
import { fileURLToPath } from 'node:url'
import type { Environment } from '../config.ts'
import { DatabaseAway, isDatabaseAway, timeline } from '../storage/index.ts'

/**
 * Does work in a process of its own, which ends when it is done, or after so many ms: what is left waits for the next time. Rejects with
 * `DatabaseAway` where the database was.
 */
export type Beside = (work: 'tidy' | 'count', forMs: number) => Promise<void>

const program = fileURLToPath(new URL('./beside-process.ts', import.meta.url))
/** A terminal sends its interrupt to all processes. */
const STOPS: ReadonlySet<unknown> = new Set(['SIGTERM', 'SIGINT', 'SIGHUP'])

/** The exit code of a process whose database was away, or busy: EX_TEMPFAIL of sysexits.h. */
export const ANOTHER_TIME = 75
/** Where others write without a pause, the process never gets the file; at this time the service does the work, in its own queue. */
const MOST_MISSED = 3

/** The names of all migrations. The process compares the service's with its own: they differ where its files are of another version. */
export const migrationsHere = (): string => Object.keys(timeline.migrations).join()

/**
 * On SQLite a statement stops the process that sends it, and so does its commit, while the disk writes. The process has the environment of
 * this one, and ends with `stop`, or when this one ends. Its transaction is rolled back then, and done another time.
 */
export function createBeside(environment: Environment, stop: AbortSignal): Beside {
  // Compiled code saves a third of the start. Node answers its own folder, which lies in the one that was chosen.
  const cache = getCompileCacheDir()
  const env = cache === undefined ? environment : { ...environment, NODE_COMPILE_CACHE: path.dirname(cache) }
  const missed = { tidy: 0, count: 0 }
  return (work, forMs) =>
    new Promise((resolve, reject) => {
      const line = ['--disable-warning=ExperimentalWarning', program, work, String(forMs), migrationsHere()]
      execFile(process.execPath, line, { env, signal: stop }, (error, _out, complaints) => {
        missed[work] = error?.code === ANOTHER_TIME ? missed[work] + 1 : 0
        if (!error || stop.aborted || STOPS.has(error.signal)) resolve()
        else {
          const reason = `${work}, in a process of its own: ${complaints.trim() || error.message}`
          reject(missed[work] % MOST_MISSED > 0 ? new DatabaseAway(reason) : new Error(reason))
        }
      })
    })
}

/**
 * Where no process can do it, the service does it itself, and says so. What a busy database, or one that is away, has stopped
 * waits for the next time.
 */
export async function besideOrHere(
  beside: () => Promise<void>,
  here: () => Promise<unknown>,
  onFault: (fault: unknown) => void,
): Promise<void> {
  try {
    await beside()
  } catch (fault) {
    onFault(fault)
    if (!isDatabaseAway(fault)) await here()
  }
}
