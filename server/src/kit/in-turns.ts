import { setImmediate as nextTurn } from 'node:timers/promises'

/** Of some hundred nanoseconds each: well below a millisecond in one turn of the event loop. */
const AT_ONCE = 2_000

/** Does small work for each of very many items, with a turn of the event loop for others in between. Items may come and go meanwhile. */
export async function inTurns<Item>(items: Iterable<Item>, work: (item: Item) => void): Promise<void> {
  let done = 0
  for (const item of items) {
    work(item)
    if (++done % AT_ONCE === 0) await nextTurn()
  }
}
