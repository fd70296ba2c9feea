const MOST = 10_000

/** A map of 10,000 at most, which forgets what was set first when it is full. */
export class BoundedMap<Key, Value> extends Map<Key, Value> {
  override set(key: Key, value: Value): this {
    this.delete(key)
    for (const oldest of this.keys()) {
      if (this.size < MOST) break
      this.delete(oldest)
    }
    return super.set(key, value)
  }
}
