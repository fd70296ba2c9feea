import type { ChangeFeed } from '../../changes/index.ts'
import type { GuardedFetch } from '../../guarded-fetch/index.ts'
import type { Now, Sealer } from '../../kit/index.ts'
import { notificationStore, type Unresolved } from '../../notifications/index.ts'
import type { Storage } from '../../storage/index.ts'
import type { GatewayEvent } from '../gateway.ts'
import type { MerchantAccount } from '../merchant-accounts.ts'
import { createGatewayApi } from './gateway-api.ts'
import { addMissedEvent, type MissedEvent } from './missed-events.ts'

/** What a reconciliation came to: how many payments and changes the gateway told of, and what was made of those that were not known. */
export interface Reconciliation {
  listed: number
  /** Known already, by a delivery or an earlier reconciliation. */
  known: number
  applied: number
  /** Kept as tests, which grant nothing: the credentials are of a sandbox. */
  recorded: number
  /** About payments that are unknown here: kept, and processed when the payment comes. */
  ignored: number
  /** What waits for the operator, since now or since an earlier reconciliation. */
  unresolved: Array<{ id: string; why: Unresolved }>
}

/**
 * Asks a gateway for everything that changed since a time (ms) and applies what was missed. Each event is kept as a notification of its
 * own, so that the operator sees where it came from. May be run as often as one likes. Faults of the gateway's API are thrown; what was
 * applied until then stays.
 */
export async function reconcile(
  account: MerchantAccount,
  since: number,
  deps: { storage: Storage; changes: ChangeFeed; sealer: Sealer; guardedFetch: GuardedFetch; now: Now },
): Promise<Reconciliation> {
  const result: Reconciliation = { listed: 0, known: 0, applied: 0, recorded: 0, ignored: 0, unresolved: [] }
  const pending = new Map<string, Unresolved>()
  for await (const event of account.adapter.list(since, createGatewayApi({ ...deps, ...account }))) {
    const outcome = await applyMissedEvent(event, account, deps)
    if (event.onlyIfDisputed && outcome === 'known') continue // told of every payment, and nothing to most
    result.listed++
    if (typeof outcome === 'string') result[outcome]++
    else if (pending.has(outcome.id)) result.known++
    else pending.set(outcome.id, outcome.why)
  }
  return lookAgain(result, pending, deps.storage)
}

/** What an event waited for may have come after it: a refund before its payment, where a gateway does not list by time. */
async function lookAgain(result: Reconciliation, pending: ReadonlyMap<string, Unresolved>, { db }: Storage): Promise<Reconciliation> {
  for (const [id, why] of pending) {
    const { status } = (await notificationStore(db).findById(id)) ?? {}
    if (status === 'unresolved') result.unresolved.push({ id, why })
    else if (status === 'ignored') result.ignored++
    else result.applied++
  }
  return result
}

async function applyMissedEvent(
  event: GatewayEvent,
  account: MerchantAccount,
  { storage, changes, sealer, now }: { storage: Storage; changes: ChangeFeed; sealer: Sealer; now: Now },
): Promise<MissedEvent> {
  const at = now()
  return changes.transaction((tx, announce) => addMissedEvent(tx, event, account, { announce, storage, sealer, at }))
}
