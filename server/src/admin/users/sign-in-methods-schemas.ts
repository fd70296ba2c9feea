import { z } from 'zod'
import { time } from './user-schemas.ts'

export const signInMethodsSchema = z
  .object({
    has_password: z.boolean(),
    two_step_since: time,
    recovery_codes_left: z.int(),
    passkeys: z.array(z.object({ name: z.string(), created_at: time, last_used_at: time })),
    providers: z.array(
      z.object({
        provider: z.string().nullable().describe('the name of the provider with this issuer; null once it was removed'),
        issuer: z.string(),
        subject: z.string(),
        email: z.string().nullable(),
        linked_at: time,
      }),
    ),
  })
  .meta({ id: 'SignInMethods' })

export const signInMethodsExample = {
  has_password: true,
  two_step_since: '2026-11-20T12:00:00.000Z',
  recovery_codes_left: 9,
  passkeys: [{ name: 'iPhone da Ana', created_at: '2026-11-20T12:00:00.000Z', last_used_at: null }],
  providers: [],
}
