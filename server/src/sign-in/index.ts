// sign-in: from an app's redirect to the redirect back.
// Owns: the login page in both variants, the flow that keeps tabs apart, complete-profile, splash, continue, sign-out, the minimal account page.
// Does not own: how a password is checked (accounts), what a session is (sessions), what a target receives (handoff).

export { ASIDE_MS, sealAside } from './acting.ts'
export { findActing, guardActing } from './acting-routes.ts'
export { type BrowserCookies, createBrowserCookies } from './browser.ts'
export { createFlows, type LoginNotice, newFlow } from './flow.ts'
export { accountOfPassword, alert, badge, elsewhere, field, hidden, person } from './parts-of-page.ts'
export { type SignInDeps, signInRoutes } from './routes.ts'
export { newPersonFields } from './sign-up-page.ts'
export { answerSignedIn } from './signed-in-routes.ts'
export { answerForm, countMail, refuseForeign } from './state-change-routes.ts'
export { isFresh, isFreshProof, provingNotice } from './step-up.ts'
export { inMinutes, texts } from './texts.ts'
export { findBoundSession } from './visit.ts'
export type { WayBack } from './way-back.ts'
