import { availableParallelism } from 'node:os'
import process from 'node:process'

const MOST = 64

/** On Windows one process would accept nearly all connections. */
const sharesPorts = process.platform !== 'win32'

/** For the operator whose `PORTARIA_PROCESSES` is refused. */
export const PROCESSES_FORM = sharesPorts ? `a number of processes, 1 to ${MOST}, or auto: one for each core` : '1 on this system, or auto'

/** The value of `PORTARIA_PROCESSES`; `undefined` where it is no number of processes that this system can run on one port. */
export function parseProcesses(text: string): number | undefined {
  const most = sharesPorts ? MOST : 1
  if (text === 'auto') return Math.min(availableParallelism(), most)
  const count = /^\d{1,2}$/.test(text) ? Number(text) : 0
  return count >= 1 && count <= most ? count : undefined
}
