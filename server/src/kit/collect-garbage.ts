/**
 * Collects garbage once, which stops everything for some tenths of a second. V8 otherwise keeps the memory used for parsing and building at
 * start, a fifth of the process, until it is short of memory. Does nothing without `--expose-gc`: enabling the collector through a second
 * context makes V8 run all code of the process a third slower from then on.
 */
export function collectGarbage(): void {
  globalThis.gc?.({ type: 'major', execution: 'sync', flavor: 'last-resort' })
}
