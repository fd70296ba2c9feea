import { z } from 'zod'
import type { ChangeFeed } from '../../changes/index.ts'
import type { GuardedFetch } from '../../guarded-fetch/index.ts'
import type { Now, Sealer } from '../../kit/index.ts'
import {
  type Attempt,
  attemptStore,
  buyerDetailsIn,
  buyerJson,
  heldNotificationStore,
  type Notification,
  notificationStore,
  process,
  processDuplicate,
  recordUnresolved,
  statusOf,
  stopwatch,
  type Unresolved,
} from '../../notifications/index.ts'
import { FatalJobFault, type JobHandler, waitAfter } from '../../outbox/index.ts'
import type { Queryable, Storage, Transaction } from '../../storage/index.ts'
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
 * The job of a delivery that lacks data: asks the gateway's API and processes the notification with the answer. May run any number of
 * times: a processed notification is not processed again, and the same answer is the same event. Given up, it leaves the notification
 * `failed`.
 */
export function fetchPaymentJob(deps: FetchDeps): JobHandler {
  return async (given, { id: jobId, attempts }) => {
    const { notificationId } = payload.parse(given)
    const notification = await notificationStore(deps.storage.db).findById(notificationId)
    if (!notification || !isPending(notification)) return
    const [begunAt, elapsed] = [deps.now(), stopwatch()]
    const note: Note = (db, result) =>
      attemptStore(db).note(notificationId, { kind: 'fetch', at: begunAt, ms: elapsed(), jobId, ...result })
    try {
      const account = await findMerchantAccount(notification, deps)
      const { api, answers } = recordAnswers(createGatewayApi({ ...deps, ...account }))
      const event = await account.adapter.fetch(keptOf(notification), api)
      await processAnswer(notificationId, { event, buyer: buyerJson(buyerDetailsIn(answers)) }, account, { ...deps, note })
    } catch (thrown) {
      const fault = thrown instanceof UnknownToGateway ? notKnownYet(thrown, attempts) : thrown
      if (waitAfter(attempts, fault) === undefined) await giveUp(notificationId, fault, { ...deps, note })
      else await note(deps.storage.db, { outcome: 'fault', why: messageOf(fault) })
      throw fault
    }
  }
}

/** Notes what came of the attempt. */
type Note = (db: Queryable, result: Pick<Attempt, 'outcome' | 'why'>) => Promise<void>

/** Every answer of an API about one payment concerns the same buyer. The fields of a customer stand at the top level of its answer. */
function recordAnswers(api: GatewayApi): { api: GatewayApi; answers: unknown[] } {
  const answers: unknown[] = []
  const get = async (path: string) => {
    const answer = await api.get(path)
    answers.push(/^(\/v\d+)?\/customers\//.test(path) ? { customer: answer } : answer)
    return answer
  }
  return { api: { get }, answers }
}

/**
 * A notification that was given up is resumed when the operator retries its job. One whose payment is unknown is fetched under the names
 * that the API knows.
 */
function isPending({ status, why }: Notification): boolean {
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

/** A gateway's answer: the event, and JSON with its buyer. */
interface Answered {
  event: GatewayEvent | 'ignored'
  buyer: string | undefined
}

async function processAnswer(
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

/**
 * A gateway may announce an object some seconds before its own API shows it. By the back-off, the sixth try is 43 minutes after the first.
 */
const UNKNOWN_TRIES = 6

function notKnownYet({ message }: UnknownToGateway, attempts: number): Error {
  if (attempts < UNKNOWN_TRIES) return new Error(`${message}: it may later, and is asked ${UNKNOWN_TRIES} times in about an hour`)
  return new FatalJobFault(`${message}: asked for about an hour`)
}

function resultOf(processed: { subscriptionId: string } | { unresolved: Unresolved }): Pick<Attempt, 'outcome' | 'why'> {
  if (!('unresolved' in processed)) return { outcome: 'processed' }
  return { outcome: statusOf(processed.unresolved), why: processed.unresolved }
}

function messageOf(fault: unknown): string {
  return fault instanceof Error ? fault.message.slice(0, 300) : 'unknown fault'
}

/** Unless a worker with an expired lease processed it meanwhile. */
async function giveUp(id: string, fault: unknown, { storage, now, note }: FetchDeps & { note: Note }): Promise<void> {
  const why = messageOf(fault)
  const at = now()
  await storage.transaction(async (tx) => {
    const notifications = notificationStore(tx)
    if (!(await heldNotificationStore(tx).holdAsked(id))) return
    await notifications.process(id, { status: 'failed', why, at })
    await note(tx, { outcome: 'failed', why })
    await recordUnresolved(tx, id, { why: 'failed', productId: undefined, at })
  })
}
