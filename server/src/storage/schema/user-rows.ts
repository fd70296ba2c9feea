// Users, their sign-in methods and sessions.

export interface UserRow {
  id: string
  email: string
  email_verified_at: number | null
  password_hash: string | null
  role: string | null
  language: string | null
  disabled_at: number | null
  created_at: number
  updated_at: number
  external_id: string | null
  /** Null for one that has not changed since it was first given, or not since this is noted. */
  password_changed_at: number | null
}

export interface UserCompanyRow {
  user_id: string
  name: string
  avatar_url: string | null
  is_producer: number
  company_name: string | null
  rank_name: string | null
  tax_id_kind: string | null
  tax_id_sealed: string | null
  tax_id_hash: string | null
  phone: string | null
  updated_at: number
  /** The one correction that its user may make. */
  tax_id_corrected_at: number | null
}

export interface OpenedAppRow {
  user_id: string
  product_id: string
  first_opened_at: number
}

export interface UserPictureRow {
  user_id: string
  /** The part of its address that nobody can guess. */
  name: string
  /** A PNG in base64. */
  content: string
  created_at: number
}

export interface BetaUserRow {
  user_id: string
  created_at: number
  nda_accepted_at: number | null
  nda_ip: string | null
  nda_user_agent: string | null
  nda_version: string | null
  nda_text_hash: string | null
}

export interface ConsentRow {
  user_id: string
  product_id: string
  scopes: string
  granted_at: number
  ip: string
  user_agent: string
}

export interface DeletionRequestRow {
  user_id: string
  requested_at: number
  due_at: number
}

export interface SentMailRow {
  id: string
  user_id: string
  kind: string
  at: number
}

export interface TotpFactorRow {
  user_id: string
  secret_sealed: string
  created_at: number
  confirmed_at: number | null
  /** The 30-second step of the newest used code. */
  last_step: number
}

export interface RecoveryCodeRow {
  user_id: string
  code_hash: string
  created_at: number
  used_at: number | null
}

export interface PasskeyRow {
  /** The credential's id, as its device chose it, in base64url. */
  id: string
  user_id: string
  name: string
  /** COSE, in base64url. */
  public_key: string
  counter: number
  /** JSON: the transports by which browsers reach the device. */
  transports: string
  is_backed_up: number
  created_at: number
  last_used_at: number | null
}

export interface PasskeyChallengeRow {
  hash: string
  purpose: string
  /** The user of the device; null while unknown. */
  user_id: string | null
  expires_at: number
}

export interface TicketRow {
  id: string
  purpose: string
  user_id: string | null
  email: string
  secret_hash: string
  code_hash: string | null
  code_tries: number
  payload_sealed: string
  created_at: number
  expires_at: number
}

export interface IdentityProviderRow {
  id: string
  name: string
  issuer: string
  client_id: string
  client_secret_sealed: string
  authoritative_for: string
  access_token_audience: string | null
  kind: string | null
  created_at: number
  updated_at: number
}

export interface IdentityRow {
  issuer: string
  subject: string
  user_id: string
  email: string | null
  created_at: number
}

export interface IdpAttemptRow {
  state_hash: string
  provider_id: string
  sealed: string
  expires_at: number
}

export interface SessionRow {
  id: string
  user_id: string
  product_id: string | null
  /** The client that described itself, under a product that takes such clients; null in all other sessions. */
  client_id: string | null
  openid_since: number | null
  parent_id: string | null
  bound_hash: string | null
  created_at: number
  expires_at: number
  ended_at: number | null
  ended_reason: string | null
  ip: string
  user_agent: string
  /** The user's last authentication, second factor included; null in sessions older than this column. */
  authenticated_at: number | null
  /** The same, with more than one factor. */
  second_factor_at: number | null
  /** The administrator of an impersonation, and their own session; null in all other sessions. */
  impersonator_id: string | null
  impersonator_session_id: string | null
  /** Accurate to a few minutes: nodes write it in batches. */
  last_seen_at: number | null
  /** The passkey that began it, and whose removal ends it; it may be gone already. */
  passkey_id: string | null
}

/** An internal product that received a session of the domain by redirect. */
export interface SessionProductRow {
  session_id: string
  product_id: string
}

export interface HandoffRedemptionRow {
  jti: string
  expires_at: number
}

export interface OpenIdTokenRow {
  hash: string
  kind: string
  /** The client's session; null for a pushed request, which has none yet. */
  session_id: string | null
  payload: string
  expires_at: number
  consumed_at: number | null
}

export interface DescribedClientRow {
  id: string
  /** The address of its description. */
  client_id: string
  first_seen_at: number
  last_seen_at: number
  refused_at: number | null
}

export interface UserSearchTermRow {
  /** Without case and accents. */
  term: string
  user_id: string
}
