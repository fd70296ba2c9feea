/** How often something may happen in a window that opens with its first occurrence. */
export interface Limit {
  key: string
  most: number
  windowMs: number
}

export interface LimitStore {
  /**
   * Counts one occurrence and answers whether it is within the limit, in one statement: of any number of concurrent calls, on any number of nodes,
   * at most `most` get `true` in a window. `retryAfterSeconds` is what is left of the window.
   */
  count(limit: Limit, now: number): Promise<{ within: boolean; retryAfterSeconds: number }>
  /** Takes one counted occurrence back: it turned out to be none. */
  uncount(key: string): Promise<void>
  /** Forgets all that was counted under a key. */
  clear(key: string): Promise<void>
}
