import type { Now } from '../kit/index.ts'
import type { Storage } from '../storage/index.ts'
import { waitAfter } from './back-off.ts'
import { FatalJobFault, type GivenUp, type Job, type JobHandler, type JobKind, leavesNoTrace, type OnGivenUp, TryLater } from './job.ts'
import { deadLetterJob, endLease, pauseLane, postponeJob, removeJob } from './store.ts'

/** Well within the lease, so that a slow job is given up before another worker begins it. */
const HANDLER_MS = 30_000

interface RunDeps {
  storage: Storage
  handlers: Readonly<Partial<Record<JobKind, JobHandler>>>
  onGivenUp?: Readonly<Partial<Record<JobKind, OnGivenUp>>>
  now: Now
}

/** Does a job: it is removed then, or put back until its next attempt, or kept as a dead letter. */
export async function runJob(job: Job, deps: RunDeps): Promise<void> {
  const { storage, handlers, now } = deps
  const [begunAt, begun] = [now(), performance.now()]
  try {
    const handler = new Map<string, JobHandler>(Object.entries(handlers)).get(job.kind)
    if (!handler) throw new FatalJobFault(`no handler for ${job.kind}`)
    if (job.payload === undefined) throw new FatalJobFault('the payload does not open with this master key')
    const signal = AbortSignal.timeout(HANDLER_MS)
    await Promise.race([handler(job.payload, { ...job, signal }), givenUp(signal)])
  } catch (fault) {
    const error = (fault instanceof Error ? fault.message : 'unknown fault').slice(0, 500)
    await putBack(job, { fault, why: error, begunAt, ms: Math.round(performance.now() - begun), at: now() }, deps)
    return
  }
  await removeJob(storage.db, job.id)
}

function putBack(
  job: Job,
  { fault, at, ...ended }: Omit<GivenUp, 'id' | 'payload'> & { fault: unknown; at: number },
  { storage, onGivenUp }: RunDeps,
): Promise<void> {
  const { id, lane, payload } = job
  const error = ended.why
  const wait = waitAfter(job.attempts, fault)
  return storage.transaction(async (tx) => {
    if (fault instanceof TryLater && lane !== undefined) await pauseLane(tx, lane, at + fault.afterMs)
    // A worker that was held up for a minute has lost the job to another one, which says what becomes of it.
    if (!(await endLease(tx, job))) return
    if (wait === undefined) {
      await new Map(Object.entries(onGivenUp ?? {})).get(job.kind)?.(tx, { id, payload, ...ended })
      await (leavesNoTrace(job) ? removeJob(tx, id) : deadLetterJob(tx, id, { at, error }))
    } else await postponeJob(tx, id, { runAt: at + wait, error })
  })
}

/** Rejects when the time is over: a handler that ignores its signal must not keep its place for ever. */
function givenUp(signal: AbortSignal): Promise<never> {
  const { promise, reject } = Promise.withResolvers<never>()
  signal.addEventListener('abort', () => reject(signal.reason))
  return promise
}
