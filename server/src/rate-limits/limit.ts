/** How often something may happen in a window that opens with its first occurrence. */
export interface Limit {
  key: string
  most: number
  windowMs: number
}

export interface LimitStore {
  /**
   * Counts one occurrence and answers whether it is within the limit, in one statement: of any number of concurrent calls, on any number of
   * nodes, at most `most` get `true` in a window. `retryAfterSeconds` is what is left of the window.
   */
  count(limit: Limit, now: number): Promise<{ within: boolean; retryAfterSeconds: number }>
  /**
   * The same with several limits: it counts against all of them, or against none, in one statement. What is past a limit already is refused
   * by reading alone. One at least, no key twice.
   */
  countAll(limits: readonly Limit[], now: number): Promise<{ within: boolean; retryAfterSeconds: number }>
  /** Takes one counted occurrence back under each key: it turned out to be none. */
  uncount(...keys: string[]): Promise<void>
  /** Forgets all that was counted under a key. */
  clear(key: string): Promise<void>
}
