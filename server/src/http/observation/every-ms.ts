/**
 * Answers a function that calls `read` once in so many ms, and gives its answer or fault to every call meanwhile. A database that is silent
 * is asked once: while `read` has no answer, it is not called again.
 */
export function everyMs<T>(ms: number, read: () => Promise<T>): () => Promise<T> {
  let last: Promise<T> | undefined
  let nextAt = 0
  const readAgain = () => {
    nextAt = Number.POSITIVE_INFINITY
    const beganAt = performance.now()
    return read().finally(() => (nextAt = beganAt + ms))
  }
  return () => {
    if (!last || performance.now() >= nextAt) last = readAgain()
    return last
  }
}
