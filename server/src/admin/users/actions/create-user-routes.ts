import type { z } from 'zod'
import { normaliseEmail } from '../../../kit/index.ts'
import type { AdminAnswer, AdminCall } from '../../api/admin-route.ts'
import { isStale } from '../../api/caller.ts'
import type { AdminDeps } from '../../api/deps.ts'
import { adminRoute, type Operations } from '../../api/operations.ts'
import { refuseBeyond } from '../../api/rate-limits.ts'
import { createUser } from '../changes/create-user.ts'
import { refuseUser, showUser } from '../show-user.ts'
import { createUserBody } from '../user-bodies.ts'
import { userAnswer } from '../user-schemas.ts'
import { limitsOfInvitation } from './mail-limits.ts'

async function create(call: AdminCall<unknown, z.output<typeof createUserBody>>, deps: AdminDeps): Promise<AdminAnswer> {
  const { body, actor, caller } = call
  const { email, name, verified, is_producer: isProducer, beta: isBeta } = body
  // As with an existing account: the purchases of the address become its user's.
  if (verified && isStale(caller)) return { refusal: 'authentication_too_old' }
  const address = normaliseEmail(email)
  const mails = deps.invite && address !== undefined ? limitsOfInvitation(caller, address) : []
  const tooMany = await refuseBeyond(mails, deps)
  if (tooMany) return tooMany
  const made = await createUser({ email, name, verified, isProducer, isBeta, role: undefined, password: undefined }, { ...deps, actor })
  // No mail was sent: a mistyped or taken address does not count.
  if ('refusal' in made) for (const { key } of mails) await deps.limits.uncount(key)
  if ('refusal' in made)
    return made.refusal === 'too_short' || made.refusal === 'too_long' || made.refusal === 'busy'
      ? { refusal: 'malformed' }
      : refuseUser({ refusal: made.refusal })
  deps.outbox.wake()
  return showUser(made, deps)
}

/** A new account. */
export function createUserRoutes(operations: Operations, deps: AdminDeps): void {
  adminRoute(operations, {
    method: 'POST',
    path: '/users',
    operationId: 'createUser',
    summary: 'Make an account',
    description:
      'The user is invited by mail to choose a password, where mails are sent at all: 30 mails an hour for each caller, 3 to each address. To vouch for an address asks for a ' +
      'recent authentication.',
    may: 'users:write',
    body: createUserBody,
    answer: { ...userAnswer, status: 201 },
    work: (call) => create(call, deps),
  })
}
