import { z } from 'zod'
import { time } from './user-schemas.ts'

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
