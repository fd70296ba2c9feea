import { z } from 'zod'

const MAX_TEXT = 1_000
const MAX_LISTED = 500
const OF_OTHERS = /^(?!PORTARIA_|DATABASE_URL$)[A-Za-z_]\w{0,127}$/
export const text = z.string().max(MAX_TEXT)
export const name = z.string().regex(/^[a-z0-9](?:[a-z0-9-]{0,62}[a-z0-9])?$/, 'lower-case letters, digits and hyphens, 64 at most')

/**
 * Where a secret stands. Files of settings are read by many and kept for ever, so it never stands in them. The service's own variables are
 * no place: a secret is sent to the provider that the same file names.
 */
export const secret = z
  .union([
    z.strictObject({ env: z.string().regex(OF_OTHERS, 'the name of an environment variable, and none of the service’s own') }),
    z.strictObject({ file: text.min(1) }),
  ])
  .describe('where the secret stands: an environment variable, or a file beside this one; never the secret itself')

const unique = (list: readonly unknown[]) => new Set(list.map((item) => JSON.stringify(item))).size === list.length
export const setOf = <T extends z.ZodType>(item: T) => z.array(item).max(MAX_LISTED).refine(unique, 'each once')
