/** One search result, in the API's form. */
export interface SearchResult {
  type: SearchResultType
  id: string
  title: string
  subtitle: string
  /** Of a subscription or a notification, in the API's words. */
  state: string | null
  /** Its user, if known. */
  user_id: string | null
  path: string
}

export type SearchResultType = 'user' | 'session' | 'subscription' | 'notification' | 'product' | 'plan' | 'audit' | 'job'

/** `mistyped`: the text has the form of one, and its check digits are wrong. Left out by an older service. */
export interface SearchAnswer {
  data: SearchResult[]
  mistyped?: 'cpf' | 'cnpj' | null
}
