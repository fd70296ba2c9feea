import { z } from 'zod'
import { reason } from '../api/request/reason.ts'

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
