import { notificationStore } from '../../notifications/index.ts'
import { findHistory } from '../../payment-history/index.ts'
import type { AdminAnswer } from '../api/admin-route.ts'
import { type Caller, mayAlso } from '../api/caller.ts'
import type { AdminDeps } from '../api/deps.ts'
import { mayBeSuggested, suggestionJson, suggestUsers } from '../buyers/suggest-users.ts'
import { historyJson, readNames } from './subscription-json.ts'
import { historyExample, subscriptionHistorySchema } from './subscription-schemas.ts'

export const subscriptionAnswer = {
  description: 'The subscription, with all its events',
  schema: subscriptionHistorySchema,
  example: historyExample,
}

/** Enough of the newest event to recognise its buyer. */
const MAX_READ = 3

/** A caller who may not read users gets no suggestions. Notifications are compared only for a caller who may read them. */
export async function showSubscription(id: string, caller: Caller, deps: AdminDeps): Promise<AdminAnswer> {
  const { storage, masterKeys, now } = deps
  const history = await findHistory(storage.db, id)
  if (!history) return { refusal: 'not_found' }
  const isGuest = history.subscription.userId === undefined && mayBeSuggested(caller)
  const newest =
    isGuest && mayAlso(caller, 'notifications:read')
      ? history.events.flatMap(({ notificationId }) => notificationId ?? []).slice(-MAX_READ)
      : []
  const notifications = await notificationStore(storage.db).listByIds([...new Set(newest)])
  const bought = { notifications, emails: [history.subscription.email] }
  const suggested = isGuest ? await suggestUsers(bought, { db: storage.db, masterKeys }) : []
  return { body: { ...historyJson(history, await readNames(deps), now()), suggested_users: suggested.map(suggestionJson) } }
}
