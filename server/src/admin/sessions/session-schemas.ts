import { z } from 'zod'
import { isoTime } from '../../kit/index.ts'
import { SIGN_IN_METHODS } from '../../sessions/index.ts'
import { flag, lastMoment, listQuery, moment } from '../api/list.ts'
import type { SessionRecord } from './session-list-store.ts'

export const sessionListQuery = listQuery(
  { sorts: ['created_at'], usual: '-created_at' },
  {
    user_id: z.uuid().optional(),
    product_id: z.uuid().optional(),
    ip: z.string().max(45).optional().describe('not for a viewer'),
    live: flag.optional(),
    // Without an index of its own: the others may be none among very many.
    sign_in: z
      .literal('true')
      .optional()
      .describe('only those begun by a sign-in: neither handed off to a product nor by an administrator who acts as the user'),
    sign_in_method: z.enum(SIGN_IN_METHODS).optional().describe('only those begun by this first factor'),
    since: moment.optional().describe('begun then or later'),
    until: lastMoment.optional(),
  },
)

const time = z.iso.datetime().nullable()

export const sessionSchema = z
  .object({
    id: z.uuid(),
    user_id: z.uuid(),
    email: z.string(),
    product_id: z.uuid().nullable(),
    product: z.string().nullable().describe('slug; null for a session of the domain'),
    parent_id: z.uuid().nullable().describe('the session it was handed off from'),
    impersonator_id: z.uuid().nullable().describe('the administrator who acts in it as its user'),
    sign_in_method: z
      .enum(SIGN_IN_METHODS)
      .nullable()
      .describe(
        'the first factor: after a recovery or a sign-up by mail the password. Null where no sign-in began it, and before this was kept',
      ),
    live: z.boolean(),
    created_at: time,
    last_seen_at: time.describe('as of a few minutes ago'),
    expires_at: time,
    ended_at: time,
    ended_reason: z.string().nullable(),
    ip: z.string(),
    user_agent: z.string(),
  })
  .meta({ id: 'Session' })

export const sessionExample = {
  id: '0199c2b4-8a11-7d20-8f31-6c1f0d9b7a45',
  user_id: '0199c2b4-7d3a-7c1e-9f52-1b6f0a4c8e21',
  email: 'ana@example.com',
  product_id: null,
  product: null,
  parent_id: null,
  impersonator_id: null,
  sign_in_method: 'password' as const,
  live: true,
  created_at: '2026-11-20T12:00:00.000Z',
  last_seen_at: '2026-11-20T12:30:00.000Z',
  expires_at: '2026-12-20T12:00:00.000Z',
  ended_at: null,
  ended_reason: null,
  ip: '203.0.113.7',
  user_agent: 'Mozilla/5.0 …',
}

export function sessionJson(session: SessionRecord, now: number): z.input<typeof sessionSchema> {
  return {
    id: session.id,
    user_id: session.user_id,
    email: session.email,
    product_id: session.product_id,
    product: session.product,
    parent_id: session.parent_id,
    impersonator_id: session.impersonator_id,
    sign_in_method: SIGN_IN_METHODS.find((method) => method === session.sign_in_method) ?? null,
    live: session.ended_at === null && session.expires_at > now,
    created_at: isoTime(session.created_at),
    last_seen_at: isoTime(session.last_seen_at ?? undefined),
    expires_at: isoTime(session.expires_at),
    ended_at: isoTime(session.ended_at ?? undefined),
    ended_reason: session.ended_reason,
    ip: session.ip,
    user_agent: session.user_agent,
  }
}
