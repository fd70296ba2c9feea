/**
 * All that a browser may ask of our own host while an administrator acts for somebody in it: to look, to go on to an app of the domain, to
 * sign in as oneself (which ends the impersonation), and to stop. What is not here is refused, so that a page made tomorrow is not open by
 * oversight.
 */
const allowed = {
  GET: [
    '/',
    '/account',
    '/account/sessions',
    '/account/purchases',
    '/account/consents',
    '/account/providers',
    '/auth/login',
    '/auth/continue',
    '/auth/signout',
    '/login',
    '/second-factor',
    '/auth/provider/:id',
    '/auth/callback',
    '/admin/sign-in',
    '/admin/authenticate',
    '/docs',
    '/docs/:page',
    '/docs/:folder/:page',
    '/llms.txt',
    '/docs.css',
    '/openapi.json',
  ],
  POST: ['/auth/impersonation/stop', '/auth/signout', '/login', '/second-factor', '/passkeys/sign-in', '/passkeys/sign-in/options'],
} as const satisfies Record<string, readonly string[]>

/** Whether a route (its pattern, as in `/auth/provider/:id`) is open to whoever acts for somebody. */
export function mayWhileImpersonating(method: string, route: string | undefined): boolean {
  const routes: readonly string[] = method === 'GET' || method === 'HEAD' ? allowed.GET : method === 'POST' ? allowed.POST : []
  return route !== undefined && routes.includes(route)
}

const entrances: readonly string[] = ['/', '/account', '/auth/login', '/auth/continue', '/admin', '/admin/*']

/**
 * Where a browser whose acting is over gets its administrator's session back; anywhere else something is under way that has an end of its
 * own.
 */
export function restoresOriginalSession(method: string, route: string | undefined): boolean {
  return method === 'GET' && route !== undefined && (entrances.includes(route) || route.startsWith('/account/'))
}
