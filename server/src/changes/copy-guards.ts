import type { FastifyInstance } from 'fastify'
import { type Responses, wantsPage } from '../http/index.ts'
import type { CopyWatch } from './copy-watch.ts'

/**
 * While the database is copied, a browser gets a page that says so instead of a form whose sending would fail. Other clients are answered
 * what can be read; a write is refused by the fence in the database.
 */
export function refusePagesWhileCopied(
  scope: FastifyInstance,
  { copyWatch, responses }: { copyWatch: CopyWatch; responses: Responses },
): void {
  scope.addHook('onRequest', async (request, reply) => {
    await copyWatch.refresh()
    return copyWatch.isCopied() && wantsPage(request) ? responses.refuseMoving(request, reply) : undefined
  })
}
