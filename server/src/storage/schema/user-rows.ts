// Users, and what they have agreed to.

export interface UserTables {
  users: UserRow
  user_search_terms: UserSearchTermRow
  users_company: UserCompanyRow
  user_pictures: UserPictureRow
  failed_sign_ins: FailedSignInRow
  opened_apps: OpenedAppRow
  beta_users: BetaUserRow
  consents: ConsentRow
  deletion_requests: DeletionRequestRow
  sent_mails: SentMailRow
}

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

export interface UserSearchTermRow {
  /** Without case and accents. */
  term: string
  user_id: string
}

/** Failed sign-ins of one kind, of one account from one place, within a minute. */
export interface FailedSignInRow {
  id: string
  user_id: string | null
  kind: string
  /** The name of an identity provider. */
  provider: string | null
  count: number
  /** The first of them. */
  failed_at: number
  ip: string
  user_agent: string
}
