import { z } from 'zod'
import type { Ticket } from '../tickets/ticket.ts'

/**
 * The content of a sign-up ticket until the mailbox is verified. No account exists before: registering another's address first gains
 * nothing.
 */
const pending = z.object({
  name: z.string(),
  /** Sealed: where the sign-up began, and its browser. */
  flow: z.string(),
  passwordHash: z.string().optional(),
  identity: z.object({ providerId: z.string(), issuer: z.string(), subject: z.string(), pictureUrl: z.string().optional() }).optional(),
})

export type PendingSignUp = z.infer<typeof pending>

/** The content of a sign-up ticket. */
export function readPendingSignUp({ payload }: Ticket): PendingSignUp {
  return pending.parse(payload)
}
