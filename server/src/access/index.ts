// access: whether someone may use a product, and why.
// Owns: GET /api/saas/check-access and what a product may read of its own payment methods.
// Does not own: the state of a subscription, which is there before anyone asks (subscriptions).
export { accessRoutes } from './routes.ts'
