// handoff: how a session reaches an app. Owns: the parameters appended to a redirect target, minting eg_token, its one redemption at POST
// /auth/verify. Does not own: the permission to redirect there (products), the session behind a handoff (sessions).
export { appendage, mintHandoff, withParameters } from './mint.ts'
export { handoffRoutes } from './routes.ts'
export { forgetOldRedemptions } from './store.ts'
