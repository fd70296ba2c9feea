// sessions: who is signed in, and the tokens that say so. Owns: session rows, eg_session and access tokens, handoff tokens' form, signing
// keys and JWKS, live claims and the check, ending sessions. Does not own: authentication (users, identity-providers), where a token may be
// sent (products, handoff).

export { sessionAudience } from './audience.ts'
export { type Checks, createChecks } from './check/check.ts'
export { flushLastSeen, LAST_SEEN_FLUSH_MS } from './check/last-seen.ts'
export { createLiveSessions, type LiveSessions } from './check/live-sessions.ts'
export { createOpenedApps, type OpenedApps } from './check/opened-apps.ts'
export { endEverySession } from './ends/end-every-session.ts'
export type { EndReason } from './ends/end-reason.ts'
export { endSession } from './ends/end-session.ts'
export { endSessionsOfClient } from './ends/end-sessions-of-client.ts'
export {
  endOtherSessions,
  endPasskeySessions,
  endProductSessions,
  endProviderSessions,
  endSessionsOfUser,
} from './ends/end-sessions-of-user.ts'
export { endExpiredImpersonations, endImpersonations, startImpersonation } from './impersonation.ts'
export { deliverLogoutJob } from './logout/deliver-logout.ts'
export { recordHandover, recordHeldHandover } from './logout/record-handover.ts'
export { mintSessionToken } from './mint.ts'
export type { OwnSession } from './own-session-store.ts'
export { ownSessionStore } from './own-session-store.ts'
export { sessionRoutes } from './routes/routes.ts'
export {
  IMPERSONATION_SECONDS,
  type Impersonator,
  type LiveSession,
  SESSION_SECONDS,
  SIGN_IN_METHODS,
  type SignInMethod,
} from './session.ts'
export { createKeyRing, type KeyRing } from './signing-keys/key-ring.ts'
export type { PrivateJwk } from './signing-keys/opened-key.ts'
export { addRsaKeys, manageSigningKeys, revokeSigningKey, rotateSigningKey } from './signing-keys/rotate-keys.ts'
export { type SigningKey, type SigningKeyState, signingKeyState, signsUntil } from './signing-keys/signing-key.ts'
export { signingKeyStore } from './signing-keys/signing-key-store.ts'
export { startProductSession, startSession, takeProductSession } from './start.ts'
export { sessionStore } from './store.ts'
export { createTokens, type Tokens } from './tokens.ts'
export { userSessionStore } from './user-session-store.ts'
