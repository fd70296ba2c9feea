import { setImmediate as nextTurn } from 'node:timers/promises'

/** Of some hundred nanoseconds each: well below a millisecond in one turn of the event loop. */
const AT_ONCE = 2_000

/**
 * A map of at most `limit` entries: when full, the oldest written entry goes. Reads do not reorder, so a hit is as cheap as a plain map's.
 */
export class BoundedMap<K, V> {
  readonly #entries = new Map<K, V>()
  readonly #limit: number
  readonly #onEvict: (value: V) => void

  constructor(limit: number, onEvict: (value: V) => void = () => {}) {
    this.#limit = limit
    this.#onEvict = onEvict
  }

  get size(): number {
    return this.#entries.size
  }

  get(key: K): V | undefined {
    return this.#entries.get(key)
  }

  set(key: K, value: V): void {
    const replaced = this.#entries.get(key)
    if (replaced !== undefined) {
      this.#entries.delete(key)
      this.#onEvict(replaced)
    } else if (this.#entries.size >= this.#limit) this.#evictOldest()
    this.#entries.set(key, value)
  }

  delete(key: K): void {
    this.#entries.delete(key)
  }

  /** From the oldest written on, with those that are written meanwhile. */
  entries(): Iterable<[K, V]> {
    return this.#entries.entries()
  }

  values(): Iterable<V> {
    return this.#entries.values()
  }

  clear(): void {
    this.#entries.clear()
  }

  #evictOldest(): void {
    for (const [key, value] of this.#entries) {
      this.#entries.delete(key)
      this.#onEvict(value)
      return
    }
  }
}

/** Does small work for each of very many items, with a turn of the event loop for others in between. Items may come and go meanwhile. */
export async function inTurns<Item>(items: Iterable<Item>, work: (item: Item) => void): Promise<void> {
  let done = 0
  for (const item of items) {
    work(item)
    if (++done % AT_ONCE === 0) await nextTurn()
  }
}
