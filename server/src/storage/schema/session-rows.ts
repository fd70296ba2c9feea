// Sessions, and what is issued from them.

export interface SessionTables {
  described_clients: DescribedClientRow
  sessions: SessionRow
  session_products: SessionProductRow
  handoff_redemptions: HandoffRedemptionRow
  openid_tokens: OpenIdTokenRow
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
  /** `password`, `passkey` or `provider`; null where no sign-in began it, and in sessions older than this column. */
  sign_in_method: string | null
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
