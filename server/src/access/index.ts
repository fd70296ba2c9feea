// access: whether someone may use a product, and why. Owns: GET /api/saas/check-access and a product's view of its own payment methods.
// Does not own: the state of a subscription, which exists before anyone asks (subscriptions).
export { accessRoutes } from './routes.ts'
