import type { z } from 'zod'
import type { User } from '../../../users/index.ts'
import type { AdminAnswer, AdminCall } from '../../api/admin-route.ts'
import type { AdminDeps } from '../../api/deps.ts'
import { adminRoute, type Operations } from '../../api/operations.ts'
import { actionBody, reasonedBody } from '../../api/request/reason.ts'
import { disableUser, enableUser, revokeUserSessions } from '../changes/disable-user.ts'
import { removeFactors } from '../changes/remove-factors.ts'
import { refuseUser, showUserAgain, withTarget } from '../show-user.ts'
import { userAnswer } from '../user-schemas.ts'
import { correctUserRoutes } from './correct-user-routes.ts'
import { createUserRoutes } from './create-user-routes.ts'
import { deleteUserRoutes } from './delete-user-routes.ts'
import { sendLink } from './send-link.ts'

/** Routes that change a user: create, correct, disable, enable, sign out, send a link, delete. */
export function userActionRoutes(operations: Operations, deps: AdminDeps): void {
  createUserRoutes(operations, deps)
  action(
    'disable',
    {
      summary: 'Lock a user out',
      description: 'Ends sign-in, sessions, handoffs and access tokens at once, on every node.',
      body: actionBody,
    },
    disable,
  )
  action(
    'enable',
    {
      summary: 'Let a disabled user sign in again',
      description: 'What they asked for themselves, to be deleted, is undone with it.',
      body: actionBody,
    },
    enable,
  )
  action('revoke-sessions', { summary: 'Sign a user out everywhere', body: actionBody }, async (user, { actor }) => {
    const revoked = await revokeUserSessions(user, { ...deps, actor })
    return 'refusal' in revoked ? refuseUser(revoked) : showUserAgain(user, deps)
  })
  action(
    'send-link',
    {
      summary: 'Mail a link to choose a password',
      description:
        'Using it verifies the address. A user without a password gets an invitation, any other a recovery. A user gets 5 an hour at most, and a caller sends 30.',
      body: actionBody,
    },
    (user, call) => sendLink(user, call, deps),
  )
  action(
    'remove-factors',
    {
      summary: 'For someone who has lost every factor',
      description: 'Removes second factor and passkeys, ends all sessions, and notifies the owner.',
      body: reasonedBody,
      authentication: 'recent',
    },
    async (user, { actor, body }) => {
      const removed = await removeFactors(user, body.reason ?? '', { ...deps, codeKey: deps.masterKeys.ticketCode, actor })
      if (removed === 'nothing_to_remove') return { refusal: 'conflict', reason: removed }
      if ('refusal' in removed) return refuseUser(removed)
      deps.outbox.wake()
      return showUserAgain(user, deps)
    },
  )
  correctUserRoutes(operations, deps)
  deleteUserRoutes(operations, deps)

  type Body = z.output<typeof actionBody>
  type Action = (user: User, call: AdminCall<unknown, Body>) => Promise<AdminAnswer>

  function action(
    name: string,
    { body, ...route }: { summary: string; description?: string; body: typeof actionBody | typeof reasonedBody; authentication?: 'recent' },
    work: Action,
  ): void {
    adminRoute(operations, {
      ...route,
      method: 'POST',
      path: `/users/:id/${name}`,
      operationId: `${name.replace(/-(\w)/g, (_, letter: string) => letter.toUpperCase())}User`,
      may: 'users:write',
      body,
      answer: userAnswer,
      refuses: ['not_found', 'conflict', 'changed_meanwhile'],
      work: (call) => withTarget(call, deps, (user) => work(user, call)),
    })
  }

  async function disable(user: User, { actor, body }: AdminCall<unknown, Body>): Promise<AdminAnswer> {
    const refused = await disableUser(user, body.reason, { ...deps, actor })
    return 'refusal' in refused ? refuseUser(refused) : showUserAgain(user, deps)
  }

  async function enable(user: User, { actor }: AdminCall<unknown, Body>): Promise<AdminAnswer> {
    const enabled = await enableUser(user, { ...deps, actor })
    return 'refusal' in enabled ? refuseUser(enabled) : showUserAgain(user, deps)
  }
}
