import { networkOf } from '../../http/index.ts'
import { MINUTE_MS, type Now, sha256Hex } from '../../kit/index.ts'
import type { LimitStore } from '../../rate-limits/index.ts'

/** Whose secret is being guessed, and from where. */
export interface Guess {
  /** The account's address in its normal form, or what was typed. */
  email: string
  /** Where it came from. */
  address: string
  /** The browser's device of that account; `undefined` for one that it has not signed in from. */
  device: string | undefined
}

export type TooManyAttempts = { refusal: 'too_many_attempts'; retryAfterSeconds: number }

const WINDOW_MS = 15 * MINUTE_MS
const MOST = { accountAndNetwork: 10, network: 100, account: 100, device: 10 } as const

/** Counts an attempt, whatever is guessed: passwords, codes of apps and recovery codes share their counters. */
export interface Attempts {
  /**
   * Counts before the work is done, so that attempts in parallel can't get past a limit together. `takeBack` when it succeeded. One that a
   * limit refuses is no failure and counts for no other limit: a single address could otherwise fill the account's counter, and lock its
   * owner out everywhere.
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

/** A browser with the account's device cookie has a counter of its own in place of the account's, which anyone can fill. */
function countersOf({ email, address, device }: Guess): Array<{ key: string; most: number }> {
  const [account, network] = [sha256Hex(email), networkOf(address)]
  return [
    // First, so that what it refuses leaves no row for each address that was typed.
    { key: `sign-in:network:${network}`, most: MOST.network },
    { key: `sign-in:account+network:${account}:${network}`, most: MOST.accountAndNetwork },
    device === undefined
      ? { key: `sign-in:account:${account}`, most: MOST.account }
      : { key: `sign-in:device:${sha256Hex(device)}`, most: MOST.device },
  ]
}
