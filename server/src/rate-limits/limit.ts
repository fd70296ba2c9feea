/** How often something may happen in a window that opens with its first occurrence. */
export interface Limit {
  key: string
  most: number
  windowMs: number
}

export interface LimitStore {
  /**
   * Counts one occurrence and answers whether it is within the limit, in one statement: of any number of concurrent calls, on any number of
   * nodes, at most `most` get `true` in a window. `retryAfterSeconds` is the rest of the window.
   */
  count(limit: Limit, now: number): Promise<{ within: boolean; retryAfterSeconds: number }>
  /**
   * The same with several limits: it counts against all of them, or against none, in one statement. An exceeded limit refuses by a read
   * alone. Give at least one, and no key twice.
   */
  countAll(limits: readonly Limit[], now: number): Promise<{ within: boolean; retryAfterSeconds: number }>
  /** Takes one counted occurrence back under each key, for an attempt that succeeded. */
  uncount(...keys: string[]): Promise<void>
  /** Forgets the count of a key. */
  clear(key: string): Promise<void>
}
