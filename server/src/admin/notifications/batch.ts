import {
  type NotificationStatus,
  notificationStore,
  type Reprocessed,
  type ResolveDeps,
  type ResolveRefusal,
  reprocessNotification,
  resolveNotification,
} from '../../notifications/index.ts'
import type { Caller } from '../api/caller.ts'
import { resolveFor } from './resolve-for.ts'

/** The most notifications of one request. Each is processed in a transaction of its own. */
export const MAX_BATCH = 100

export const BATCH_OUTCOMES = ['processed', 'asked', 'ignored', 'pending', 'unchanged', 'not_found', 'not_allowed'] as const

/**
 * The outcome for one notification. `asked`: its gateway is being asked. `pending`: it still waits, for the reason in `why`. `unchanged`:
 * there was nothing to do about it, as when somebody was faster, or the request came twice.
 */
export interface BatchResult {
  id: string
  outcome: (typeof BATCH_OUTCOMES)[number]
  why: string | undefined
  /** Its status now. */
  status: NotificationStatus | undefined
}

export type Batch = { action: 'reprocess' } | { action: 'ignore'; reason: string }

/** Processes or ignores the named notifications, in this order, each once. A later fault undoes none. */
export async function doBatch(ids: readonly string[], batch: Batch, caller: Caller, deps: ResolveDeps): Promise<BatchResult[]> {
  const results: BatchResult[] = []
  for (const id of new Set(ids)) {
    const done = await resolveFor(caller, async (approve) => ({ result: await doOne(id, batch, { ...deps, approve }) }))
    const { status, why } = (await notificationStore(deps.storage.db).findById(id)) ?? {}
    const outcome = status === undefined ? 'not_found' : 'refusal' in done ? 'not_allowed' : outcomeOf(done.result)
    results.push({ id, outcome, why: outcome === 'pending' ? why : undefined, status })
  }
  return results
}

function doOne(id: string, batch: Batch, deps: ResolveDeps): Promise<Reprocessed | { ignored: true }> {
  if (batch.action === 'reprocess') return reprocessNotification(id, deps)
  return resolveNotification(id, { ignore: true, reason: batch.reason }, deps)
}

function outcomeOf(result: Reprocessed | { ignored: true }): BatchResult['outcome'] {
  if ('ignored' in result) return 'ignored'
  if ('asked' in result) return 'asked'
  return 'refusal' in result ? refused[result.refusal] : 'processed'
}

const refused = {
  still_unresolved: 'pending',
  not_pending: 'unchanged',
  no_such_product: 'unchanged',
  email_malformed: 'unchanged',
} as const satisfies Record<ResolveRefusal['refusal'], BatchResult['outcome']>
