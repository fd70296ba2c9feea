import { z } from 'zod'
import { OPENID_KINDS } from '../../../products/index.ts'

export const checkUriBody = z.strictObject({
  uri: z.string().max(10_000),
  product_id: z.string().max(64).optional().describe('whose it is to be'),
  openid_kind: z.enum(OPENID_KINDS).optional().describe('of the product that is about to be made'),
})

export const checkedUriSchema = z
  .object({
    ok: z.boolean(),
    refusal: z.string().nullable().describe('a word for what stands against it, as `fragment`'),
    says: z.string().nullable().describe('the same as a sentence'),
    use: z.string().nullable().describe('the form to register instead'),
    on_domain: z
      .boolean()
      .nullable()
      .describe('whether it is on the internal domain: else an internal product gets no token there, unless it is trusted'),
    registered_for: z.string().nullable().describe('the slug of the product that has it already'),
  })
  .meta({ id: 'CheckedRedirectUri' })
