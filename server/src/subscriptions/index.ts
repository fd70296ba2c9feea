// subscriptions: who has bought which plan, and whether it still holds.
// Owns: plans, subscriptions as they are stored, what they entitle to, grace, the two links of a subscription.
// Does not own: from which payments a subscription follows (payment-history), or the answer to a product (access).

export type { AccessCandidate } from './access/access-candidate.ts'
export { accessStore } from './access/access-store.ts'
export {
  ACCESS_REASONS,
  type AccessReason,
  type Entitlement,
  entitlementOf,
  GRACE_DAYS,
  graceDays,
  hasGrace,
  type Validity,
  validityOf,
} from './access/entitlement.ts'
export { livePlanOfSession, livePlanStore } from './access/live-plan-store.ts'
export { accessSubject, announceLinks } from './announce.ts'
export { type ChangeSubscriptionDeps, type Doing, onSubscription, type SubscriptionRefusal } from './change-subscription.ts'
export { moveSubscription, type SubscriptionLink, unlinkSubscription } from './links/change-links.ts'
export { linkPurchases } from './links/link-purchases.ts'
export { linkStore } from './links/link-store.ts'
export { isMethod, type Method } from './method.ts'
export { applyPlanChange, changePlan, createPlan, insertPlan } from './plans/change-plan.ts'
export { type FoundPlan, findPlan, type NoPlan } from './plans/find-plan.ts'
export { BELOW_PRICE, OPERATOR_SCOPE, type Plan, parseGatewayRef, planVersion } from './plans/plan.ts'
export { planStore } from './plans/plan-store.ts'
export { type PlanRefusal, refusePlan } from './plans/refuse-plan.ts'
export { addFirstPlans, setPlan } from './plans/set-plan.ts'
export { beginRecount, RECOUNT } from './recount.ts'
export { markSubscription } from './reported/report-store.ts'
export { reportSubscriptions } from './reported/report-subscriptions.ts'
export { publicPlanRoutes } from './routes.ts'
export { applyGrace, setGrace } from './set-grace.ts'
export type { StreamKey, Subscription } from './subscription.ts'
export { toSubscription } from './subscription-row.ts'
export { SUBSCRIPTION_STATES, type SubscriptionState } from './subscription-states.ts'
export { type SubscriptionFilter, subscriptionStore } from './subscription-store.ts'
export { type UserPurchase, type UserPurchaseEvent, userPurchaseStore } from './user-purchase-store.ts'
