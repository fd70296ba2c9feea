import { isoTime } from '../../../kit/index.ts'
import { attemptStore } from '../../../notifications/index.ts'
import type { Queryable } from '../../../storage/index.ts'
import type { NotificationRun } from './notification-run.ts'

/** A run, with what became by now of those whose gateways it had asked. */
export async function runJson(db: Queryable, run: NotificationRun) {
  const { id, since, state, actor, total, processed, asked, pending, createdAt, updatedAt, finishedAt } = run
  return {
    id,
    since: isoTime(since),
    state,
    actor,
    total,
    done: processed + asked + Object.values(pending).reduce((sum, count) => sum + count, 0),
    processed,
    asked,
    asked_by_now: asked === 0 ? { awaiting: 0, processed: 0, failed: 0, other: 0 } : await readAsked(db, id),
    pending,
    created_at: isoTime(createdAt),
    updated_at: isoTime(updatedAt),
    finished_at: isoTime(finishedAt),
  }
}

async function readAsked(db: Queryable, runId: string) {
  const counts = { awaiting: 0, processed: 0, failed: 0, other: 0 }
  for (const { status, why, count } of await attemptStore(db).countAsked(runId)) {
    if (why !== undefined) counts.awaiting += count
    else if (status === 'processed' || status === 'failed') counts[status] += count
    else counts.other += count
  }
  return counts
}
