import type { Configuration } from './configuration.ts'

/** A setting that is not as the file says. Values are those of the file's form; `undefined` where there is nothing. */
export interface Difference {
  /** As in `products`, `academy`, `name`. */
  path: readonly string[]
  kind: 'add' | 'change' | 'remove'
  before?: unknown
  after?: unknown
}

/** These are compared as wholes: what the file does not name in them is removed. */
const WHOLE = new Set(['payment_methods', 'gateway_refs', 'logo_light', 'logo_dark', 'favicon', 'touch_icon'])
/** Secrets are compared by whoever can read them. */
const SECRET = new Set(['client_secret', 'secret'])
/** The groups of things that have names of their own. A thing may be named as a setting is: a plan called `secret`. */
const NAMED: ReadonlySet<string> = new Set(['products', 'plans', 'endpoints', 'identity_providers'])
/** What the file says of itself. */
const OF_FILE = new Set(['portaria', 'managed_by'])

/** What the settings lack of what the file declares, both in the canonical form. What it does not name is not compared. */
export function compare(declared: Configuration, current: Configuration): Difference[] {
  return Object.entries(declared)
    .filter(([key]) => !OF_FILE.has(key))
    .flatMap(([key, wanted]) => differ(wanted, (current as Record<string, unknown>)[key] ?? {}, [key]))
}

function differ(wanted: unknown, is: unknown, path: readonly string[]): Difference[] {
  const key = isName(path) ? '' : (path.at(-1) ?? '')
  if (wanted === undefined || SECRET.has(key)) return []
  if (isSettings(wanted) && isSettings(is) && !WHOLE.has(key))
    return Object.entries(wanted).flatMap(([name, value]) => differ(value, Object.hasOwn(is, name) ? is[name] : undefined, [...path, name]))
  if (JSON.stringify(wanted) === JSON.stringify(is)) return []
  return [{ path, kind: is === undefined ? 'add' : 'change', ...(is !== undefined && { before: is }), after: wanted }]
}

/** As in `plans.club` and `products.academy.plans.club`. */
function isName(path: readonly string[]): boolean {
  return (path.length === 2 || (path.length === 4 && path[0] === 'products')) && NAMED.has(path.at(-2) ?? '')
}

function isSettings(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
