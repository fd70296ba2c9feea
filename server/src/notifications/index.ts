// notifications: the inbox of payments. Owns: each notification as it was verified, once; its status; the ones that wait, and processing
// them when more is known; the record that stays when a buyer is forgotten. Does not own: who may send one (purchases and gateways verify
// that), or the history that it becomes a part of (payment-history).
export { askForgotten } from './attempts/ask-forgotten.ts'
export { askedAbout, askingGivenUp, giveUpAsking, laneOf, leaveToFetch } from './attempts/ask-gateway.ts'
export { ATTEMPT_KINDS, ATTEMPT_OUTCOMES, type Attempt, attemptStore } from './attempts/attempt-store.ts'
export { listAttempts, type ShownAttempt, stopwatch } from './attempts/attempts.ts'
export { AWAITS_PURCHASE, withShownReason } from './awaits-purchase.ts'
export { buyerDetailsIn, buyerJson, nameTerm, nationalPhone, phoneTerm, taxIdTerm } from './buyers/buyer-details.ts'
export { findByBuyer } from './buyers/buyer-store.ts'
export { forgetPurchases } from './buyers/forget-buyer.ts'
export { scrubPayload } from './buyers/scrub-payload.ts'
export type { NotificationFilter, OpenNotifications } from './list-store.ts'
export { notificationListStore } from './list-store.ts'
export {
  JOB_REMOVED,
  NOT_RECEIVED,
  NOTIFICATION_STATUSES,
  type Notification,
  type NotificationStatus,
  statusOf,
  type Unresolved,
} from './notification.ts'
export { listOwnNotifications, type OwnNotification } from './own-notification-store.ts'
export { findDuplicate } from './pending/duplicates.ts'
export { endLongPending } from './pending/end-pending.ts'
export { heldNotificationStore } from './pending/held-store.ts'
export { processPendingJob } from './pending/process-pending-job.ts'
export { process } from './process.ts'
export { processDuplicate } from './process-duplicate.ts'
export { checkInbox, type StreamDifference } from './rebuild/check-inbox.ts'
export { countRefused, REFUSED_LATELY_MS, refusedStore } from './refused-store.ts'
export { forgetIgnored } from './remove-store.ts'
export { type Reprocessed, reprocessInside, reprocessNotification } from './resolve/reprocess.ts'
export type { About, ResolveDeps, ResolveRefusal } from './resolve/resolve-deps.ts'
export { type Resolution, resolveNotification } from './resolve/resolve-notification.ts'
export { isNotProcessed, isStuck, notificationStore } from './store.ts'
