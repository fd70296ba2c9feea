import { execFile } from 'node:child_process'
import process from 'node:process'
import { fileURLToPath } from 'node:url'
import type { Environment } from '../config.ts'

/** Does work in a process of its own, which ends when it is done, or after so many ms: what is left waits for the next time. */
export type Beside = (work: 'tidy' | 'count', forMs: number) => Promise<void>

const program = fileURLToPath(new URL('./beside-process.ts', import.meta.url))

/**
 * On SQLite a statement stops the process that sends it, and so does its commit, while the disk writes. The process has the environment of
 * this one, and ends with `stop`. A commit that it was about to make is then undone, and made again another time.
 */
export function createBeside(environment: Environment, stop: AbortSignal): Beside {
  return (work, forMs) =>
    new Promise((resolve, reject) => {
      const options = { env: environment, signal: stop, timeout: forMs }
      execFile(process.execPath, ['--disable-warning=ExperimentalWarning', program, work], options, (error, _out, complaints) => {
        if (!error || error.killed || stop.aborted) resolve()
        else reject(new Error(`${work}, in a process of its own: ${complaints.trim() || error.message}`))
      })
    })
}
