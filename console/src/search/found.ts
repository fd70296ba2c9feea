/** One thing that a search has found, as the API tells of it. */
export interface Found {
  type: FoundType
  id: string
  title: string
  subtitle: string
  /** Of a subscription or a notification, in the API's word. */
  state: string | null
  /** Whose it is, where that is known. */
  user_id: string | null
  path: string
}

export type FoundType = 'user' | 'session' | 'subscription' | 'notification' | 'product' | 'plan' | 'audit' | 'job'
