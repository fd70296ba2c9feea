import { isDatabaseAway, isReadOnly } from '../../storage/index.ts'

/** The message about a fault that nobody has foreseen. */
export function complainOf(error: unknown): { complaint: string } {
  if (isReadOnly(error)) return { complaint: `${reasonOf(error)}: wait for its end, or give it up (portaria copy --give-up)` }
  if (isDatabaseAway(error))
    return { complaint: `the database can't be used just now (${reasonOf(error)}): check DATABASE_URL, then try again` }
  return { complaint: `failed: ${reasonOf(error)}. Nothing more is known; \`portaria doctor\` checks what it stands on` }
}

/** A fault in one line. */
export function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return 'unknown fault'
  const code = 'code' in error && typeof error.code === 'string' ? error.code : error.name
  return (error.message || code).replaceAll(/\s+/g, ' ')
}
