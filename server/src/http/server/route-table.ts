/** The methods of each address, for the answer 405. */
export interface RouteTable {
  /** `pattern` as in registered routes: a segment that begins with a colon matches any. */
  add(pattern: string, methods: readonly string[]): void
  /** The methods of a requested path, in the order of their registration; none for an unknown address. */
  methodsOf(path: string): string[]
}

/**
 * The request is compared as text. A router's own look-up would read it as a pattern, and a colon or parenthesis in an address would then
 * be a fault.
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
