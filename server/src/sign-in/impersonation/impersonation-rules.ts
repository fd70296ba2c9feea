/**
 * All that a browser may do at our own host during an impersonation: look, go on to an app of the domain, sign in as oneself (which ends
 * the impersonation), and stop. Anything not listed is refused, so a new page is never open by oversight.
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
    '/auth/forward/start',
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
    '/settings.schema.json',
  ],
  POST: ['/auth/impersonation/stop', '/auth/signout', '/login', '/second-factor', '/passkeys/sign-in', '/passkeys/sign-in/options'],
} as const satisfies Record<string, readonly string[]>

/** Whether a route (its pattern, as in `/auth/provider/:id`) is open during an impersonation. */
export function mayWhileImpersonating(method: string, route: string | undefined): boolean {
  const routes: readonly string[] = method === 'GET' || method === 'HEAD' ? allowed.GET : method === 'POST' ? allowed.POST : []
  return route !== undefined && routes.includes(route)
}

const entrances: readonly string[] = ['/', '/account', '/auth/login', '/auth/forward/start', '/auth/continue', '/admin', '/admin/*']

/**
 * On these routes a browser whose impersonation is over gets its administrator's session back. Other routes belong to something under way
 * that ends by itself.
 */
export function restoresOriginalSession(method: string, route: string | undefined): boolean {
  return method === 'GET' && route !== undefined && (entrances.includes(route) || route.startsWith('/account/'))
}
