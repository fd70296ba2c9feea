/** A page waits this long for Portaria if something remembered may be used. */
export const TIMEOUT_MS = 500
/** After a failed call, this long: a quick answer is still used, and a hanging Portaria delays nobody. */
export const TIMEOUT_AFTER_FAULT_MS = 100

/** The answer, if it comes in time; else the known one. The call goes on in the background, and its failure is ignored. */
export function firstOf<T>(asked: Promise<T>, known: T | Promise<T>, waitMs: number): Promise<T> {
  asked.catch(() => undefined)
  let timer: ReturnType<typeof setTimeout> | undefined
  const inTime = new Promise<T>((resolve) => {
    timer = setTimeout(() => resolve(known), waitMs)
  })
  return Promise.race([asked, inTime]).finally(() => clearTimeout(timer))
}
