import { networkOf } from '../../http/index.ts'
import { MINUTE_MS, type Now, sha256Hex } from '../../kit/index.ts'
import type { LimitStore } from '../../rate-limits/index.ts'

/** The target of a guess, and its origin. */
export interface Guess {
  /** The account's address in its normal form, or the typed text. */
  email: string
  /** The address that the request came from. */
  address: string
  /** The browser's device cookie of that account; `undefined` for a browser in which it never signed in. */
  device: string | undefined
}

export type TooManyAttempts = { refusal: 'too_many_attempts'; retryAfterSeconds: number }

const WINDOW_MS = 15 * MINUTE_MS
const MOST = { accountAndNetwork: 10, network: 100, account: 100, device: 10 } as const

/** Counts an attempt on any secret: passwords, app codes and recovery codes share their counters. */
export interface Attempts {
  /**
   * Counts before the work is done, so that parallel attempts can't pass a limit together. Call `takeBack` after a success. An attempt that
   * one limit refuses counts for no other limit: otherwise one address could fill the account's counter, and lock its owner out everywhere.
   */
  count(guess: Guess): Promise<{ takeBack(): Promise<void> } | TooManyAttempts>
}

export function createAttempts({ limits, now }: { limits: LimitStore; now: Now }): Attempts {
  return {
    async count(guess) {
      const counters = countersOf(guess).map((counter) => ({ ...counter, windowMs: WINDOW_MS }))
      const { within, retryAfterSeconds } = await limits.countAll(counters, now())
      if (!within) return { refusal: 'too_many_attempts', retryAfterSeconds }
      return { takeBack: () => limits.uncount(...counters.map(({ key }) => key)) }
    },
  }
}

/** A browser with the account's device cookie has its own counter instead of the account's, which anyone can fill. */
function countersOf({ email, address, device }: Guess): Array<{ key: string; most: number }> {
  const [account, network] = [sha256Hex(email), networkOf(address)]
  return [
    // First, so that refused attempts leave no row for each typed address.
    { key: `sign-in:network:${network}`, most: MOST.network },
    { key: `sign-in:account+network:${account}:${network}`, most: MOST.accountAndNetwork },
    device === undefined
      ? { key: `sign-in:account:${account}`, most: MOST.account }
      : { key: `sign-in:device:${sha256Hex(device)}`, most: MOST.device },
  ]
}
