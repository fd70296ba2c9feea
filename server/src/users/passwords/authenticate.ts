import { normaliseEmail } from '../../kit/index.ts'
import type { UserStore } from '../store.ts'
import type { User } from '../user.ts'
import type { Attempts, TooManyAttempts } from './attempts.ts'
import type { DeviceCookies } from './device-cookie.ts'
import { isForeignHash } from './foreign/foreign-hash.ts'
import type { PasswordStore } from './password-store.ts'
import type { PasswordHasher, Place } from './passwords.ts'

/** `userId`: the account that has the address, for the operator alone. */
export type AuthenticationRefusal = { userId: string | undefined } & (
  | { refusal: 'wrong_credentials' | 'busy' | 'deletion_pending' }
  | TooManyAttempts
)

export interface Attempt {
  email: string
  password: string
  /** The address that the attempt came from. */
  address: string
  deviceCookie: string | undefined
}

export type Authentication = (attempt: Attempt) => Promise<{ user: User } | AuthenticationRefusal>

export interface AuthenticatorDeps {
  users: Pick<UserStore, 'findByEmail' | 'findById'>
  hashes: Pick<PasswordStore, 'listForeignCosts' | 'replaceForeignHash'>
  passwords: Pick<PasswordHasher, 'enter'>
  devices: DeviceCookies
  attempts: Attempts
}

/**
 * Checks an address and a password, under the limits on guessing. Unknown, disabled and passwordless accounts cost the same work and get
 * the same answer as a wrong password. Only a user who knows the password learns of a pending deletion.
 */
export function createAuthenticator({ users, hashes, passwords, devices, attempts }: AuthenticatorDeps): Authentication {
  const judge = async ({ email, password, address, deviceCookie }: Attempt, place: Place) => {
    const normal = normaliseEmail(email)
    const user = await users.findByEmail(normal ?? '')
    const device = devices.deviceOf(deviceCookie, user?.id ?? '')
    const counted = await attempts.count({ email: normal ?? email.slice(0, 320), address, device })
    if ('refusal' in counted) return { ...counted, userId: user?.id }
    const mayKnow = user && (user.disabledAt === undefined || user.leavesAt !== undefined)
    const foreignCosts = await hashes.listForeignCosts()
    const right = await place.verify(password, mayKnow ? user.passwordHash : undefined, foreignCosts)
    if (right) await counted.takeBack()
    if (right && user?.leavesAt !== undefined) return { refusal: 'deletion_pending' as const, userId: user.id }
    const withOurs = right && user ? await useOurHash(user, password, { users, hashes, place }) : undefined
    return withOurs ? { user: withOurs } : { refusal: 'wrong_credentials' as const, userId: user?.id }
  }
  return async (attempt) => {
    // Before any read or write: under a flood most attempts are refused here, and a refusal must cost less than an answer.
    const place = passwords.enter()
    if (place === 'busy') return { refusal: 'busy', userId: undefined }
    try {
      return await judge(attempt, place)
    } finally {
      place.leave()
    }
  }
}

/** The user with a hash of ours in place of a foreign one; `undefined` when the password was changed in between. */
async function useOurHash(
  user: User,
  password: string,
  { users, hashes, place }: Pick<AuthenticatorDeps, 'users' | 'hashes'> & { place: Place },
): Promise<User | undefined> {
  const { id, passwordHash } = user
  if (passwordHash === undefined || !isForeignHash(passwordHash)) return user
  const hash = await place.hash(password)
  if (await hashes.replaceForeignHash(id, passwordHash, hash)) return { ...user, passwordHash: hash }
  // A second sign-in at the same moment has replaced it already.
  const now = await users.findById(id)
  return now && (await place.verify(password, now.passwordHash)) ? now : undefined
}
