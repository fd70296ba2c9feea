import {
  askedAbout,
  attemptStore,
  buyerDetailsIn,
  buyerJson,
  type Notification,
  notificationStore,
  stopwatch,
} from '../../notifications/index.ts'
import { FatalJobFault, type JobHandler, waitAfter } from '../../outbox/index.ts'
import type { StoredDelivery } from '../gateway.ts'
import type { MerchantAccount } from '../merchant-accounts.ts'
import type { FetchDeps, Note } from './fetch-deps.ts'
import { createGatewayApi, UnknownToGateway } from './gateway-api.ts'
import { messageOf, notKnownYet } from './not-known-yet.ts'
import { processAnswer } from './process-answer.ts'
import { recordAnswers } from './record-answers.ts'

/**
 * The job of a delivery that lacks data: asks the gateway's API and processes the notification with the answer. May run any number of
 * times: a processed notification is not processed again, and the same answer is the same event. `askingGivenUp` says what is done when it
 * is given up.
 */
export function fetchPaymentJob(deps: FetchDeps): JobHandler {
  return async (given, { id: jobId, attempts }) => {
    const { notificationId } = askedAbout.parse(given)
    const notification = await notificationStore(deps.storage.db).findById(notificationId)
    if (!notification || !isPending(notification)) return
    const [begunAt, elapsed] = [deps.now(), stopwatch()]
    const note: Note = (db, result) =>
      attemptStore(db).note(notificationId, { kind: 'fetch', at: begunAt, ms: elapsed(), jobId, ...result })
    try {
      const account = await findMerchantAccount(notification, deps)
      const { api, answers } = recordAnswers(createGatewayApi({ ...deps, ...account }))
      const event = await account.adapter.fetch(keptOf(notification), api)
      await processAnswer(
        notificationId,
        { event, buyer: buyerJson(buyerDetailsIn(answers), event === 'ignored' ? undefined : event.buyer) },
        account,
        { ...deps, note },
      )
    } catch (thrown) {
      const fault = thrown instanceof UnknownToGateway ? notKnownYet(thrown, attempts) : thrown
      if (waitAfter(attempts, fault) !== undefined) await note(deps.storage.db, { outcome: 'fault', why: messageOf(fault) })
      throw fault
    }
  }
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
