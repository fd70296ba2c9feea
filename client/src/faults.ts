import { BoundedMap } from './bounded-map.ts'

const PAUSE_MS = 5_000

/**
 * A listener that hears the same fault at most once in five seconds, since forged tokens must not fill a log. Its own faults, also those of
 * a promise, are ignored: a broken log must sign nobody out.
 */
export function swallowErrors(listener: (message: string) => void, now: () => number): (message: string) => void {
  const reportedAt = new BoundedMap<string, number>()
  const report = async (message: string) => listener(message)
  return (message) => {
    const at = reportedAt.get(message)
    if (at !== undefined && at <= now() && now() < at + PAUSE_MS) return
    reportedAt.set(message, now())
    report(message).catch(() => {}) // nobody is left to hear of this failure
  }
}
