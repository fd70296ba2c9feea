import {
  type Attempt,
  heldNotificationStore,
  notificationStore,
  process,
  processDuplicate,
  statusOf,
  type Unresolved,
} from '../../notifications/index.ts'
import type { Transaction } from '../../storage/index.ts'
import type { GatewayEvent } from '../gateway-event.ts'
import type { MerchantAccount } from '../merchant-accounts.ts'
import { normalize } from '../normalize.ts'
import type { FetchDeps, Note } from './fetch-deps.ts'
import { addMissedEvent } from './missed-events.ts'

/** A gateway's answer: the event, and JSON with its buyer. */
interface Answered {
  event: GatewayEvent | 'ignored'
  buyer: string | undefined
}

export async function processAnswer(
  id: string,
  { event, buyer }: Answered,
  account: MerchantAccount,
  deps: FetchDeps & { note: Note },
): Promise<void> {
  const { gateway, product } = account
  const { storage, changes, sealer, now, note } = deps
  const at = now()
  await changes.transaction(async (tx, announce) => {
    const notifications = notificationStore(tx)
    if (!(await heldNotificationStore(tx).holdAsked(id))) {
      const learned = await learnNames(tx, id, event, account, { announce, storage, sealer, at })
      return learned && note(tx, resultOf(learned))
    }
    if (event === 'ignored') {
      await notifications.process(id, { status: 'ignored', at })
      return note(tx, { outcome: 'ignored' })
    }
    // Runs before the processing, which erases a buyer who is to be forgotten.
    await notifications.noteBuyer(id, { buyer, email: event.buyer })
    if (account.credentials.isTest) {
      await notifications.process(id, { status: 'test', at })
      await note(tx, { outcome: 'test' })
    } else {
      // The answer shows the present state, which may be later than the delivery.
      const normalized = normalize(event, { gateway, productId: product.id, at })
      const given = { id, source: gateway, normalized, processedAt: at }
      await note(tx, resultOf(await process(tx, given, { announce, storage, sealer, at })))
    }
    for (const also of event.alsoHappened ?? []) await addMissedEvent(tx, also, account, { announce, storage, sealer, at })
  })
}

/** A notification that waits for its payment is processed again, under the names that the API knows. */
async function learnNames(
  tx: Transaction,
  id: string,
  event: GatewayEvent | 'ignored',
  { gateway, product, credentials }: MerchantAccount,
  deps: Parameters<typeof processDuplicate>[2],
): ReturnType<typeof processDuplicate> {
  if (event === 'ignored' || credentials.isTest) return undefined
  const normalized = normalize(event, { gateway, productId: product.id, at: deps.at })
  return processDuplicate(tx, { id, source: gateway, normalized, processedAt: deps.at }, deps)
}

function resultOf(processed: { subscriptionId: string } | { unresolved: Unresolved }): Pick<Attempt, 'outcome' | 'why'> {
  if (!('unresolved' in processed)) return { outcome: 'processed' }
  return { outcome: statusOf(processed.unresolved), why: processed.unresolved }
}
