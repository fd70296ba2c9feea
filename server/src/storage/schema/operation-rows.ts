import type { Generated } from 'kysely'

// The service's own operation.

export interface SettingRow {
  name: string
  value: string
}

/** What a file of settings declares. `name`: as it is called there. */
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

export interface OutboxRow {
  id: string
  kind: string
  /** Empty where `payload` is set. */
  payload_sealed: string
  /** In the clear, of kinds whose payload is ids alone. */
  payload: string | null
  attempts: number
  run_at: number
  leased_until: number | null
  dead_at: number | null
  last_error: string | null
  created_at: number
  /** The API that it asks; mails have none. */
  lane: string | null
}

export interface OutboxLaneRow {
  lane: string
  paused_until: number
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

/** `scope`: a product's id, or `operator`. An empty field means the operator's, or the built-in one. */
export interface AppearanceRow {
  scope: string
  name: string | null
  accent: string | null
  logo_light: string | null
  logo_dark: string | null
  favicon: string | null
  touch_icon: string | null
  sender_name: string | null
  reply_to: string | null
  support_url: string | null
  terms_url: string | null
  privacy_url: string | null
  footer: string | null
  updated_at: number
}

/** `content`: base64. */
export interface BrandImageRow {
  hash: string
  type: string
  width: number
  height: number
  content: string
  created_at: number
  unused_since: number | null
}
