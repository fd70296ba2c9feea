import { z } from 'zod'
import type { ChangeFeed } from '../../../changes/index.ts'
import type { Now, Sealer } from '../../../kit/index.ts'
import { reprocessInside } from '../../../notifications/index.ts'
import { addJob, type JobHandler } from '../../../outbox/index.ts'
import { isDatabaseAway, isReadOnly, type Storage, type Transaction } from '../../../storage/index.ts'
import { approveUnlessRole, NotForCaller } from '../resolve-for.ts'
import { runStore } from './run-store.ts'

export interface RunDeps {
  storage: Storage
  changes: ChangeFeed
  sealer: Sealer
  now: Now
  onFault: (error: unknown) => void
}

const payload = z.object({ runId: z.string() })

/** Well within what a job may take: a longer run continues in a job of its own. */
const TURN_MS = 10_000
const PORTION = 50

/** The job of a run: a few seconds of it. Any number of workers may do one run: each notification is taken by one of them. */
export function notificationRunJob(deps: RunDeps): JobHandler {
  return async (given) => {
    const { runId } = payload.parse(given)
    if ((await workOnRun(runId, { ...deps, forMs: TURN_MS })) === 'over') return
    await deps.storage.transaction((tx) => leaveToRun(tx, runId, { sealer: deps.sealer, at: deps.now() }))
  }
}

export async function leaveToRun(tx: Transaction, runId: string, deps: { sealer: Sealer; at: number }): Promise<void> {
  await addJob(tx, { kind: 'run_notifications', payload: { runId } }, deps)
}

/** Does a run for some time. Answers whether there may be more to do. `onStep` is called after each notification. */
export async function workOnRun(
  runId: string,
  { forMs, onStep, ...deps }: RunDeps & { forMs: number; onStep?: () => Promise<void> | void },
): Promise<'more' | 'over'> {
  const begun = performance.now()
  for (;;) {
    const run = await runStore(deps.storage.db).find(runId)
    if (run?.state !== 'running') return 'over'
    const ids = await runStore(deps.storage.db).listNext(run, PORTION)
    if (ids.length === 0) {
      await runStore(deps.storage.db).end(runId, 'done', deps.now())
      return 'over'
    }
    for (const id of ids) {
      if (performance.now() - begun > forMs) return 'more'
      await tryOne(runId, id, deps)
      await onStep?.()
    }
  }
}

/** One notification and its count, in one transaction: neither is lost or done twice, whenever the node is killed. */
async function tryOne(runId: string, id: string, { changes, now, onFault, ...deps }: RunDeps): Promise<void> {
  try {
    await changes.transaction(async (tx, announce) => {
      const runs = runStore(tx)
      const run = await runs.take(runId, id, now())
      if (!run) return
      const approve = run.mayConcernRoles ? undefined : approveUnlessRole
      const done = await reprocessInside(tx, announce, id, { ...deps, now, actor: run.actor, approve, runId })
      await runs.count(run, resultOf(done))
    })
  } catch (fault) {
    if (isDatabaseAway(fault) || isReadOnly(fault)) throw fault
    const isForbidden = fault instanceof NotForCaller
    if (!isForbidden) onFault(fault)
    // The work on this notification is rolled back. The run goes on with the next one.
    await deps.storage.transaction(async (tx) => {
      const run = await runStore(tx).take(runId, id, now())
      if (run) await runStore(tx).count(run, { why: isForbidden ? 'not_allowed' : 'fault' })
    })
  }
}

function resultOf(done: Awaited<ReturnType<typeof reprocessInside>>) {
  if ('asked' in done) return 'asked'
  if ('subscriptionId' in done) return 'processed'
  return { why: done.refusal === 'still_unresolved' ? done.why : 'changed_meanwhile' }
}
