import { isoTime } from '../../kit/index.ts'
import { type JobRecord, jobState } from '../../outbox/index.ts'

export function jobJson(job: JobRecord, now: number) {
  return {
    id: job.id,
    kind: job.kind,
    state: jobState(job, now),
    attempts: job.attempts,
    created_at: isoTime(job.createdAt),
    run_at: isoTime(job.runAt),
    dead_at: isoTime(job.deadAt),
    last_error: job.lastError ?? null,
  }
}
