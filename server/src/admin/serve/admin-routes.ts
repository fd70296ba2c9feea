import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { AdminDeps } from '../api/deps.ts'
import { answerCall, findRefusal, refuse } from '../api/operation-routes.ts'
import type { Operations } from '../api/operations.ts'
import { BODY_LIMITS, OPERATION_NAMES } from './operation-names.ts'

/**
 * The routes of the operator's scripts and console. The operations behind them are a tenth of the program, and are read when the first
 * administrator calls one. A stranger is refused without them.
 */
export function adminRoutes(scope: FastifyInstance, deps: AdminDeps): void {
  const { readOperation, areRead } = createReader(deps)
  for (const name of OPERATION_NAMES) {
    const [method = '', path = ''] = name.split(' ')
    scope.route({
      method,
      url: `/api/admin${path}`,
      config: { describe: async () => (await import('../api/route-schema.ts')).describeRoute(await readOperation(name)) },
      ...(BODY_LIMITS[name] !== undefined && { bodyLimit: BODY_LIMITS[name] }),
      handler: async (request: FastifyRequest, reply: FastifyReply) => {
        const refused = areRead() ? undefined : await findRefusal(request, deps)
        return refused ? refuse(reply, refused, deps.responses) : answerCall(request, reply, { route: await readOperation(name), deps })
      },
    })
  }
}

function createReader(deps: AdminDeps) {
  let reading: Promise<Operations> | undefined
  let areRead = false
  const read = async () => {
    const { readAllOperations } = await import('../all-operations.ts')
    const operations = await readAllOperations(deps)
    areRead = true
    return operations
  }
  return {
    areRead: () => areRead,
    async readOperation(name: string) {
      reading ??= read().catch((error) => {
        reading = undefined // too many open files, say: the next call tries again
        throw error
      })
      const operation = (await reading).get(name)
      if (!operation) throw new Error(`${name} has a route and no operation: npm run openapi`)
      return operation
    },
  }
}
