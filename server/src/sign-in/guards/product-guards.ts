import type { FastifyInstance } from 'fastify'
import { formBody, queryOf } from '../../http/index.ts'
import type { Flows } from '../flow/sealed-flow.ts'

/**
 * Every page of a flow has the look of the flow's product. The seal vouches for the product; whose browser it is decides the page itself,
 * and a page that refuses may have the look as well.
 */
export function noteProduct(scope: FastifyInstance, { flows }: { flows: Flows }): void {
  scope.addHook('preHandler', (request, _reply, done) => {
    const query = queryOf(request)
    const sealed = query.get('flow') ?? query.get('resume') ?? formBody(request)?.get('flow')
    request.pageProduct = flows.open(sealed)?.target?.productId
    done()
  })
}
