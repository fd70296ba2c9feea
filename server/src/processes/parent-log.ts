import { write } from 'node:fs'
import process from 'node:process'
import { setTimeout } from 'node:timers/promises'

const MAX_PENDING = 20
const LAST_MS = 1_000

/**
 * Lines like those of the service, for the few things that a parent has to say. A reader that stands still holds up nothing: lines that it
 * does not take are lost.
 */
export function createParentLog(level: string | undefined) {
  let pending = 0
  return {
    write(kind: 'info' | 'warn' | 'error', about: Record<string, unknown>, msg: string): void {
      if (level === 'silent' || (level === 'error' && kind !== 'error') || pending > MAX_PENDING) return
      pending += 1
      const line = JSON.stringify({ level: kind, time: new Date().toISOString(), pid: process.pid, ...about, msg })
      write(process.stdout.fd, `${line}\n`, () => {
        pending -= 1
      })
    },
    /** A write that never returns would keep this process from ending. */
    async end(): Promise<void> {
      if (pending > 0) await setTimeout(LAST_MS)
      if (pending > 0) process.kill(process.pid, 'SIGKILL')
    },
  }
}
