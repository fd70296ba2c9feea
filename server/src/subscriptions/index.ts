// subscriptions: the plans on offer.
// Owns: plans of the operator and of products, and their public list.
// Does not own: prices charged by a gateway, or the products that plans belong to.
export { OPERATOR_SCOPE, type Plan, type PlanRefusal, parseGatewayRef } from './plan.ts'
export { publicPlanRoutes } from './routes.ts'
export { addFirstPlans, setPlan } from './set-plan.ts'
export { planStore } from './store.ts'
