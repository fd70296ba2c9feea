/**
 * Gives back what is not needed any more, once, while everything else stands still for some tenths of a second: V8 keeps the room in which
 * a start has parsed and built everything, a fifth of the process, until it is short of memory. Does nothing where `--expose-gc` was not
 * given: to get at the collector by a second context makes V8 run all code of the process a third slower from then on.
 */
export function collectGarbage(): void {
  globalThis.gc?.({ type: 'major', execution: 'sync', flavor: 'last-resort' })
}
