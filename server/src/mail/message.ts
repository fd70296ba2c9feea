import { z } from 'zod'
import { normaliseEmail } from '../kit/index.ts'

/** One mail to one recipient. `text` and `html` say the same. */
export interface Mail {
  to: string
  subject: string
  text: string
  html: string
  /** Instead of the name of `PORTARIA_MAIL_FROM`, beside the same address. */
  senderName?: string | undefined
  replyTo?: string | undefined
}

/** A line break in a header's value would begin another header. */
const CONTROLS = /[\p{Cc}\p{Zl}\p{Zp}]/u

const mail = z.strictObject({
  to: z.string().refine((address) => normaliseEmail(address) === address),
  subject: z
    .string()
    .min(1)
    .max(200)
    .refine((subject) => !CONTROLS.test(subject)),
  text: z.string().min(1).max(100_000),
  html: z.string().min(1).max(100_000),
  senderName: z
    .string()
    .min(1)
    .max(100)
    .refine((name) => !CONTROLS.test(name))
    .optional(),
  replyTo: z
    .string()
    .refine((address) => normaliseEmail(address) === address)
    .optional(),
})

/**
 * Reads a mail from the payload of a job. `to` must be one address in its normal form, and no header may hold a control character. Throws
 * for an invalid mail; the error names fields and never quotes them.
 */
export function parseMail(payload: unknown): Mail {
  const parsed = mail.safeParse(payload)
  if (parsed.success) return parsed.data
  throw new Error(faultOf(parsed.error))
}

/** Why a mail must not go out, or `undefined`. The last check before delivery, on every path. */
export function refuseMail(payload: Mail): string | undefined {
  const { error } = mail.safeParse(payload)
  return error && faultOf(error)
}

function faultOf({ issues }: z.ZodError): string {
  const fields = new Set(issues.map(({ path }) => path.join('.') || 'the whole'))
  return `the payload is no mail: ${[...fields].join(', ')}`
}
