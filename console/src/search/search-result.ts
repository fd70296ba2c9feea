/** One thing that a search has found, as the API tells of it. */
export interface SearchResult {
  type: SearchResultType
  id: string
  title: string
  subtitle: string
  /** Of a subscription or a notification, in the API's word. */
  state: string | null
  /** Whose it is, where that is known. */
  user_id: string | null
  path: string
}

export type SearchResultType = 'user' | 'session' | 'subscription' | 'notification' | 'product' | 'plan' | 'audit' | 'job'
