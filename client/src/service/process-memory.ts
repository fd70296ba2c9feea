import { BoundedMap } from '../bounded-map.ts'

/** A map of the whole process, since Next loads this package once for pages and once for route handlers, of which one hears a report. */
export function mapOfProcess<Value>(name: string): Map<string, Value> {
  const symbol = Symbol.for(name)
  const map: Map<string, Value> = Reflect.get(globalThis, symbol) ?? new BoundedMap()
  Reflect.set(globalThis, symbol, map)
  return map
}

/**
 * The last event about each user. An answer of Portaria that was asked for before it counts no longer. An id says so whatever the clock
 * does.
 */
export const lastEvents = mapOfProcess<string>('@portaria/client/events')
