import type { FastifyInstance } from 'fastify'
import { administratorRoutes } from './administrators/administrator-routes.ts'
import type { AdminDeps } from './api/deps.ts'
import { sessionAdminRoutes } from './sessions/session-routes.ts'
import { tokenRoutes } from './tokens/token-routes.ts'
import { meRoutes } from './users/me-routes.ts'
import { userDeedsRoutes } from './users/user-deeds-routes.ts'
import { userRoutes } from './users/user-routes.ts'
import { webhookTestRoutes } from './webhooks/webhook-test-routes.ts'

/** What the operator's scripts and console call. */
export function adminRoutes(scope: FastifyInstance, deps: AdminDeps): void {
  meRoutes(scope, deps)
  userRoutes(scope, deps)
  userDeedsRoutes(scope, deps)
  sessionAdminRoutes(scope, deps)
  administratorRoutes(scope, deps)
  tokenRoutes(scope, deps)
  webhookTestRoutes(scope, deps)
}
