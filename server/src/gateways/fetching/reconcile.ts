import type { ChangeFeed } from '../../changes/index.ts'
import type { GuardedFetch } from '../../guarded-fetch/index.ts'
import type { Now, Sealer } from '../../kit/index.ts'
import { notificationStore, type Unresolved } from '../../notifications/index.ts'
import type { Storage } from '../../storage/index.ts'
import type { GatewayEvent } from '../gateway-event.ts'
import type { MerchantAccount } from '../merchant-accounts.ts'
import { createGatewayApi } from './gateway-api.ts'
import { addMissedEvent, type MissedEvent } from './missed-events.ts'

/** The result of a reconciliation: the number of payments and changes that the gateway reported, and the outcome for the unknown ones. */
export interface Reconciliation {
  listed: number
  /** Known already, by a delivery or an earlier reconciliation. */
  known: number
  applied: number
  /** Kept as tests, which grant nothing: the credentials are a sandbox's. */
  recorded: number
  /** About unknown payments: kept, and processed when the payment comes. */
  ignored: number
  /** Pending for the operator, now or since an earlier reconciliation. */
  unresolved: Array<{ id: string; why: Unresolved }>
}

/**
 * Asks a gateway for everything that changed since a time (ms) and applies the missed events. Each is kept as a notification of its own, so
 * that the operator sees its origin. May be run any number of times. Faults of the gateway's API are thrown; events applied until then
 * stay. `onListed` is called with the number of events that the gateway has listed, known ones included, and the part of the whole (0 to 1)
 * where the gateway says so.
 */
export async function reconcile(
  account: MerchantAccount,
  since: number,
  deps: {
    storage: Storage
    changes: ChangeFeed
    sealer: Sealer
    guardedFetch: GuardedFetch
    now: Now
    onListed?: (count: number, part: number | undefined) => void
  },
): Promise<Reconciliation> {
  const result: Reconciliation = { listed: 0, known: 0, applied: 0, recorded: 0, ignored: 0, unresolved: [] }
  const pending = new Map<string, Unresolved>()
  let asked = 0
  let part: number | undefined
  const api = createGatewayApi({ ...deps, ...account })
  for await (const event of account.adapter.list(since, api, (done) => (part = done))) {
    deps.onListed?.(++asked, part)
    const outcome = await applyMissedEvent(event, account, deps)
    // listed for every payment, or every canceled one, mostly without effect
    if ((event.onlyIfDisputed || event.onlyIfPaid) && outcome === 'known') continue
    result.listed++
    if (typeof outcome === 'string') result[outcome]++
    else if ('subscriptionId' in outcome) result.applied++
    else if (pending.has(outcome.id)) result.known++
    else pending.set(outcome.id, outcome.why)
  }
  return lookAgain(result, pending, deps.storage)
}

/** An event may come before the one that it waits for, where a gateway does not list by time: a refund before its payment. */
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
