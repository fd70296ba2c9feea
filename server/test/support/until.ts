/** How often `until` looks. */
const LOOK_MS = 20
/** For a wait that is no promise: who waits for something that comes need not know how busy the machine is. */
const TIMEOUT_MS = 60_000
/** So much longer may the clock go on than the looks: what hangs is found too. */
const SLOWEST = 10

/**
 * Waits until something is so; throws after `withinMs`. Answers how long it took, in ms. Time is counted by the looks, each of which is as
 * long as the machine lets it be: one that is busy with something else makes no promise break.
 */
export async function until(isSo: () => boolean | Promise<boolean>, withinMs = TIMEOUT_MS): Promise<number> {
  const from = performance.now()
  for (let looks = 0; !(await isSo()); looks++) {
    const isOver = looks * LOOK_MS > withinMs || performance.now() - from > withinMs * SLOWEST
    if (isOver) throw new Error(`not so within ${withinMs} ms: ${isSo.toString()}`)
    await new Promise((resolve) => setTimeout(resolve, LOOK_MS))
  }
  return performance.now() - from
}
