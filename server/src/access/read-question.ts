import type { AccessQuestion } from './check-access.ts'

const MAX_USER_ID = 128

/** Invalid UTF-8 is always read as U+FFFD: the ids of two users would become one. */
const NO_USER_ID = /[\p{Cc}\p{Cs}\ufffd]/u

export function readQuestion(query: URLSearchParams): AccessQuestion | 'user_id ou email ausente' | 'parametros invalidos' {
  const userIds = query.getAll('user_id')
  const emails = query.getAll('email')
  if (userIds.length > 1 || emails.length > 1) return 'parametros invalidos'
  const userId = userIds[0] || undefined
  const email = emails[0]?.trim() || undefined
  if (userId === undefined && email === undefined) return 'user_id ou email ausente'
  if (userId !== undefined && ([...userId].length > MAX_USER_ID || NO_USER_ID.test(userId))) return 'parametros invalidos'
  return { userId, email }
}
