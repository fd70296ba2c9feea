import { type Actor, recordAudit } from '../../audit/index.ts'
import type { Now } from '../../kit/index.ts'
import { giveUpAsking, JOB_REMOVED } from '../../notifications/index.ts'
import { findJob, type JobRecord, reviveDeadJobs, reviveJob, takeIdleJob } from '../../outbox/index.ts'
import type { Storage, Transaction } from '../../storage/index.ts'
import { endIfAbandoned } from '../notifications/runs/run.ts'

interface ManageDeps {
  storage: Storage
  now: Now
  /** The actor in the audit log. */
  actor: Actor
}

/** `running`: a worker is running it. */
export type JobRefusal = { refusal: 'not_found' | 'running' }

/** Makes a job due at once with all its attempts: a dead letter, or one that waits for its next attempt. */
export function retryJob(id: string, { storage, now, actor }: ManageDeps): Promise<JobRecord | JobRefusal> {
  return storage.transaction(async (tx) => {
    const before = await findJob(tx, id)
    const job = await reviveJob(tx, id, now())
    if (!job || !before) return refuse(tx, id)
    await recordAudit(tx, { actor, action: 'outbox.retry', target: id, before: trace(before) }, now())
    return job
  })
}

/** Makes every dead letter due at once. Answers their number. */
export function retryDeadJobs({ storage, now, actor }: ManageDeps): Promise<number> {
  return storage.transaction(async (tx) => {
    const count = await reviveDeadJobs(tx, now())
    if (count > 0) await recordAudit(tx, { actor, action: 'outbox.retry_all', target: 'outbox', after: { count } }, now())
    return count
  })
}

/** A job that was removed, and the notification that has failed with it: its gateway is not asked any more. */
export type DroppedJob = JobRecord & { failedNotificationId: string | undefined }

/** Removes a job for good: its work will not be done. What waited for it waits no more. */
export function dropJob(id: string, reason: string, { storage, now, actor }: ManageDeps): Promise<DroppedJob | JobRefusal> {
  const at = now()
  return storage.transaction(async (tx) => {
    const job = await takeIdleJob(tx, id, at)
    if (!job) return refuse(tx, id)
    await recordAudit(tx, { actor, action: 'outbox.drop', target: id, before: trace(job), reason }, at)
    if (job.kind === 'run_notifications') await endIfAbandoned(tx, { actor, at })
    const attempt = { kind: 'resolution', at, why: JOB_REMOVED, actor: typeof actor === 'string' ? actor : actor.name } as const
    const hasFailed = job.kind === 'fetch_payment' && (await giveUpAsking(tx, id, attempt))
    return { ...job, failedNotificationId: hasFailed ? id : undefined }
  })
}

async function refuse(tx: Transaction, id: string): Promise<JobRefusal> {
  return { refusal: (await findJob(tx, id)) ? 'running' : 'not_found' }
}

/** A job in the audit log. Without its last error: a mail server's message may hold an address. */
function trace({ kind, attempts, deadAt }: JobRecord): Record<string, unknown> {
  return { kind, attempts, dead: deadAt !== undefined }
}
