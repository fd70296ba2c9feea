import { recordAudit } from '../../audit/index.ts'
import type { Now } from '../../kit/index.ts'
import type { Storage } from '../../storage/index.ts'
import type { Attempts, TooManyAttempts } from '../passwords/attempts.ts'
import type { DeviceCookies } from '../passwords/device-cookie.ts'
import { userStore } from '../store.ts'
import type { User } from '../user.ts'
import { mintChallenge, takeChallenge } from './passkey-challenge.ts'
import { type Passkey, passkeyStore } from './passkey-store.ts'
import { relyingPartyOf, requestOptions, userHandleOf } from './webauthn.ts'
import { type Assertion, parseAssertion, verifyAssertion } from './webauthn-responses.ts'

export interface PasskeyDeps {
  storage: Storage
  baseUrl: string
  now: Now
}

export interface PasskeyAttempt {
  /** The device's answer as the browser posts it, as JSON. */
  credential: string
  /** Hash of the browser's flow cookie. */
  browser: string
  /** The address that the request came from. */
  address: string
  deviceCookie: string | undefined
}

/**
 * `deletion_pending`: only the holder of the key learns that the account is about to be deleted at its user's wish. `userId`: the account
 * of the passkey, for the operator alone.
 */
export type PasskeyRefusal = { userId: string | undefined } & ({ refusal: 'wrong_passkey' | 'deletion_pending' } | TooManyAttempts)

/** The options with which a browser asks a device for a signature. They name no account, so they reveal nothing about anyone. */
export async function beginPasskeySignIn(browser: string, { storage, baseUrl, now }: PasskeyDeps): Promise<unknown> {
  const challenge = await mintChallenge(storage.db, forSignIn(browser), now())
  return requestOptions(challenge, relyingPartyOf(baseUrl))
}

function forSignIn(browser: string) {
  return { purpose: 'sign_in', userId: undefined, place: browser } as const
}

/**
 * Verifies a device's signature. Failures share the counters of the account's password. An unknown key has the counters of an unknown
 * account, so that it gets the same answers. The first answer uses a challenge up.
 */
export async function verifyPasskey(
  { credential, browser, address, deviceCookie }: PasskeyAttempt,
  deps: PasskeyDeps & { attempts: Attempts; devices: DeviceCookies },
): Promise<{ user: User; credentialId: string } | PasskeyRefusal> {
  const { storage, attempts, devices, now } = deps
  const assertion = parseAssertion(credential)
  const passkey = assertion && (await passkeyStore(storage.db).find(assertion.id))
  const user = passkey && (await userStore(storage.db).findById(passkey.userId))
  const device = devices.deviceOf(deviceCookie, user?.id ?? '')
  const counted = await attempts.count({ email: user?.email ?? `passkey:${assertion?.id}`, address, device })
  if ('refusal' in counted) return { ...counted, userId: user?.id }
  const isOurs = assertion && (await takeChallenge(storage.db, assertion.challenge, forSignIn(browser), now()))
  const mayKnow = user && (user.disabledAt === undefined || user.leavesAt !== undefined)
  if (!isOurs || !mayKnow || !(await use(assertion, passkey, { ...deps, address }))) return { refusal: 'wrong_passkey', userId: user?.id }
  await counted.takeBack()
  return user.leavesAt === undefined ? { user, credentialId: passkey.id } : { refusal: 'deletion_pending', userId: user.id }
}

async function use(
  assertion: Assertion,
  passkey: Passkey,
  { storage, baseUrl, now, address }: PasskeyDeps & { address: string },
): Promise<boolean> {
  if (assertion.response.userHandle !== userHandleOf(passkey.userId)) return false
  const signed = await verifyAssertion(assertion, passkey, relyingPartyOf(baseUrl))
  if (!signed) return false
  const passkeys = passkeyStore(storage.db)
  if (await passkeys.use(passkey.id, signed, now())) return true
  if (!(await passkeys.find(passkey.id))) return false
  // The signature is right and its count is not: two devices hold this key.
  const entry = { actor: `user:${passkey.userId}`, action: 'user.passkey_counter_back', target: passkey.userId, ip: address }
  const counts = { before: { counter: passkey.counter }, after: { counter: signed.counter } }
  await storage.transaction((tx) => recordAudit(tx, { ...entry, ...counts }, now()))
  return false
}
