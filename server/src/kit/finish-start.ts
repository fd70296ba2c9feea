import { flushCompileCache } from 'node:module'

/**
 * Puts away what a start leaves, which stops everything for some tenths of a second: so before the first request. The code that the first
 * start of a version has compiled is kept for the next ones. Garbage is collected: V8 otherwise keeps the memory used for parsing and
 * building, a fifth of the process, until it is short of memory. Without `--expose-gc` it is not: enabling the collector through a second
 * context makes V8 run all code of the process a third slower from then on.
 */
export function finishStart(): void {
  flushCompileCache()
  globalThis.gc?.({ type: 'major', execution: 'sync', flavor: 'last-resort' })
}
