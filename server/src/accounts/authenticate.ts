import { normaliseEmail } from '../kit/index.ts'
import type { Account } from './account.ts'
import type { Attempts, TooManyAttempts } from './attempts.ts'
import type { DeviceCookies } from './device-cookie.ts'
import type { PasswordHasher } from './passwords.ts'
import type { AccountStore } from './store.ts'

export type AuthenticationRefusal = { refusal: 'wrong_credentials' | 'busy' | 'deletion_pending' } | TooManyAttempts

export interface Attempt {
  email: string
  password: string
  /** Where the attempt came from. */
  address: string
  deviceCookie: string | undefined
}

export type Authentication = (attempt: Attempt) => Promise<{ account: Account } | AuthenticationRefusal>

export interface AuthenticatorDeps {
  accounts: Pick<AccountStore, 'findByEmail'>
  passwords: Pick<PasswordHasher, 'verify'>
  devices: DeviceCookies
  attempts: Attempts
}

/**
 * Checks an address and a password, under the limits on guessing. Unknown, disabled and passwordless accounts cost the same work and get the same answer as a wrong password. Only
 * who knows the password hears that the account is about to be deleted at its person's wish.
 */
export function createAuthenticator({ accounts, passwords, devices, attempts }: AuthenticatorDeps): Authentication {
  return async ({ email, password, address, deviceCookie }) => {
    const normal = normaliseEmail(email)
    const account = await accounts.findByEmail(normal ?? '')
    const device = devices.deviceOf(deviceCookie, account?.id ?? '')
    const counted = await attempts.count({ email: normal ?? email.slice(0, 320), address, device })
    if ('refusal' in counted) return counted
    const mayKnow = account && (account.disabledAt === undefined || account.leavesAt !== undefined)
    const right = await passwords.verify(password, mayKnow ? account.passwordHash : undefined)
    if (right === true || right === 'busy') await counted.takeBack()
    if (right === 'busy') return { refusal: 'busy' }
    if (right && account?.leavesAt !== undefined) return { refusal: 'deletion_pending' }
    return right && account ? { account } : { refusal: 'wrong_credentials' }
  }
}
