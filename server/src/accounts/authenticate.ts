import { type LimitStore, networkOf } from '../http/index.ts'
import { MINUTE_MS, type Now, normaliseEmail, sha256Hex } from '../kit/index.ts'
import type { Account } from './account.ts'
import type { DeviceCookies } from './device-cookie.ts'
import type { PasswordHasher } from './passwords.ts'
import type { AccountStore } from './store.ts'

export type AuthenticationRefusal = { refusal: 'wrong_credentials' | 'busy' } | { refusal: 'too_many_attempts'; retryAfterSeconds: number }

export interface Attempt {
  email: string
  password: string
  /** Where the attempt came from. */
  address: string
  deviceCookie: string | undefined
}

export type Authentication = (attempt: Attempt) => Promise<{ account: Account } | AuthenticationRefusal>

const WINDOW_MS = 15 * MINUTE_MS
const MOST = { accountAndNetwork: 10, network: 100, account: 100, device: 10 } as const

export interface AuthenticatorDeps {
  accounts: Pick<AccountStore, 'findByEmail'>
  passwords: Pick<PasswordHasher, 'verify'>
  devices: DeviceCookies
  limits: LimitStore
  now: Now
}

/**
 * Checks an address and a password. Every attempt is counted before the work is done and taken back if it succeeds, so that attempts in parallel can't
 * get past a limit together. One that a limit refuses is no failure and counts for no other limit: a single address could otherwise fill the account's
 * counter, and lock its owner out everywhere. Unknown, disabled and passwordless accounts cost the same work and get the same answer as a wrong password.
 */
export function createAuthenticator(deps: AuthenticatorDeps): Authentication {
  const { accounts, passwords, devices, limits, now } = deps
  return async ({ email, password, address, deviceCookie }) => {
    const normal = normaliseEmail(email)
    const account = await accounts.findByEmail(normal ?? '')
    const device = devices.deviceOf(deviceCookie, account?.id ?? '')
    const counters = countersOf(normal ?? email.slice(0, 320), networkOf(address), device)
    const counted: string[] = []
    const takeBack = async () => {
      for (const key of counted) await limits.uncount(key)
    }
    for (const limit of counters) {
      const { within, retryAfterSeconds } = await limits.count({ ...limit, windowMs: WINDOW_MS }, now())
      if (!within) {
        await takeBack()
        return { refusal: 'too_many_attempts', retryAfterSeconds }
      }
      counted.push(limit.key)
    }
    const right = await passwords.verify(password, account?.disabledAt === undefined ? account?.passwordHash : undefined)
    if (right === true || right === 'busy') await takeBack()
    if (right === 'busy') return { refusal: 'busy' }
    return right && account ? { account } : { refusal: 'wrong_credentials' }
  }
}

/** A browser with the account's device cookie has a counter of its own in place of the account's, which anyone can fill. */
function countersOf(email: string, network: string, device: string | undefined): Array<{ key: string; most: number }> {
  const account = sha256Hex(email)
  return [
    { key: `sign-in:account+network:${account}:${network}`, most: MOST.accountAndNetwork },
    { key: `sign-in:network:${network}`, most: MOST.network },
    device === undefined
      ? { key: `sign-in:account:${account}`, most: MOST.account }
      : { key: `sign-in:device:${sha256Hex(device)}`, most: MOST.device },
  ]
}
