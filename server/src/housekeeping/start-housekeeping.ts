import { deleteDue } from '../admin/serve/index.ts'
import type { Service } from '../app.ts'
import { SYSTEM } from '../audit/index.ts'
import type { Environment } from '../config.ts'
import type { AppContext } from '../context.ts'
import { HOUR_MS, MINUTE_MS } from '../kit/index.ts'
import { LAST_SEEN_FLUSH_MS, manageSigningKeys } from '../sessions/index.ts'
import { createBeside } from './beside.ts'
import { countIfDue } from './count-if-due.ts'
import { tidyIfDue } from './tidy-if-due.ts'

const LET_GO_MS = 10 * MINUTE_MS
/** A node checks soon after its start, then regularly: processes that live for minutes only would otherwise never clean up. */
const FIRST_LOOK_MS = 5_000
const LOOK_MS = MINUTE_MS
/** The figures of reports are usually behind by so much at most; reading them counts what is new as well. */
const COUNT_MS = MINUTE_MS

/**
 * Removes expired data, counts purchases for the reports, writes down what is counted in memory, and makes the next signing key when it is
 * due. Answers a function that stops it. A process that it starts gets the `environment`.
 */
export function startHousekeeping(
  context: AppContext,
  { flushLastSeen, writeFailedSignIns }: Pick<Service, 'flushLastSeen' | 'writeFailedSignIns'>,
  environment: Environment,
): () => void {
  let isOver = false
  const stop = new AbortController()
  // PostgreSQL works in processes of its own.
  const beside = context.storage.address.dialect === 'sqlite' ? createBeside(environment, stop.signal) : undefined
  const attempt = (work: () => Promise<unknown>) => void work().catch((error) => isOver || context.onFault(error))
  const again = (work: () => Promise<unknown>, everyMs: number) => setInterval(() => attempt(work), everyMs).unref()
  const tidyInTurn = () => tidyIfDue(context, beside)
  const letGo = () => deleteDue(context)
  // At start too, and on every node. Only one node takes each user, and each user knows when.
  attempt(letGo)
  const first = setTimeout(() => attempt(tidyInTurn), FIRST_LOOK_MS).unref()
  const timers = [
    again(tidyInTurn, LOOK_MS),
    again(letGo, LET_GO_MS),
    again(() => manageSigningKeys({ ...context, actor: SYSTEM }), HOUR_MS),
    again(flushLastSeen, LAST_SEEN_FLUSH_MS),
    again(writeFailedSignIns, MINUTE_MS),
    again(() => countIfDue(context, beside), COUNT_MS),
  ]
  return () => {
    isOver = true
    stop.abort()
    clearTimeout(first)
    timers.forEach(clearInterval)
  }
}
