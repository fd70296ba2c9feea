// Identity providers.

export interface ProviderTables {
  identity_providers: IdentityProviderRow
  identities: IdentityRow
  idp_attempts: IdpAttemptRow
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
