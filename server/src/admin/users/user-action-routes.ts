import type { FastifyInstance } from 'fastify'
import { z } from 'zod'
import { recordAudit } from '../../audit/index.ts'
import { normaliseEmail } from '../../kit/index.ts'
import { mailLanguage, queueInvitation, queueRecovery, type User } from '../../users/index.ts'
import type { AdminAnswer, AdminCall } from '../api/admin-route.ts'
import { adminRoute, nothing } from '../api/admin-routes.ts'
import { isStale } from '../api/caller.ts'
import type { AdminDeps } from '../api/deps.ts'
import { refuseBeyond, refuseBulk } from '../api/rate-limits.ts'
import type { Refused } from '../api/refusals.ts'
import { createUser, deleteUser, disableUser, enableUser, revokeUserSessions } from './change-users.ts'
import { type CorrectUserRefusal, correctUser } from './correct-user.ts'
import { limitsOfInvitation, limitsOfLink } from './mail-limits.ts'
import { removeFactors } from './remove-factors.ts'
import { refuse, show, showAgain, withTarget } from './user-routes.ts'
import { actionBody, correctUserBody, createUserBody, reasonedBody, userAnswer } from './user-schemas.ts'

const gone = {
  description: 'Whom it was',
  schema: z.object({ id: z.uuid(), deleted: z.literal(true) }),
  example: { id: '0199c2b4-7d3a-7c1e-9f52-1b6f0a4c8e21', deleted: true },
}

/** Routes that change a user: create, correct, disable, enable, sign out, send a link, delete. */
export function userActionRoutes(scope: FastifyInstance, deps: AdminDeps): void {
  adminRoute(scope, deps, {
    method: 'POST',
    path: '/users',
    operationId: 'createUser',
    summary: 'Make an account',
    description:
      'The user is invited by mail to choose a password, where mails are sent at all: 30 mails an hour for each caller, 3 to each address. To vouch for an address asks for a ' +
      'recent authentication.',
    may: 'users:write',
    query: nothing,
    body: createUserBody,
    answer: { ...userAnswer, status: 201 },
    work: (call) => create(call, deps),
  })
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
    await revokeUserSessions(user, { ...deps, actor })
    return showAgain(user, deps)
  })
  action(
    'send-link',
    {
      summary: 'Mail a link to choose a password',
      description:
        'Using it verifies the address. A user without a password gets an invitation, any other a recovery. A user gets 5 an hour at most, and a caller sends 30.',
      body: actionBody,
    },
    sendLink,
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
      deps.outbox.wake()
      return showAgain(user, deps)
    },
  )
  adminRoute(scope, deps, {
    method: 'POST',
    path: '/users/:id/correct',
    operationId: 'correctUser',
    summary: 'Put right an address, a phone or a tax id',
    description:
      'All of it or nothing. A new address is confirmed by its owner, signed in to the account; where nobody has entered it yet, it changes at once and is invited. Thirty an hour for each caller.',
    may: 'users:write',
    authentication: 'recent',
    query: nothing,
    body: correctUserBody,
    answer: userAnswer,
    refuses: ['not_found', 'conflict'],
    work: (call) => withTarget(call, deps, (user) => correct(user, call, deps)),
  })
  adminRoute(scope, deps, {
    method: 'DELETE',
    path: '/users/:id',
    operationId: 'deleteUser',
    summary: 'Remove a user and everything that is theirs alone',
    description: 'At once and for good (LGPD). What they bought stays without their address; the audit log keeps the id. 30 an hour.',
    may: 'users:delete',
    authentication: 'recent',
    query: nothing,
    body: reasonedBody,
    answer: gone,
    refuses: ['not_found', 'conflict'],
    work: (call) =>
      withTarget(call, deps, async (user) => {
        const tooMany = await refuseBulk('delete', call, deps)
        if (tooMany) return tooMany
        const refused = await deleteUser(user, { ...deps, actor: call.actor })
        return refused ? refuse(refused) : { body: { id: user.id, deleted: true } }
      }),
  })

  type Body = z.output<typeof actionBody>
  type Action = (user: User, call: AdminCall<unknown, Body>) => Promise<AdminAnswer>

  function action(
    name: string,
    { body, ...route }: { summary: string; description?: string; body: typeof actionBody | typeof reasonedBody; authentication?: 'recent' },
    work: Action,
  ): void {
    adminRoute(scope, deps, {
      ...route,
      method: 'POST',
      path: `/users/:id/${name}`,
      operationId: `${name.replace(/-(\w)/g, (_, letter: string) => letter.toUpperCase())}User`,
      may: 'users:write',
      query: nothing,
      body,
      answer: userAnswer,
      refuses: ['not_found', 'conflict'],
      work: (call) => withTarget(call, deps, (user) => work(user, call)),
    })
  }

  async function disable(user: User, { actor, body }: AdminCall<unknown, Body>): Promise<AdminAnswer> {
    const refused = await disableUser(user, body.reason, { ...deps, actor })
    return 'refusal' in refused ? refuse(refused) : showAgain(user, deps)
  }

  async function enable(user: User, { actor }: AdminCall<unknown, Body>): Promise<AdminAnswer> {
    await enableUser(user, { ...deps, actor })
    return showAgain(user, deps)
  }

  async function sendLink(user: User, { actor, caller }: AdminCall<unknown, Body>): Promise<AdminAnswer> {
    const { changes, sealer, invite, now } = deps
    if (!invite) return { refusal: 'conflict', reason: 'no_mail' }
    if (user.disabledAt !== undefined) return { refusal: 'conflict', reason: 'disabled' }
    const tooMany = await refuseBeyond(limitsOfLink(caller, user.id), deps)
    if (tooMany) return tooMany
    await changes.transaction(async (tx) => {
      if (user.passwordHash === undefined) await queueInvitation(tx, user, { ...invite, now })
      else await queueRecovery(tx, user.email, { language: mailLanguage(user) }, { sealer, at: now() })
      await recordAudit(tx, { actor, action: 'user.send_link', target: user.id }, now())
    })
    deps.outbox.wake()
    return showAgain(user, deps)
  }
}

async function correct(user: User, call: AdminCall<unknown, z.output<typeof correctUserBody>>, deps: AdminDeps): Promise<AdminAnswer> {
  const { email, phone, tax_id: taxId, reason } = call.body
  const correction = { ...(email !== undefined && { email }), ...(phone !== undefined && { phone }), ...(taxId !== undefined && { taxId }) }
  if (Object.keys(correction).length === 0) return { refusal: 'malformed' }
  // A free number gets another answer than a taken one, and an address gets a mail.
  const tooMany =
    (await refuseBulk('correct', call, deps)) ??
    (email === undefined ? undefined : await refuseBeyond(limitsOfLink(call.caller, user.id), deps))
  if (tooMany) return tooMany
  const corrected = await correctUser(user, correction, reason, { ...deps, taxIdKey: deps.masterKeys.taxIdIndex, actor: call.actor })
  if ('refusal' in corrected) return correctionRefusals[corrected.refusal]
  deps.outbox.wake()
  return showAgain(user, deps)
}

const correctionRefusals = {
  email_malformed: { refusal: 'malformed', fields: { email: 'email_malformed' } },
  email_taken: { refusal: 'malformed', fields: { email: 'email_taken' } },
  phone_malformed: { refusal: 'malformed', fields: { phone: 'malformed' } },
  tax_id_malformed: { refusal: 'malformed', fields: { tax_id: 'malformed' } },
  tax_id_taken: { refusal: 'malformed', fields: { tax_id: 'taken' } },
  same_email: { refusal: 'conflict', reason: 'same_email' },
  no_mail: { refusal: 'conflict', reason: 'no_mail' },
  disabled: { refusal: 'conflict', reason: 'disabled' },
  not_found: { refusal: 'not_found' },
} as const satisfies Record<CorrectUserRefusal['refusal'], Refused>

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
      : refuse({ refusal: made.refusal })
  deps.outbox.wake()
  return show(made, deps)
}
