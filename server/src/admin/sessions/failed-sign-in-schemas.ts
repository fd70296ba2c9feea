import { z } from 'zod'
import { lastMoment, listQuery, moment } from '../api/list.ts'
import type { FailedSignInListed } from './failed-sign-in-list-store.ts'

export const failedSignInListQuery = listQuery(
  { sorts: ['failed_at'], usual: '-failed_at' },
  {
    user_id: z.uuid().optional(),
    of_users: z.literal('true').optional().describe('only those of accounts that exist'),
    kind: z
      .string()
      .regex(/^[a-z_]{1,60}$/)
      .optional()
      .describe('what was wrong, as in `failed_sign_ins_by_kind` of the overview'),
    ip: z.string().max(45).optional().describe('not for a viewer'),
    since: moment.optional(),
    until: lastMoment.optional(),
  },
)

export const failedSignInSchema = z
  .object({
    id: z.uuid(),
    user_id: z
      .uuid()
      .nullable()
      .describe('the account with the address that was typed; null: nobody has it, or no account came into question'),
    email: z.string().nullable().describe('the address of that account'),
    kind: z.string().describe('what was wrong'),
    provider: z.string().nullable().describe('the identity provider, by name'),
    count: z.int().describe('how many there were of this kind within a minute, of one account from one network'),
    failed_at: z.iso.datetime().describe('the first of them, as are its address and its browser'),
    ip: z.string(),
    user_agent: z.string(),
  })
  .meta({ id: 'FailedSignIn' })

export const failedSignInExample = {
  id: '0199c2b4-8a11-7d20-8f31-6c1f0d9b7a46',
  user_id: '0199c2b4-7d3a-7c1e-9f52-1b6f0a4c8e21',
  email: 'ana@example.com',
  kind: 'wrong_credentials',
  provider: null,
  count: 3,
  failed_at: '2026-11-20T12:00:00.000Z',
  ip: '203.0.113.7',
  user_agent: 'Mozilla/5.0 …',
}

export function failedSignInJson({ failed_at, ...failed }: FailedSignInListed): z.input<typeof failedSignInSchema> {
  return { ...failed, failed_at: new Date(failed_at).toISOString() }
}
