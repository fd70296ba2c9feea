import type { FastifyInstance } from 'fastify'
import type { AdminDeps } from './api/deps.ts'
import { meRoutes } from './users/me-routes.ts'
import { userRoutes } from './users/user-routes.ts'
import { webhookTestRoutes } from './webhooks/webhook-test-routes.ts'

/** What the operator's scripts and console call. */
export function adminRoutes(scope: FastifyInstance, deps: AdminDeps): void {
  meRoutes(scope, deps)
  userRoutes(scope, deps)
  webhookTestRoutes(scope, deps)
}
