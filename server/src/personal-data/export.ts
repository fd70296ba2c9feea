import { listAudit } from '../audit/index.ts'
import type { Now, Sealer } from '../kit/index.ts'
import { listOwnNotifications, type OwnNotification } from '../notifications/index.ts'
import type { Storage } from '../storage/index.ts'
import { userPurchaseStore } from '../subscriptions/index.ts'
import { openedAppStore, sentMailStore, type User } from '../users/index.ts'
import { auditJson, isoTime } from './labels.ts'
import { purchaseJson } from './purchase-json.ts'
import { MOST, readConsents, readFailedSignIns, readLinks, readSessions } from './read-lists.ts'
import { profileJson, readOwnEdits, readTaxId } from './read-profile.ts'
import { readSignIn } from './read-sign-in.ts'

/**
 * Everything stored about a user, as JSON has it: names in snake_case, times ISO 8601 in UTC, money in centavos. It holds no secret, no
 * hash of one, and nothing about others: an administrator appears as `operator`. Left out are public keys of passkeys, data that expires
 * within a day (limits, challenges, the change feed), sealed mails in the outbox, gateways' payloads, and the user's own actions towards
 * others. Decision 73 lists it table by table, and a test holds it to the schema. The number of reads does not grow with the user's rows.
 */
export async function readPersonalData(
  user: User,
  { storage, sealer, baseUrl, now }: { storage: Storage; sealer: Sealer; baseUrl: string; now: Now },
) {
  const { db } = storage
  const { id } = user
  const purchases = await userPurchaseStore(db).list(id, { limit: MOST })
  const events = await userPurchaseStore(db).listEvents([...new Set(purchases.map(({ streamId }) => streamId))])
  const email = user.emailVerifiedAt === undefined ? undefined : user.email
  const ids = events.flatMap(({ notificationId }) => (notificationId === undefined ? [] : [notificationId]))
  const notifications = await listOwnNotifications(db, { userId: id, email, ids: [...new Set(ids)], limit: MOST })
  return {
    format: 'portaria-personal-data/1',
    service: baseUrl,
    exported_at: isoTime(now()),
    profile: { ...profileJson(user), ...(await readOwnEdits(db, id)), tax_id: await readTaxId(user, { storage, sealer }) },
    sign_in: await readSignIn(db, user),
    sessions: await readSessions(db, id),
    failed_sign_ins: await readFailedSignIns(db, id),
    consents: await readConsents(db, user),
    apps: (await openedAppStore(db).list(id, MOST)).map(({ product, firstOpenedAt }) => ({
      product,
      first_opened_at: isoTime(firstOpenedAt),
    })),
    purchases: purchases.map((purchase) => purchaseJson(purchase, user, events, now())),
    notifications: notifications.map(notificationJson),
    mails: (await sentMailStore(db).list(id, MOST)).map(({ kind, at }) => ({ kind, at: isoTime(at) })),
    links: await readLinks(db, id),
    audit: (await listAudit(db, { target: id, limit: MOST })).map((entry) => auditJson(entry, id)),
  }
}

function notificationJson({ id, source, event, status, receivedAt, payload }: OwnNotification) {
  return { id, source, event, status, received_at: isoTime(receivedAt), payload: payload === undefined ? null : JSON.parse(payload) }
}
