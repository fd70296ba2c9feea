// access: whether someone may use a product, and why. Owns: GET /api/saas/check-access, a product's view of its own payment methods, and
// what was last reported of each user's access.
// Does not own: the state of a subscription, which exists before anyone asks (subscriptions).

export { listAccessOfUser } from './list-access.ts'
export { markAccess } from './reported/mark-access.ts'
export { createAccessReporter } from './reported/reporter.ts'
export { startScans } from './reported/scan-store.ts'
export { accessRoutes } from './routes.ts'
export { accessSchema } from './schemas.ts'
