/** A session, as the API shows it. */
export interface Session {
  id: string
  user_id: string
  email: string
  /** The slug; `null` for a session of the domain. */
  product: string | null
  /** The administrator who impersonates its user. */
  impersonator_id: string | null
  /** `null` where no sign-in began it, and before this was kept. */
  sign_in_method: 'password' | 'passkey' | 'provider' | null
  live: boolean
  created_at: string
  last_seen_at: string | null
  expires_at: string
  ended_at: string | null
  ended_reason: string | null
  ip: string
  user_agent: string
}
