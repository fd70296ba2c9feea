import { z } from 'zod'
import type { AdminDeps } from '../../api/deps.ts'
import { adminRoute, type Operations } from '../../api/operations.ts'
import { refuseBulk } from '../../api/rate-limits.ts'
import { reasonedBody } from '../../api/request/reason.ts'
import { deleteUser } from '../changes/delete-user.ts'
import { refuseUser, withTarget } from '../show-user.ts'

const gone = {
  description: 'Whom it was',
  schema: z.object({ id: z.uuid(), deleted: z.literal(true) }),
  example: { id: '0199c2b4-7d3a-7c1e-9f52-1b6f0a4c8e21', deleted: true },
}

/** The end of an account. */
export function deleteUserRoutes(operations: Operations, deps: AdminDeps): void {
  adminRoute(operations, {
    method: 'DELETE',
    path: '/users/:id',
    operationId: 'deleteUser',
    summary: 'Remove a user and everything that is theirs alone',
    description: 'At once and for good (LGPD). What they bought stays without their address; the audit log keeps the id. 30 an hour.',
    may: 'users:delete',
    authentication: 'recent',
    body: reasonedBody,
    answer: gone,
    refuses: ['not_found', 'conflict', 'changed_meanwhile'],
    work: (call) =>
      withTarget(call, deps, async (user) => {
        const tooMany = await refuseBulk('delete', call, deps)
        if (tooMany) return tooMany
        const refused = await deleteUser(user, { ...deps, actor: call.actor })
        return refused ? refuseUser(refused) : { body: { id: user.id, deleted: true } }
      }),
  })
}
