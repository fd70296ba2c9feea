import type { Role } from '../roles.ts'

/** A user, in the form of the API's lists. */
export interface User {
  id: string
  email: string
  name: string
  verified_at: string | null
  role: Role | null
  disabled_at: string | null
  deletion_due_at: string | null
  is_producer: boolean
  /** `null` for a user who is no beta user; without a date the NDA is not accepted yet. */
  beta: { nda_accepted_at: string | null } | null
  company_name: string | null
  created_at: string
}

/** A user, with their data in other tables. */
export interface UserDetails extends User {
  /** The id in the system that the user was imported from. */
  external_id: string | null
  rank_name: string | null
  avatar_url: string | null
  phone: string | null
  has_password: boolean
  /** Masked. */
  tax_id: string | null
  /** `false` where one is registered that the service can't open. */
  tax_id_readable: boolean
  second_factor: boolean
  passkeys: number
  live_sessions: number
  plan_slug: string | null
}

/** A user's sign-in methods. */
export interface SignInMethods {
  has_password: boolean
  two_step_since: string | null
  recovery_codes_left: number
  passkeys: Array<{ name: string; created_at: string; last_used_at: string | null }>
  /** `provider`: the operator's name for it; `null` once it was removed. */
  providers: Array<{ provider: string | null; issuer: string; subject: string; email: string | null; linked_at: string }>
}

/** A user's agreements. */
export interface Consents {
  beta_user: boolean
  nda: { version: string; text_sha256: string; accepted_at: string; ip: string; user_agent: string } | null
  sharings: Array<{ product: string; scopes: string[]; granted_at: string; ip: string; user_agent: string }>
}

export const userPath = (id: string) => `/users/${encodeURIComponent(id)}/show`
