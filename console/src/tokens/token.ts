import type { AdminScope, Role } from '../roles.ts'

/** An admin token, as the API shows it. */
export interface Token {
  id: string
  name: string
  role: Role
  /** Empty: all that its role may do. */
  scopes: AdminScope[]
  hint: string
  state: 'live' | 'expired' | 'revoked'
  created_at: string
  expires_at: string | null
  revoked_at: string | null
}

/** As it is answered once, to who made it. */
export interface NewToken extends Token {
  token: string
}
