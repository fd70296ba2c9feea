import type { FastifyInstance } from 'fastify'
import { checkRoute } from './check-access-routes.ts'
import { ownProductRoutes } from './own-product-routes.ts'
import type { AccessRouteDeps } from './route-deps.ts'

/** `hotScope` is a server scope without hooks, since every request of an app may ask for access; the rest goes into `scope`. */
export function accessRoutes(hotScope: FastifyInstance, scope: FastifyInstance, deps: AccessRouteDeps): void {
  checkRoute(hotScope, deps)
  ownProductRoutes(scope, deps)
}
