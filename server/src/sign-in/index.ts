// sign-in: from an app's redirect to the redirect back. Owns: the flow that keeps tabs apart, its guards, login in both variants, sign-up,
// recovery, complete-profile, splash, continue, sign-out, impersonation in the browser. Does not own: checking a password (users), sessions
// (sessions), the parameters for a target (handoff), a user's own pages (my-account).

export { consentedScopes, lacksConsent, sharedScopes } from './continue/sharing.ts'
export { type BrowserCookies, createBrowserCookies } from './flow/browser-cookies.ts'
export { answerSignedIn } from './flow/complete-sign-in.ts'
export { deviceLabel } from './flow/device.ts'
export { type Flow, type LoginNotice, newFlow } from './flow/flow.ts'
export { hasRecentAuth, holdSignedInUser, isRecentAuth, recentAuthNotice, type SignedInUser } from './flow/recent-auth.ts'
export type { ReturnPage } from './flow/return-page.ts'
export {
  busyPage,
  FOREIGN_ORIGIN,
  lang,
  passkeyCredential,
  passkeyOptions,
  ticket,
  ticketPage,
  tooMany,
  tooManyPage,
  UNREADABLE,
} from './flow/schemas.ts'
export { createFlows } from './flow/sealed-flow.ts'
export { findBoundSession, openFlow, type SignInAttempt } from './flow/sign-in-attempt.ts'
export { countMail, countPasskeyWork } from './guards/count-guards.ts'
export { answerForm, refuseForeign } from './guards/form-guards.ts'
export type { CompleteSignInDeps, GuardDeps } from './guards/guard-deps.ts'
export { createGuards } from './guards/guards.ts'
export { answerGone, type MailedLink } from './guards/mailed-link-guards.ts'
export { FAILED_SIGN_INS, isFailedSignIn } from './guards/outcome-guards.ts'
export { noteProduct } from './guards/product-guards.ts'
export { askToSignIn } from './guards/recent-auth-guards.ts'
export { findImpersonation, guardImpersonation } from './impersonation/impersonation-routes.ts'
export { ORIGINAL_SESSION_MS, sealOriginalSession } from './impersonation/original-session.ts'
export { loginPage } from './login/login-page.ts'
export { mailPasswordChanged } from './recovery/new-password-routes.ts'
export { signInRoutes } from './routes.ts'
export { signOutBrowser } from './sign-out/sign-out-routes.ts'
export { signedOutPage } from './sign-out/signed-out-page.ts'
export { newUserFields } from './sign-up/new-user-fields.ts'
export { signUpPage } from './sign-up/sign-up-page.ts'
