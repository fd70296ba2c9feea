import { isoTime } from '../../kit/index.ts'
import {
  heldNotificationStore,
  listAttempts,
  type Notification,
  notificationStore,
  scrubPayload,
  withShownReason,
} from '../../notifications/index.ts'
import { eventStore } from '../../payment-history/index.ts'
import { subscriptionStore } from '../../subscriptions/index.ts'
import type { AdminAnswer } from '../api/admin-route.ts'
import type { Caller } from '../api/caller.ts'
import type { AdminDeps } from '../api/deps.ts'
import { mayBeSuggested, suggestionJson, suggestUsers } from '../buyers/suggest-users.ts'
import { notificationDetailsExample, notificationDetailsSchema } from './notification-details-schema.ts'
import { notificationAttemptJson, payloadOf } from './notification-json.ts'
import { rowJson } from './notification-listing.ts'

export const notificationAnswer = {
  description: 'The notification',
  schema: notificationDetailsSchema,
  example: notificationDetailsExample,
}

export async function showNotification(id: string, caller: Caller, { storage, masterKeys }: AdminDeps): Promise<AdminAnswer> {
  const found = await notificationStore(storage.db).findById(id)
  if (!found) return { refusal: 'not_found' }
  const masked = caller.role === 'viewer'
  const { subscriptionId } = found
  const changed = subscriptionId === undefined ? [] : await eventStore(storage.db).listOfNotification(id, subscriptionId)
  const owner = subscriptionId === undefined ? undefined : (await subscriptionStore(storage.db).findById(subscriptionId))?.userId
  // Of a test, or one that was ignored, nobody has to be found.
  const isWaiting = subscriptionId !== undefined || found.status === 'unresolved' || found.status === 'failed'
  const isOpen = mayBeSuggested(caller) && owner === undefined && isWaiting
  const pending = isOpen ? await heldNotificationStore(storage.db).readPending(id) : undefined
  const bought = { notifications: [found], emails: [pending?.email] }
  const suggested = isOpen ? await suggestUsers(bought, { db: storage.db, masterKeys }) : []
  return {
    body: {
      ...rowJson(await withShownReason(storage.db, found)),
      suggested_users: suggested.map(suggestionJson),
      payload: payloadOf(masked ? scrubPayload(found.payload) : found.payload),
      masked,
      checks: checksOf(found),
      attempts: (await listAttempts(storage.db, found)).map(notificationAttemptJson),
      changed: changed.map(({ kind, at, paymentId }) => ({
        subscription_id: subscriptionId,
        kind,
        at: isoTime(at),
        payment_id: paymentId ?? null,
      })),
    },
  }
}

/** A delivery that fails verification is never stored: so each one here was verified. */
function checksOf({ status, why }: Notification) {
  const state = status === 'unresolved' ? 'pending' : status === 'failed' || status === 'refused' ? 'failed' : 'passed'
  return [
    { check: 'verified', ok: true, state: 'passed', detail: null },
    { check: 'stored', ok: true, state: 'passed', detail: null },
    { check: 'processed', ok: state === 'passed', state, detail: why ?? null },
  ]
}
