import type { GuardedFetch } from '../../guarded-fetch/index.ts'
import type { Now, Sealer } from '../../kit/index.ts'
import type { ApplyDeps } from '../../payment-history/index.ts'
import type { Transaction } from '../../storage/index.ts'
import type { GatewayEvent } from '../gateway-event.ts'
import type { MerchantAccount } from '../merchant-accounts.ts'
import { createGatewayApi } from './gateway-api.ts'
import { addMissedEvent, type MissedEvent } from './missed-events.ts'

/** Something that happened at a gateway before Portaria was there. */
export interface HistoryEvent {
  /** Ms. */
  at: number
  /** Its payment, under all its names, and its subscription: events that share one belong together. */
  names: string[]
  /** Records it as a reconciliation would. */
  record(tx: Transaction, deps: ApplyDeps & { sealer: Sealer }): Promise<MissedEvent>
}

/** All that the gateway's API says of the account's past, oldest first; `undefined` where it lists none. Writes nothing. */
export async function listHistory(
  account: MerchantAccount,
  deps: { guardedFetch: GuardedFetch; now: Now },
): Promise<HistoryEvent[] | undefined> {
  const { adapter } = account
  if (!adapter.history) return undefined
  const events: HistoryEvent[] = []
  for await (const event of adapter.history(createGatewayApi({ ...deps, ...account }))) events.push(toHistory(event, account))
  return events
}

function toHistory(event: GatewayEvent, account: MerchantAccount): HistoryEvent {
  const { subscriptionId, paymentId, paymentAliases, buyer, occurredAt } = event
  const names = [subscriptionId, paymentId, ...paymentAliases].flatMap((name) => (name === undefined ? [] : `name ${name}`))
  return {
    at: occurredAt,
    names: [...names, ...(buyer === undefined ? [] : [`buyer ${buyer.toLowerCase()}`])],
    record: (tx, deps) => addMissedEvent(tx, event, account, deps),
  }
}
