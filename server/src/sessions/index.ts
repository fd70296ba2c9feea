// sessions: who is signed in, and the tokens that say so. Owns: session rows, eg_session and access tokens, handoff tokens' form, signing
// keys and JWKS, live claims and the check, ending sessions. Does not own: authentication (users, identity-providers), where a token may be
// sent (products, handoff).

export { sessionAudience } from './audience.ts'
export { type Checks, createChecks } from './check/check.ts'
export { flushLastSeen, LAST_SEEN_FLUSH_MS } from './check/last-seen.ts'
export { createLiveSessions, type LiveSessions } from './check/live-sessions.ts'
export { createOpenedApps, type OpenedApps } from './check/opened-apps.ts'
export {
  type EndReason,
  endEverySession,
  endOtherSessions,
  endPasskeySessions,
  endProductSessions,
  endSession,
  endSessionsOfClient,
  endSessionsOfUser,
} from './end.ts'
export { endExpiredImpersonations, endImpersonations, startImpersonation } from './impersonation.ts'
export { deliverLogoutJob } from './logout/deliver-logout.ts'
export { recordHandover, recordHeldHandover } from './logout/record-handover.ts'
export { mintSessionToken } from './mint.ts'
export { sessionRoutes } from './routes.ts'
export { IMPERSONATION_SECONDS, type Impersonator, type LiveSession, SESSION_SECONDS } from './session.ts'
export { createKeyRing, type KeyRing, type PrivateJwk } from './signing-keys/key-ring.ts'
export { addRsaKeys, manageSigningKeys, revokeSigningKey, rotateSigningKey } from './signing-keys/rotate-keys.ts'
export { type SigningKey, type SigningKeyState, signingKeyState, signsUntil } from './signing-keys/signing-key.ts'
export { signingKeyStore } from './signing-keys/signing-key-store.ts'
export { startProductSession, startSession, takeProductSession } from './start.ts'
export { sessionStore } from './store.ts'
export { createTokens, type Tokens } from './tokens.ts'
export { type OwnSession, userSessionStore } from './user-session-store.ts'
