/** So long is a refusal held: a sender that comes again at once comes four times a second, and not as often as a refusal can be made. */
const HELD_MS = 200
/** And so much longer at most: those that came together are not refused in one turn of the event loop. */
const APART_MS = 100
/** More are not held, since each keeps its request in memory, of up to 256 KB. */
const MAX_HELD = 1_000

/**
 * Holds refusals of work for which there is no room. Their senders wait, where a refusal at once would have them send anew: hundreds of
 * connections that are refused as fast as they ask take the event loop from all others.
 */
export function holdRefusals(): (refuse: () => void) => void {
  let held = 0
  return (refuse) => {
    if (held === MAX_HELD) return refuse()
    held++
    setTimeout(
      () => {
        held--
        refuse()
      },
      HELD_MS + Math.random() * APART_MS,
    )
  }
}
