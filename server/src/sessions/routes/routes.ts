import type { FastifyInstance } from 'fastify'
import { checkRoute } from './check-routes.ts'
import { exchange } from './exchange-routes.ts'
import { exchangeSchema } from './exchange-schema.ts'
import { jwksSchema } from './key-schemas.ts'
import { me } from './me-routes.ts'
import { meSchema } from './me-schema.ts'
import { protectedResourceRoutes } from './protected-resource-routes.ts'
import type { SessionRouteDeps } from './route-deps.ts'

/** `checkScope` is a server scope without hooks, since the check runs thousands of times a second; the other routes go into `scope`. */
export function sessionRoutes(checkScope: FastifyInstance, scope: FastifyInstance, deps: SessionRouteDeps): void {
  checkRoute(checkScope, deps)
  scope.post('/auth/token', { schema: exchangeSchema }, (request, reply) => exchange(request, reply, deps))
  scope.get('/api/me', { schema: meSchema }, (request, reply) => me(request, reply, deps))
  protectedResourceRoutes(scope, deps)
  scope.get('/.well-known/jwks.json', { schema: jwksSchema }, async (_request, reply) =>
    reply
      .headers(deps.headers.json)
      .header('cache-control', 'public, max-age=300')
      .header('access-control-allow-origin', '*')
      .header('cross-origin-resource-policy', 'cross-origin')
      .send(JSON.stringify(deps.keys.jwks())),
  )
}
