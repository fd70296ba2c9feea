// sign-in: from an app's redirect to the redirect back.
// Owns: the login page in both variants, the flow that keeps tabs apart, complete-profile, splash, continue, sign-out, the minimal account page.
// Does not own: how a password is checked (accounts), what a session is (sessions), what a target receives (handoff).

export { type BrowserCookies, createBrowserCookies } from './browser.ts'
export { createFlows } from './flow.ts'
export { signInRoutes } from './routes.ts'
export { findBoundSession } from './visit.ts'
