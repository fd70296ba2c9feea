import { z } from 'zod'
import type { ChangeFeed } from '../changes/index.ts'
import type { Outgoing } from '../http/index.ts'
import type { Now, Sealer } from '../kit/index.ts'
import { type Notification, notificationStore, settle } from '../notifications/index.ts'
import { FatalJobFault, type JobHandler, waitAfter } from '../outbox/index.ts'
import type { Storage } from '../storage/index.ts'
import type { GatewayNews, Kept } from './gateway.ts'
import { addMissed } from './missed.ts'
import type { Till, Tills } from './tills.ts'
import { toTold } from './told.ts'
import { createVendor, UnknownToGateway } from './vendor.ts'

export interface AskDeps {
  storage: Storage
  changes: ChangeFeed
  tills: Tills
  sealer: Sealer
  outgoing: Outgoing
  now: Now
}

const payload = z.object({ notificationId: z.string() })

/**
 * The job behind a delivery that does not say enough: asks the gateway's API and settles the notification with the answer. May run any number of times: what is
 * settled is not settled again, and the same answer is the same news. Given up, it leaves the notification `failed`.
 */
export function askJob(deps: AskDeps): JobHandler {
  return async (given, { attempts }) => {
    const { notificationId } = payload.parse(given)
    const notification = await notificationStore(deps.storage.db).findById(notificationId)
    if (!notification || !isWaiting(notification)) return
    try {
      const till = await findTill(notification, deps)
      const told = await till.adapter.ask(keptOf(notification), createVendor({ ...deps, ...till }))
      await settleAnswer(notificationId, told, till, deps)
    } catch (thrown) {
      const fault = thrown instanceof UnknownToGateway ? notKnownYet(thrown, attempts) : thrown
      if (waitAfter(attempts, fault) === undefined) await giveUp(notificationId, fault, deps)
      throw fault
    }
  }
}

/** One that was given up is taken up again when the operator retries its job. */
function isWaiting({ status, why }: Notification): boolean {
  return (status === 'unresolved' && why === 'being_asked') || status === 'failed'
}

async function findTill({ source, productId }: Notification, { tills }: AskDeps): Promise<Till> {
  const till = productId === undefined ? undefined : await tills.findOf(source, productId)
  if (!till) throw new FatalJobFault('the product has no credentials for this gateway any more, or it is an experiment that is off')
  return till
}

function keptOf({ payload: text, query, receivedAt }: Notification): Kept {
  return { body: JSON.parse(text), query: new URLSearchParams(query), receivedAt }
}

async function settleAnswer(id: string, news: GatewayNews | 'ignored', till: Till, deps: AskDeps): Promise<void> {
  const { gateway, product } = till
  const { storage, changes, sealer, now } = deps
  const at = now()
  await changes.transaction(async (tx, announce) => {
    const notifications = notificationStore(tx)
    const held = await notifications.holdAsked(id)
    if (!held) return
    if (news === 'ignored') return notifications.settle(id, { status: 'ignored', at })
    if (till.credentials.isTest) await notifications.settle(id, { status: 'test', at })
    else {
      const told = toTold(news, { gateway, productId: product.id, at: held.receivedAt })
      await settle(tx, { id, source: gateway, told, settledAt: at }, { announce, storage, sealer, at })
    }
    for (const also of news.alsoHappened ?? []) await addMissed(tx, also, till, { announce, storage, sealer, at })
  })
}

/** Gateways may tell of what their own API shows some seconds later: by the back-off, the sixth try is 43 minutes after the first. */
const UNKNOWN_TRIES = 6

function notKnownYet({ message }: UnknownToGateway, attempts: number): Error {
  if (attempts < UNKNOWN_TRIES) return new Error(`${message}: it may later, and is asked ${UNKNOWN_TRIES} times in about an hour`)
  return new FatalJobFault(`${message}: asked for about an hour`)
}

/** Unless it was settled meanwhile, by one whose lease had run out. */
async function giveUp(id: string, fault: unknown, { storage, now }: AskDeps): Promise<void> {
  const why = fault instanceof Error ? fault.message.slice(0, 300) : 'unknown fault'
  const at = now()
  await storage.transaction(async (tx) => {
    const notifications = notificationStore(tx)
    if (await notifications.holdAsked(id)) await notifications.settle(id, { status: 'failed', why, at })
  })
}
