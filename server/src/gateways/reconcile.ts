import type { ChangeFeed } from '../changes/index.ts'
import type { Outgoing } from '../http/index.ts'
import type { Now } from '../kit/index.ts'
import { notificationStore, type Unresolved } from '../notifications/index.ts'
import type { Storage } from '../storage/index.ts'
import type { GatewayNews } from './gateway.ts'
import { addMissed, type Missed } from './missed.ts'
import type { Till } from './tills.ts'
import { createVendor } from './vendor.ts'

/** What a reconciliation came to: how many payments and changes the gateway told of, and what was made of those that were not known. */
export interface Reconciliation {
  told: number
  /** Known already, by a delivery or an earlier reconciliation. */
  known: number
  applied: number
  /** Kept as tests, which grant nothing: the credentials are of a sandbox. */
  recorded: number
  /** What waits for the operator, since now or since an earlier reconciliation. */
  unresolved: Array<{ id: string; why: Unresolved }>
}

/**
 * Asks a gateway for everything that changed since a time (ms) and applies what was missed. Each piece of news is kept as a notification of its own, so that the
 * operator sees where it came from. May be run as often as one likes. Faults of the gateway's API are thrown; what was applied until then stays.
 */
export async function reconcile(
  till: Till,
  since: number,
  deps: { storage: Storage; changes: ChangeFeed; outgoing: Outgoing; now: Now },
): Promise<Reconciliation> {
  const result: Reconciliation = { told: 0, known: 0, applied: 0, recorded: 0, unresolved: [] }
  for await (const news of till.adapter.list(since, createVendor({ ...deps, ...till }))) {
    result.told++
    const outcome = await applyMissed(news, till, deps)
    if (typeof outcome === 'string') result[outcome]++
    else if (result.unresolved.some(({ id }) => id === outcome.id)) result.known++
    else result.unresolved.push(outcome)
  }
  return lookAgain(result, deps.storage)
}

/** What a piece of news waited for may have come after it: a refund before its payment, where a gateway does not list by time. */
async function lookAgain(result: Reconciliation, { db }: Storage): Promise<Reconciliation> {
  const unresolved: Reconciliation['unresolved'] = []
  for (const waiting of result.unresolved) {
    const found = await notificationStore(db).findById(waiting.id)
    if (found?.status === 'unresolved') unresolved.push(waiting)
  }
  return { ...result, unresolved, applied: result.applied + result.unresolved.length - unresolved.length }
}

async function applyMissed(
  news: GatewayNews,
  till: Till,
  { storage, changes, now }: { storage: Storage; changes: ChangeFeed; now: Now },
): Promise<Missed> {
  const at = now()
  return changes.transaction((tx, announce) => addMissed(tx, news, till, { announce, storage, at }))
}
