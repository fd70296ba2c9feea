/** `eg_token` lives this long: the time of one redirect and one call from the app's server. */
export const HANDOFF_SECONDS = 60

/** Why a handoff was not redeemed. Callers learn only that the token is invalid; the audit log and the metrics record the reason. */
export type HandoffRefusal = 'not_a_handoff' | 'already_redeemed' | 'session_ended' | 'consent_withdrawn'
