import { z } from 'zod'
import type { ChangeFeed } from '../../changes/index.ts'
import type { GuardedFetch } from '../../guarded-fetch/index.ts'
import type { Now, Sealer } from '../../kit/index.ts'
import { buyerDetailsIn, buyerJson, type Notification, notificationStore, process, processDuplicate } from '../../notifications/index.ts'
import { FatalJobFault, type JobHandler, waitAfter } from '../../outbox/index.ts'
import type { Storage, Transaction } from '../../storage/index.ts'
import type { GatewayApi, GatewayEvent, StoredDelivery } from '../gateway.ts'
import type { MerchantAccount, MerchantAccounts } from '../merchant-accounts.ts'
import { normalize } from '../normalize.ts'
import { createGatewayApi, UnknownToGateway } from './gateway-api.ts'
import { addMissedEvent } from './missed-events.ts'

export interface FetchDeps {
  storage: Storage
  changes: ChangeFeed
  merchantAccounts: MerchantAccounts
  sealer: Sealer
  guardedFetch: GuardedFetch
  now: Now
}

const payload = z.object({ notificationId: z.string() })

/**
 * The job behind a delivery that does not say enough: asks the gateway's API and processes the notification with the answer. May run any
 * number of times: what is processed is not processed again, and the same answer is the same event. Given up, it leaves the notification
 * `failed`.
 */
export function fetchPaymentJob(deps: FetchDeps): JobHandler {
  return async (given, { attempts }) => {
    const { notificationId } = payload.parse(given)
    const notification = await notificationStore(deps.storage.db).findById(notificationId)
    if (!notification || !isWaiting(notification)) return
    try {
      const account = await findMerchantAccount(notification, deps)
      const { api, heard } = overheard(createGatewayApi({ ...deps, ...account }))
      const event = await account.adapter.fetch(keptOf(notification), api)
      await processAnswer(notificationId, { event, buyer: buyerJson(buyerDetailsIn(heard)) }, account, deps)
    } catch (thrown) {
      const fault = thrown instanceof UnknownToGateway ? notKnownYet(thrown, attempts) : thrown
      if (waitAfter(attempts, fault) === undefined) await giveUp(notificationId, fault, deps)
      throw fault
    }
  }
}

/** All that an API answers while it is asked about one payment: the same person's. A customer's own fields stand at the top of theirs. */
function overheard(api: GatewayApi): { api: GatewayApi; heard: unknown[] } {
  const heard: unknown[] = []
  const get = async (path: string) => {
    const answer = await api.get(path)
    heard.push(/^(\/v\d+)?\/customers\//.test(path) ? { customer: answer } : answer)
    return answer
  }
  return { api: { get }, heard }
}

/**
 * One that was given up is taken up again when the operator retries its job. One whose payment is unknown is asked for under the names that
 * the API knows.
 */
function isWaiting({ status, why }: Notification): boolean {
  return (
    (status === 'unresolved' && why === 'awaiting_gateway') || status === 'failed' || (status === 'ignored' && why === 'unknown_payment')
  )
}

async function findMerchantAccount({ source, productId }: Notification, { merchantAccounts }: FetchDeps): Promise<MerchantAccount> {
  const account = productId === undefined ? undefined : await merchantAccounts.findOf(source, productId)
  if (!account) throw new FatalJobFault('the product has no credentials for this gateway any more, or it is an experiment that is off')
  return account
}

function keptOf({ payload: text, query, receivedAt }: Notification): StoredDelivery {
  return { body: JSON.parse(text), query: new URLSearchParams(query), receivedAt }
}

/** What a gateway answered: the event, and JSON of who its buyer is. */
interface Answered {
  event: GatewayEvent | 'ignored'
  buyer: string | undefined
}

async function processAnswer(id: string, { event, buyer }: Answered, account: MerchantAccount, deps: FetchDeps): Promise<void> {
  const { gateway, product } = account
  const { storage, changes, sealer, now } = deps
  const at = now()
  await changes.transaction(async (tx, announce) => {
    const notifications = notificationStore(tx)
    if (!(await notifications.holdAsked(id))) return learnNames(tx, id, event, account, { announce, storage, sealer, at })
    // Before it is processed, which forgets a buyer who is to be forgotten.
    if (event !== 'ignored' && buyer !== undefined) await notifications.noteBuyer(id, buyer)
    if (event === 'ignored') return notifications.process(id, { status: 'ignored', at })
    if (account.credentials.isTest) await notifications.process(id, { status: 'test', at })
    else {
      // An answer is of the moment when it is given: what it says can have happened after the delivery that made us ask.
      const normalized = normalize(event, { gateway, productId: product.id, at })
      await process(tx, { id, source: gateway, normalized, processedAt: at }, { announce, storage, sealer, at })
    }
    for (const also of event.alsoHappened ?? []) await addMissedEvent(tx, also, account, { announce, storage, sealer, at })
  })
}

/** What was not asked for but waits for its payment, if it still does: sent again under the names that the API knows. */
async function learnNames(
  tx: Transaction,
  id: string,
  event: GatewayEvent | 'ignored',
  { gateway, product, credentials }: MerchantAccount,
  deps: Parameters<typeof processDuplicate>[2],
): Promise<void> {
  if (event === 'ignored' || credentials.isTest) return
  const normalized = normalize(event, { gateway, productId: product.id, at: deps.at })
  await processDuplicate(tx, { id, source: gateway, normalized, processedAt: deps.at }, deps)
}

/** Gateways may tell of what their own API shows some seconds later: by the back-off, the sixth try is 43 minutes after the first. */
const UNKNOWN_TRIES = 6

function notKnownYet({ message }: UnknownToGateway, attempts: number): Error {
  if (attempts < UNKNOWN_TRIES) return new Error(`${message}: it may later, and is asked ${UNKNOWN_TRIES} times in about an hour`)
  return new FatalJobFault(`${message}: asked for about an hour`)
}

/** Unless it was processed meanwhile, by one whose lease had run out. */
async function giveUp(id: string, fault: unknown, { storage, now }: FetchDeps): Promise<void> {
  const why = fault instanceof Error ? fault.message.slice(0, 300) : 'unknown fault'
  const at = now()
  await storage.transaction(async (tx) => {
    const notifications = notificationStore(tx)
    if (await notifications.holdAsked(id)) await notifications.process(id, { status: 'failed', why, at })
  })
}
