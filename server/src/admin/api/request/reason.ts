import { z } from 'zod'

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

export const actionBody = z.strictObject({ reason: reason.optional() })
/** For actions that always need a reason. */
export const reasonedBody = z.strictObject({ reason })
