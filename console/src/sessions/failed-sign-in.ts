/** Failed sign-ins of one kind, of one account from one place, within a minute, as the API shows them. */
export interface FailedSignIn {
  id: string
  /** `null`: nobody has the address that was typed, or no account came into question. */
  user_id: string | null
  email: string | null
  kind: string
  /** The identity provider, by name. */
  provider: string | null
  count: number
  failed_at: string
  ip: string
  user_agent: string
}
