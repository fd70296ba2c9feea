import { type Caller, mayAlso } from '../api/caller.ts'
import { isOfAddress, MASKED } from '../api/mask.ts'
import type { AdminScope } from '../api/permissions.ts'

/** One search result: enough to recognise it, and its page in the console. */
export interface SearchResult {
  type: SearchResultType
  id: string
  title: string
  subtitle: string
  /** Of a subscription or a notification, in the API's words. */
  state?: string
  /** Its user, if known. */
  userId?: string | undefined
}

export const SEARCH_RESULT_TYPES = ['user', 'session', 'subscription', 'notification', 'product', 'plan', 'audit', 'job'] as const
export type SearchResultType = (typeof SEARCH_RESULT_TYPES)[number]

const scopeOf = {
  user: 'users:read',
  session: 'sessions:read',
  subscription: 'subscriptions:read',
  notification: 'notifications:read',
  product: 'products:read',
  plan: 'plans:read',
  audit: 'audit:read',
  job: 'jobs:read',
} as const satisfies Record<SearchResultType, AdminScope>

/** Whether the caller may read the result on its own page: a search grants no further permission. */
export function maySee({ type }: SearchResult, caller: Caller): boolean {
  return mayAlso(caller, scopeOf[type])
}

export function searchResultJson(found: SearchResult, caller: Caller) {
  const { type, id, title, subtitle, state, userId } = caller.role === 'viewer' ? masked(found) : found
  return { type, id, title, subtitle, state: state ?? null, user_id: userId ?? null, path: pathOf(found, caller) }
}

/** The answer itself hides addresses (`mask.ts`); other personal data is left out here. */
function masked(found: SearchResult): SearchResult {
  if (found.type === 'session') return { ...found, subtitle: MASKED }
  return found.type === 'user' && isOfAddress(found.title, found.subtitle) ? { ...found, title: MASKED } : found
}

/** In the console, without its prefix. */
function pathOf({ type, id, userId }: SearchResult, caller: Caller): string {
  switch (type) {
    case 'session':
      return `/users/${userId ?? ''}/show`
    case 'plan':
      return mayAlso(caller, 'plans:write') ? `/plans/${id}` : '/plans'
    case 'audit':
      return `/audit/${id}/show`
    default:
      return `/${type}s/${id}/show`
  }
}
