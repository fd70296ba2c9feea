import type { Generated } from 'kysely'

// The service's own operation.

export interface OperationTables {
  admin_tokens: AdminTokenRow
  settings: SettingRow
  managed_settings: ManagedSettingRow
  signing_keys: SigningKeyRow
  changes: ChangeRow
  rate_limits: RateLimitRow
  audit: AuditRow
  daily_counts: DailyCountRow
}

export interface SettingRow {
  name: string
  value: string
}

/** An object that a file of settings declares. `name`: its name in the file. */
export interface ManagedSettingRow {
  kind: string
  object_id: string
  managed_by: string
  name: string
}

export interface SigningKeyRow {
  kid: string
  public_jwk: string
  private_sealed: string
  created_at: number
  signs_from: number
  revoked_at: number | null
  /** The RS256 key beside it; null where nobody has needed one. */
  rsa_public_jwk: string | null
  rsa_private_sealed: string | null
}

export interface ChangeRow {
  seq: Generated<number>
  kind: string
  subject: string
  at: number
}

export interface RateLimitRow {
  key: string
  count: number
  window_ends_at: number
}

export interface AuditRow {
  id: string
  at: number
  actor: string
  action: string
  target: string
  before: string | null
  after: string | null
  reason: string | null
  ip: string | null
}

export interface AdminTokenRow {
  id: string
  name: string
  hash: string
  hint: string
  role: string
  scopes: string
  created_at: number
  expires_at: number | null
  revoked_at: number | null
}

export interface DailyCountRow {
  /** In the operator's zone, as `2026-11-20`. */
  day: string
  name: string
  count: number
}
