/** Which methods an address takes, for the answer 405. */
export interface RouteTable {
  /** `pattern` as routes are registered: a segment that begins with a colon stands for any. */
  add(pattern: string, methods: readonly string[]): void
  /** The methods of a requested path, in the order of their registration; none for an unknown address. */
  methodsOf(path: string): string[]
}

/**
 * What was asked for is compared as text. A router's own look-up would read it as a pattern: a colon and a parenthesis in an address then
 * are a fault.
 */
export function createRouteTable(): RouteTable {
  const routes: Array<{ segments: string[]; methods: readonly string[] }> = []
  return {
    add: (pattern, methods) => void routes.push({ segments: pattern.split('/'), methods }),
    methodsOf(path) {
      const asked = path.split('/')
      return [...new Set(routes.flatMap(({ segments, methods }) => (fits(segments, asked) ? methods : [])))]
    },
  }
}

function fits(segments: readonly string[], asked: readonly string[]): boolean {
  return (
    segments.length === asked.length && segments.every((segment, i) => segment === asked[i] || (segment.startsWith(':') && asked[i] !== ''))
  )
}
