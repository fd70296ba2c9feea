import type { Configuration } from './configuration.ts'

/** A setting that differs from the file. Values are in the file's form; `undefined` where there is none. */
export interface Difference {
  /** As in `products`, `academy`, `name`. */
  path: readonly string[]
  kind: 'add' | 'change' | 'remove'
  before?: unknown
  after?: unknown
}

/** These are compared as wholes: values that the file leaves out are removed from them. */
const WHOLE = new Set(['payment_methods', 'gateway_refs', 'logo_light', 'logo_dark', 'favicon', 'touch_icon'])
/** Secrets are not compared here, but in `planChanges`, which can read them. */
const SECRET = new Set(['client_secret', 'secret'])
/** The groups of objects that have names of their own. An object may have the name of a setting: a plan called `secret`. */
const NAMED: ReadonlySet<string> = new Set(['products', 'plans', 'endpoints', 'identity_providers'])
/** The fields that are about the file itself. They are not compared. */
const OF_FILE = new Set(['portaria', 'managed_by'])

/** The differences between a file and the settings, both in the canonical form. Settings that the file does not name are not compared. */
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
