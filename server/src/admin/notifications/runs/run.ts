import { type Actor, recordAudit, SYSTEM } from '../../../audit/index.ts'
import { isoTime, type Now, newId, type Sealer } from '../../../kit/index.ts'
import { hasLivingJob } from '../../../outbox/index.ts'
import type { Storage, Transaction } from '../../../storage/index.ts'
import type { NotificationRun } from './notification-run.ts'
import { runStore } from './run-store.ts'
import { leaveToRun } from './work-on-run.ts'

interface StartDeps {
  storage: Storage
  sealer: Sealer
  now: Now
  /** The actor in the audit log. */
  actor: Actor
}

/**
 * Begins to process everything again that waits or failed since then (ms). The service does it, on whichever node: the job goes on where
 * one was killed. `running`: another run is under way.
 */
export function startRun(
  { since, mayConcernRoles }: { since: number; mayConcernRoles: boolean },
  { storage, sealer, now, actor }: StartDeps,
): Promise<NotificationRun | { refusal: 'running' }> {
  const at = now()
  const name = typeof actor === 'string' ? actor : actor.name
  return storage.transaction(async (tx) => {
    const runs = runStore(tx)
    const { unresolved, failed, lastId = '' } = await runs.countOpen(since)
    const total = unresolved + failed
    const run: NotificationRun = {
      ...{ id: newId(), since, state: 'running', actor: name, mayConcernRoles, total, processed: 0, asked: 0, pending: {} },
      ...{ afterId: '', lastId, createdAt: at, updatedAt: at, finishedAt: undefined },
    }
    if (!(await runs.add(run, at))) return { refusal: 'running' }
    await recordAudit(tx, { actor, action: 'notification.run', target: run.id, after: { since: isoTime(since), unresolved, failed } }, at)
    await leaveToRun(tx, run.id, { sealer, at })
    return run
  })
}

/** Ends a run between two notifications. What it has done stays. */
export function stopRun(
  id: string,
  { storage, now, actor }: Omit<StartDeps, 'sealer'>,
): Promise<{ refusal: 'not_found' } | NotificationRun> {
  return storage.transaction(async (tx) => {
    await stopInside(tx, id, { actor, at: now() })
    return (await runStore(tx).find(id)) ?? { refusal: 'not_found' }
  })
}

/**
 * Ends a run whose job was given up or removed: nobody would go on with it, and it would keep every other run from beginning. What it has
 * done stays. A job adds its successor before it goes, so a run without a living job has lost its own.
 */
export async function endIfAbandoned(tx: Transaction, { actor, at }: { actor: Actor; at: number }): Promise<void> {
  const run = await runStore(tx).findRunning()
  if (!run || (await hasLivingJob(tx, 'run_notifications'))) return
  await stopInside(tx, run.id, { actor, at })
}

/** The same by itself. */
export function endAbandonedRun({ storage, now }: Pick<StartDeps, 'storage' | 'now'>): Promise<void> {
  return storage.transaction((tx) => endIfAbandoned(tx, { actor: SYSTEM, at: now() }))
}

async function stopInside(tx: Transaction, id: string, { actor, at }: { actor: Actor; at: number }): Promise<void> {
  if (await runStore(tx).end(id, 'stopped', at)) await recordAudit(tx, { actor, action: 'notification.stop_run', target: id }, at)
}
