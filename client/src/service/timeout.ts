/** So long a view waits for Portaria where something is remembered that may be gone by. */
export const TIMEOUT_MS = 500
/** And so long after a call that failed: one that fails at once, or is back, is heard; one that hangs holds up nobody. */
export const TIMEOUT_AFTER_FAULT_MS = 100

/** The answer, if it comes in time; else the one that is known already. The question goes on behind, and its failure is ignored. */
export function firstOf<T>(asked: Promise<T>, known: T | Promise<T>, waitMs: number): Promise<T> {
  asked.catch(() => undefined)
  let timer: ReturnType<typeof setTimeout> | undefined
  const inTime = new Promise<T>((resolve) => {
    timer = setTimeout(() => resolve(known), waitMs)
  })
  return Promise.race([asked, inTime]).finally(() => clearTimeout(timer))
}
