/**
 * The time of one turn of the event loop in which work is begun as it arrives, and the time after it for what waits in line. Both are over
 * before the next look at the sockets, so that a check waits for little more than this.
 */
const TURN_MS = 4

/** Answers whether this turn of the event loop has time left. It ends with the next callbacks of `setImmediate`, after those of sockets. */
export function createTurn(now: () => number): () => boolean {
  let beganAt: number | undefined
  const end = () => (beganAt = undefined)
  return () => {
    const at = now()
    if (beganAt === undefined) {
      beganAt = at
      setImmediate(end)
    }
    return at - beganAt < TURN_MS
  }
}
