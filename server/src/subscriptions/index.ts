// subscriptions: who has bought which plan, and whether it still holds.
// Owns: plans, the event of every subscription and the fold over it, grace, the two links of a subscription.
// Does not own: who may bring events (purchases and gateways prove that), or the answer to a product (access).
export { type AccessCandidate, accessStore, livePlanOfSession } from './access-store.ts'
export { accessSubject } from './announce.ts'
export { type ApplyDeps, addEvent, applyEvent, foldStream, notePlanRefs, openStream, wholeStream } from './apply.ts'
export { changePlan, createPlan } from './change-plan.ts'
export {
  type ChangeSubscriptionDeps,
  endSubscription,
  moveSubscription,
  refundSubscription,
  type SubscriptionLink,
  type SubscriptionRefusal,
  unlinkSubscription,
} from './change-subscription.ts'
export { disputeStore } from './dispute-store.ts'
export { type AccessReason, type Entitlement, entitlementOf, GRACE_DAYS } from './entitlement.ts'
export { eventStore, toEvent, withSource } from './event-store.ts'
export { type FoundPlan, findPlan, type NoPlan } from './find-plan.ts'
export { forgetBuyer, hashEmail, holdBuyer, isBuyerForgotten } from './forget-buyer.ts'
export { type GrantRefusal, grantSubscription } from './grant-subscription.ts'
export { findHistory, listDuplicates, type SubscriptionHistory } from './history-store.ts'
export { linkPurchases } from './link-purchases.ts'
export type { PlanBy } from './merge-events-store.ts'
export { mergeStore } from './merge-store.ts'
export { foldMerged, type Merged, mergeStreams, type SamePayment } from './merge-streams.ts'
export { believedTime, type Method, PAYMENT_KINDS, type PaymentEvent, type PaymentKind } from './payment-event.ts'
export { BELOW_PRICE, OPERATOR_SCOPE, type Plan, type PlanRefusal, parseGatewayRef, planVersion, refusePlan } from './plan.ts'
export { planStore } from './plan-store.ts'
export { checkSubscriptions } from './rebuild/check-subscriptions.ts'
export { compareSubscriptions, type Difference, type Facts } from './rebuild/compare.ts'
export { type StoredStream, storedStore } from './rebuild/stored-store.ts'
export { publicPlanRoutes } from './routes.ts'
export { applyGrace, setGrace } from './set-grace.ts'
export { addFirstPlans, setPlan } from './set-plan.ts'
export type { EventStream, StreamKey, Subscription } from './subscription.ts'
export { SUBSCRIPTION_STATES, type SubscriptionState } from './subscription-states.ts'
export { type SubscriptionFilter, subscriptionStore } from './subscription-store.ts'
export { type UserPurchase, type UserPurchaseEvent, userPurchaseStore } from './user-purchase-store.ts'
