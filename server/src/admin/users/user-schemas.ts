import { z } from 'zod'
import { flag, lastMoment, listQuery, moment } from '../api/list.ts'
import { ROLES } from '../api/permissions.ts'

export const time = z.iso.datetime().nullable()

export const userSchema = z
  .object({
    id: z.uuid(),
    external_id: z.string().nullable().describe('the id in the system that the user was imported from'),
    email: z.string(),
    name: z.string(),
    verified_at: time,
    role: z.enum(ROLES).nullable(),
    disabled_at: time,
    deletion_due_at: time,
    is_producer: z.boolean(),
    is_beta: z.boolean(),
    beta: z.object({ nda_accepted_at: time }).nullable(),
    avatar_url: z.string().nullable(),
    company_name: z.string().nullable(),
    rank_name: z.string().nullable(),
    phone: z.string().nullable(),
    has_password: z.boolean(),
    created_at: time,
  })
  .meta({ id: 'User' })

export const userDetailsSchema = userSchema
  .extend({
    tax_id: z.string().nullable().describe('masked'),
    tax_id_readable: z.boolean().describe("false where one is registered that today's keys don't open"),
    second_factor: z.boolean(),
    passkeys: z.int(),
    live_sessions: z.int(),
    plan_slug: z.string().nullable(),
  })
  .meta({ id: 'UserDetails' })

export const userListQuery = listQuery(
  { sorts: ['created_at', 'email'], usual: '-created_at' },
  {
    q: z
      .string()
      .trim()
      .min(1)
      .max(100)
      .optional()
      .describe('words of the name or the company, the beginning of the address, or a whole external id'),
    role: z
      .enum([...ROLES, 'any'])
      .optional()
      .describe('`any`: every administrator'),
    disabled: flag.optional(),
    producer: flag.optional(),
    beta: flag.optional(),
    created_since: moment.optional(),
    created_until: lastMoment.optional(),
  },
)

export const userExample = {
  id: '0199c2b4-7d3a-7c1e-9f52-1b6f0a4c8e21',
  external_id: null,
  email: 'ana@example.com',
  name: 'Ana Souza',
  verified_at: '2026-11-20T12:00:00.000Z',
  role: null,
  disabled_at: null,
  deletion_due_at: null,
  is_producer: true,
  is_beta: false,
  beta: null,
  avatar_url: null,
  company_name: 'Souza Editora',
  rank_name: 'Ouro',
  phone: '+5511987654321',
  has_password: true,
  created_at: '2026-11-20T12:00:00.000Z',
}

export const userAnswer = {
  description: 'The user',
  schema: userDetailsSchema,
  example: {
    ...userExample,
    tax_id: '***.982.247-**',
    tax_id_readable: true,
    second_factor: true,
    passkeys: 1,
    live_sessions: 2,
    plan_slug: 'easy-pro',
  },
}
