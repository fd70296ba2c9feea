// subscriptions: who has bought which plan, and whether it still holds.
// Owns: plans, the event of every subscription and the fold over it, grace, the two links of a subscription.
// Does not own: who may bring events (purchases and gateways prove that), or the answer to a product (access).
export { type AccessCandidate, accessStore, livePlanOfSession } from './access-store.ts'
export { accessSubject } from './announce.ts'
export {
  type ChangeSubscriptionDeps,
  endSubscription,
  moveSubscription,
  refundSubscription,
  type SubscriptionLink,
  type SubscriptionRefusal,
  unlinkSubscription,
} from './change-subscription.ts'
export { type AccessReason, type Entitlement, entitlementOf, GRACE_DAYS } from './entitlement.ts'
export { forgetBuyer, hashEmail, holdBuyer, isBuyerForgotten } from './forget-buyer.ts'
export { type GrantRefusal, grantSubscription } from './grant-subscription.ts'
export { type ApplyDeps, addEvent, applyEvent, foldStream, notePlanRefs, openStream, wholeStream } from './history/apply.ts'
export { disputeStore } from './history/dispute-store.ts'
export { eventStore, toEvent, withSource } from './history/event-store.ts'
export { findHistory, listDuplicates, type SubscriptionHistory } from './history/history-store.ts'
export type { PlanBy } from './history/merge-events-store.ts'
export { mergeStore } from './history/merge-store.ts'
export { foldMerged, type Merged, mergeStreams, type SamePayment } from './history/merge-streams.ts'
export { believedTime, type Method, PAYMENT_KINDS, type PaymentEvent, type PaymentKind } from './history/payment-event.ts'
export { linkPurchases } from './links/link-purchases.ts'
export { changePlan, createPlan } from './plans/change-plan.ts'
export { type FoundPlan, findPlan, type NoPlan } from './plans/find-plan.ts'
export { BELOW_PRICE, OPERATOR_SCOPE, type Plan, type PlanRefusal, parseGatewayRef, planVersion, refusePlan } from './plans/plan.ts'
export { planStore } from './plans/plan-store.ts'
export { addFirstPlans, setPlan } from './plans/set-plan.ts'
export { checkSubscriptions } from './rebuild/check-subscriptions.ts'
export { compareSubscriptions, type Difference, type Facts } from './rebuild/compare.ts'
export { type StoredStream, storedStore } from './rebuild/stored-store.ts'
export { publicPlanRoutes } from './routes.ts'
export { applyGrace, setGrace } from './set-grace.ts'
export type { EventStream, StreamKey, Subscription } from './subscription.ts'
export { SUBSCRIPTION_STATES, type SubscriptionState } from './subscription-states.ts'
export { type SubscriptionFilter, subscriptionStore } from './subscription-store.ts'
export { type UserPurchase, type UserPurchaseEvent, userPurchaseStore } from './user-purchase-store.ts'
