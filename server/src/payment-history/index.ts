// payment-history: what happened to payments, and the subscriptions that follow from it.
// Owns: streams of events and the names of payments that lead to them, the fold, what the operator gives and takes back, and the check
// that all of it still follows from what was received.
// Does not own: how an event arrives and where it waits (notifications), or what a subscription entitles to (subscriptions).
export { applyEvent } from './apply.ts'
export { type Forgotten, forgetBuyer, hashEmail, holdBuyer, isBuyerForgotten } from './buyers/forget-buyer.ts'
export { listAwaitingPurchase } from './events/awaiting-store.ts'
export { toEvent } from './events/event-row.ts'
export { eventStore, withSource } from './events/event-store.ts'
export { type ForeignAmount, foreignText } from './events/foreign-amount.ts'
export { findHistory, listDuplicates, listHistories, type SubscriptionHistory } from './events/history-store.ts'
export { agreedAmount, believedTime, inOrder, PAYMENT_KINDS, type PaymentEvent, type PaymentKind } from './events/payment-event.ts'
export { actionOf, isOfNothing } from './events/without-duplicates.ts'
export { decisiveEvent } from './fold/decisive-event.ts'
export { type Disputes, lostBy, noDisputes, openDispute, subjectOf, takeWon } from './fold/disputes.ts'
export { type FoldAlong, foldAlong } from './fold/fold-along.ts'
export { nameOf, readFacts } from './fold/payment-facts.ts'
export { endSubscription, refundSubscription } from './operator/end-subscription.ts'
export { parseGrantEnd } from './operator/grant-end.ts'
export { type GrantRefusal, grantSubscription, grantWithin } from './operator/grant-subscription.ts'
export { type Checked, checkSubscriptions } from './rebuild/check-subscriptions.ts'
export { compareSubscriptions, type Difference, type Facts } from './rebuild/compare.ts'
export { fixSubscriptions } from './rebuild/fix-subscriptions.ts'
export { type StoredStream, storedStore } from './rebuild/stored-store.ts'
export type { AddEvent, RecordedEvent } from './record/batch.ts'
export { isDisputed, isKnownEvent, isPaid } from './record/known-event.ts'
export { mergeNormalized } from './record/merge-normalized.ts'
export {
  type AmountMismatch,
  type AppliedEvent,
  aliasSource,
  appliedEvent,
  type NormalizedEvent,
  type NotRecorded,
  normalizedEvent,
} from './record/normalized-event.ts'
export { recordEvents } from './record/record-events.ts'
export { type OperatorEvent, type ReplayedEvent, replayApplied, replayOperatorEvent } from './record/replay.ts'
export { resolveEvent } from './record/resolve-event.ts'
export type { Pending } from './record/resolved.ts'
export { type GatewayStream, subjectsOf } from './streams/match-stream.ts'
export type { ApplyDeps } from './write-subscriptions.ts'
