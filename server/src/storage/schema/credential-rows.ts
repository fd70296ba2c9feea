// Sign-in methods of users.

export interface CredentialTables {
  tickets: TicketRow
  totp_factors: TotpFactorRow
  recovery_codes: RecoveryCodeRow
  passkeys: PasskeyRow
  passkey_challenges: PasskeyChallengeRow
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
