/** A map that forgets what was set first when it is full. */
export class BoundedMap<Key, Value> extends Map<Key, Value> {
  readonly #most: number

  constructor(most: number) {
    super()
    this.#most = most
  }

  override set(key: Key, value: Value): this {
    this.delete(key)
    for (const oldest of this.keys()) {
      if (this.size < this.#most) break
      this.delete(oldest)
    }
    return super.set(key, value)
  }
}
