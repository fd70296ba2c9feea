import type { Announce } from '../../changes/index.ts'
import type { Now } from '../../kit/index.ts'

export type EndReason =
  | 'signed_out'
  | 'replaced'
  | 'password_changed'
  | 'disabled'
  | 'operator'
  | 'deleted'
  | 'restored'
  | 'claimed'
  | 'sign_in_reported'
  | 'email_changed'
  | 'deletion_requested'
  | 'ended_by_owner'
  | 'consent_withdrawn'
  | 'grant_revoked'
  | 'passkey_removed'
  | 'second_factor_on'
  | 'impersonation_stopped'
  | 'impersonation_expired'

/** The cause of a session's end; `ip` for the audit log, if a request caused it. */
export interface EndDeps {
  announce: Announce
  now: Now
  ip?: string | undefined
}
