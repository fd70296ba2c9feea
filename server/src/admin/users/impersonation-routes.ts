import { z } from 'zod'
import { isoTime } from '../../kit/index.ts'
import { mintSessionToken } from '../../sessions/index.ts'
import { ORIGINAL_SESSION_MS, sealOriginalSession } from '../../sign-in/index.ts'
import type { AdminAnswer, AdminCall } from '../api/admin-route.ts'
import type { AdminDeps } from '../api/deps.ts'
import { adminRoute, type Operations } from '../api/operations.ts'
import { refuseBeyond } from '../api/rate-limits.ts'
import type { Refused } from '../api/refusals.ts'
import { reason } from '../api/request/reason.ts'
import { impersonationLimits } from './actions/mail-limits.ts'
import { type ImpersonationRefusal, impersonate } from './impersonate.ts'

const body = z.strictObject({ reason: reason.describe('the user reads it in a mail; for the audit log too') })

const impersonation = z
  .object({ session_id: z.uuid(), user_id: z.uuid(), act: z.object({ sub: z.uuid() }), expires_at: z.iso.datetime().nullable() })
  .meta({ id: 'Impersonation' })

/** An owner sees the service and the apps of the domain as a user does. */
export function impersonationRoutes(operations: Operations, deps: AdminDeps): void {
  adminRoute(operations, {
    method: 'POST',
    path: '/users/:id/impersonate',
    operationId: 'actAsUser',
    summary: 'Act for a user, for 15 minutes',
    description:
      'The browser gets the cookies of a session of its own, which says who acts (`act`, RFC 8693 §4.1); its own session is kept aside until the impersonation ends. Nothing ' +
      'of the user can be changed by it, and no external product receives anything. The user gets a mail. 10 times an hour at most.',
    may: 'users:impersonate',
    authentication: 'recent',
    body,
    answer: {
      description: 'The session of the impersonation; its page is /account',
      schema: impersonation,
      example: {
        session_id: '0199c2b4-9b22-7e31-8f31-6c1f0d9b7a45',
        user_id: '0199c2b4-7d3a-7c1e-9f52-1b6f0a4c8e21',
        act: { sub: '0199c2b4-1c2d-7a3b-8e4f-5a6b7c8d9e0f' },
        expires_at: '2026-11-20T12:15:00.000Z',
      },
    },
    refuses: ['not_found', 'conflict'],
    work: (call) => begin(call, deps),
  })
}

async function begin(call: AdminCall<unknown, z.output<typeof body>>, deps: AdminDeps): Promise<AdminAnswer> {
  const { id: userId, caller, actor, ip, userAgent, boundSecret } = call
  // Scopes refuse scripts already; the types do not know that.
  if (caller.kind !== 'user' || boundSecret === undefined) return { refusal: 'not_allowed' }
  const tooMany = await refuseBeyond(impersonationLimits(userId), deps)
  if (tooMany) return tooMany
  const administrator = { userId: caller.userId, sessionId: caller.sessionId }
  const begun = await impersonate({ userId, administrator, reason: call.body.reason, origin: { ip, userAgent } }, { ...deps, actor })
  if ('refusal' in begun) return wire[begun.refusal]
  deps.outbox.wake()
  const { session } = begun
  const kept = { administratorId: caller.userId, boundSecret, impersonationSessionId: session.id, userId, until: session.expiresAt }
  return {
    body: { session_id: session.id, user_id: userId, act: { sub: caller.userId }, expires_at: isoTime(session.expiresAt) },
    cookies: deps.cookies.impersonation({
      token: await mintSessionToken(session, { tokens: deps.tokens, issuer: deps.baseUrl }),
      boundSecret: begun.boundSecret,
      original: sealOriginalSession(kept, deps),
      originalSeconds: ORIGINAL_SESSION_MS / 1000,
    }),
  }
}

const wire = {
  oneself: { refusal: 'conflict', reason: 'oneself' },
  has_role: { refusal: 'conflict', reason: 'has_role' },
  disabled: { refusal: 'conflict', reason: 'disabled' },
  not_found: { refusal: 'not_found' },
  signed_out: { refusal: 'not_authenticated' },
} as const satisfies Record<ImpersonationRefusal['refusal'], Refused>
