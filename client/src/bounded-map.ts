/** A map that forgets what was set first when it is full. */
export class BoundedMap<Key, Value> {
  readonly #map = new Map<Key, Value>()
  readonly #most: number

  constructor(most: number) {
    this.#most = most
  }

  get(key: Key): Value | undefined {
    return this.#map.get(key)
  }

  set(key: Key, value: Value): void {
    this.#map.delete(key)
    const oldest = this.#map.size >= this.#most ? this.#map.keys().next() : undefined
    if (oldest && !oldest.done) this.#map.delete(oldest.value)
    this.#map.set(key, value)
  }

  delete(key: Key): void {
    this.#map.delete(key)
  }
}
