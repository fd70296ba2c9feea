import { userPath } from '../users/user.ts'
import type { SearchResult } from './search-result.ts'

/** The state of a page of results that somebody has just asked for: links to it, and the way back, show the results themselves. */
export const BY_ENTER = { byEnter: true } as const

export function isByEnter(state: unknown): boolean {
  return typeof state === 'object' && state !== null && 'byEnter' in state
}

/**
 * The page that all results lead to, where one is left: the user's where everything is theirs, whatever was typed, since their page says
 * why they have access. A purchase without a user leads to itself. `undefined` where there is a choice.
 */
export function pathOfOnly(found: readonly SearchResult[]): string | undefined {
  const [first, ...rest] = found
  if (!first) return undefined
  const isSale = ({ type }: SearchResult) => type === 'user' || type === 'subscription' || type === 'notification'
  if (rest.length === 0 && first.type !== 'subscription') return first.path
  if (!found.every(isSale)) return undefined
  const users = new Set(found.map(({ user_id }) => user_id))
  const [userId] = users
  if (users.size === 1 && typeof userId === 'string') return userPath(userId)
  const purchases = found.filter(({ type }) => type === 'subscription')
  return users.size === 1 && purchases.length === 1 ? purchases[0]?.path : undefined
}

/** Whether this may be a CPF, a CNPJ (since 2026 with letters) or a phone: what a viewer may not search by. */
export function isNumberOfUser(typed: string): boolean {
  if (/^(?:(?=.{0,7}\d)[\dA-Z]{12}\d{2}|[\dA-Z]{2}\.[\dA-Z]{3}\.[\dA-Z]{3}\/[\dA-Z]{4}-\d{2})$/i.test(typed)) return true
  const digits = typed.replaceAll(/\D/g, '')
  // Gateways number payments with twelve digits.
  return /^\+?[\d\s()./-]+$/.test(typed) && (/^\d{10,11}$|^\d{14}$/.test(digits) || /^55\d{10,11}$/.test(digits))
}
