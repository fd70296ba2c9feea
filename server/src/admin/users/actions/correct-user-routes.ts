import type { z } from 'zod'
import type { User } from '../../../users/index.ts'
import type { AdminAnswer, AdminCall } from '../../api/admin-route.ts'
import type { AdminDeps } from '../../api/deps.ts'
import { adminRoute, type Operations } from '../../api/operations.ts'
import { refuseBeyond, refuseBulk } from '../../api/rate-limits.ts'
import type { Refused } from '../../api/refusals.ts'
import { type CorrectUserRefusal, correctUser } from '../changes/correct-user.ts'
import { showUserAgain, withTarget } from '../show-user.ts'
import { correctUserBody } from '../user-bodies.ts'
import { userAnswer } from '../user-schemas.ts'
import { limitsOfLink } from './mail-limits.ts'

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
  return showUserAgain(user, deps)
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
  changed_meanwhile: { refusal: 'changed_meanwhile' },
} as const satisfies Record<CorrectUserRefusal['refusal'], Refused>

/** An address, a phone or a tax id that is put right. */
export function correctUserRoutes(operations: Operations, deps: AdminDeps): void {
  adminRoute(operations, {
    method: 'POST',
    path: '/users/:id/correct',
    operationId: 'correctUser',
    summary: 'Put right an address, a phone or a tax id',
    description:
      'All of it or nothing. A new address is confirmed by its owner, signed in to the account; where nobody has entered it yet, it changes at once and is invited. Thirty an hour for each caller.',
    may: 'users:write',
    authentication: 'recent',
    body: correctUserBody,
    answer: userAnswer,
    refuses: ['not_found', 'conflict', 'changed_meanwhile'],
    work: (call) => withTarget(call, deps, (user) => correct(user, call, deps)),
  })
}
