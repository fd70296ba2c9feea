import type { WorkClass } from '../../rate-limits/index.ts'

/** The first that fits counts. What fits none is a page. */
const PATTERNS: ReadonlyArray<readonly [WorkClass | undefined, RegExp]> = [
  // Those who watch over the service have to get an answer in a storm, too.
  [undefined, / \/(healthz|readyz|metrics)$/],
  ['passwords', /^POST \/(login|sign-up|verify|reset-password|invitation|setup|account\/password)$/],
  ['notifications', /^POST \/api\/webhooks?\//],
  ['providers', / \/auth\/(provider\/:id|callback)$/],
  ['admin', / \/(api\/)?admin(\/|$)/],
  ['checks', / \/(auth\/(verify|token)$|api\/|openid\/(token|userinfo|introspect|revoke|par)$|\.well-known\/(?!change-password))/],
]

/** The class of work of a route, by its method and its pattern; `undefined` for a route that is never shed. */
export function workClassOf(method: string, pattern: string): WorkClass | undefined {
  const route = `${method} ${pattern}`
  const found = PATTERNS.find(([, fits]) => fits.test(route))
  return found ? found[0] : 'pages'
}
