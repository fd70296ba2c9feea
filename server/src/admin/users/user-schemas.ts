import { z } from 'zod'
import { flag, listQuery, moment } from '../api/list.ts'
import { ROLES } from '../api/permissions.ts'

const time = z.iso.datetime().nullable()
const MAX_REASON = 500

/** The reason, for the audit log: one line, since terminals and mails would obey control characters. */
export const reason = z
  .string()
  .trim()
  .min(1)
  .max(MAX_REASON)
  .regex(/^[\P{Cc}\t\r\n]*$/u)
  .overwrite((text) => text.replaceAll(/\s+/gu, ' '))
  .describe('for the audit log')

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
    created_until: moment.optional(),
  },
)

/** Shown in terminals too, which obey control characters. */
const optionalText = z
  .string()
  .trim()
  .max(200)
  .regex(/^\P{Cc}*$/u)
  .nullable()

export const changeUserBody = z.strictObject({
  name: z.string().optional(),
  avatar_url: optionalText.or(z.string().max(2_048)).optional(),
  company_name: optionalText.optional(),
  rank_name: optionalText.optional(),
  is_producer: z.boolean().optional(),
  beta: z.boolean().optional().describe('a beta user is asked to accept the NDA'),
  verified: z.boolean().optional().describe("the address is known to be the user's"),
  reason: reason.optional(),
})

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

export const actionBody = z.strictObject({ reason: reason.optional() })
/** For actions that always need a reason. */
export const reasonedBody = z.strictObject({ reason })

export const correctUserBody = z.strictObject({
  email: z.string().max(1_000).optional().describe('mailed a link; it takes effect once its owner has signed in with it'),
  phone: z.string().max(40).nullable().optional().describe('international, or national and then Brazilian; null removes it'),
  tax_id: z.string().max(40).nullable().optional().describe('CPF or CNPJ; null removes it'),
  reason,
})

export const createUserBody = z.strictObject({
  email: z.string(),
  name: z.string(),
  verified: z.boolean().default(false).describe("the address is known to be the user's"),
  is_producer: z.boolean().default(false),
  beta: z.boolean().default(false).describe('a beta user is asked to accept the NDA'),
  reason: reason.optional(),
})

export const signInMethodsSchema = z
  .object({
    has_password: z.boolean(),
    two_step_since: time,
    recovery_codes_left: z.int(),
    passkeys: z.array(z.object({ name: z.string(), created_at: time, last_used_at: time })),
    providers: z.array(z.object({ issuer: z.string(), subject: z.string(), email: z.string().nullable(), linked_at: time })),
  })
  .meta({ id: 'SignInMethods' })

export const signInMethodsExample = {
  has_password: true,
  two_step_since: '2026-11-20T12:00:00.000Z',
  recovery_codes_left: 9,
  passkeys: [{ name: 'iPhone da Ana', created_at: '2026-11-20T12:00:00.000Z', last_used_at: null }],
  providers: [],
}

export const consentsSchema = z
  .object({
    beta_user: z.boolean(),
    nda: z.object({ version: z.string(), text_sha256: z.string(), accepted_at: time, ip: z.string(), user_agent: z.string() }).nullable(),
    sharings: z.array(
      z.object({ product: z.string(), scopes: z.array(z.string()), granted_at: time, ip: z.string(), user_agent: z.string() }),
    ),
  })
  .meta({ id: 'Consents' })

export const consentsExample = { beta_user: false, nda: null, sharings: [] }
