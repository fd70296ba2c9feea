/** So long is a refusal held: a sender that comes again at once comes four times a second, and not as often as a refusal can be made. */
const HELD_MS = 250
/** More are not held, since each keeps its request in memory. */
const MAX_HELD = 2_000

/**
 * Holds refusals of work for which there is no room. Their senders wait, where a refusal at once would have them send anew: hundreds of
 * connections that are refused as fast as they ask take the event loop from all others.
 */
export function holdRefusals(): (refuse: () => void) => void {
  let held = 0
  return (refuse) => {
    if (held === MAX_HELD) return refuse()
    held++
    setTimeout(() => {
      held--
      refuse()
    }, HELD_MS)
  }
}
