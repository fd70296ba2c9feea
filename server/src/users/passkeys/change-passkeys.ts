import { recordAudit } from '../../audit/index.ts'
import type { Now } from '../../kit/index.ts'
import type { Transaction } from '../../storage/index.ts'
import { countSignInMethods } from '../sign-in-methods.ts'
import { userStore } from '../store.ts'
import { ticketStore } from '../tickets/ticket-store.ts'
import type { User } from '../user.ts'
import { mintChallenge, takeChallenge } from './passkey-challenge.ts'
import { type Passkey, passkeyStore } from './passkey-store.ts'
import type { PasskeyDeps } from './verify-passkey.ts'
import { creationOptions, relyingPartyOf } from './webauthn.ts'
import { parseCreation, verifyCreation } from './webauthn-responses.ts'

/** The most a user may have: nobody has so many devices, and a page can list them. */
const MAX_PASSKEYS = 20
const MAX_CHARACTERS = 60

/** The user who adds a key, and the session in which they do. */
interface Asking {
  user: User
  sessionId: string
}

/**
 * The options with which a browser has a device make a key for this account. The caller has checked that the authentication is recent. Some
 * devices show `name`, the service's.
 */
export async function beginPasskey(
  { user, sessionId }: Asking,
  { storage, baseUrl, name, now }: PasskeyDeps & { name: string },
): Promise<unknown> {
  const challenge = await mintChallenge(storage.db, toAdd(user, sessionId), now())
  const known = await passkeyStore(storage.db).listOfUser(user.id)
  return creationOptions({ challenge, user, known }, { ...relyingPartyOf(baseUrl), name })
}

function toAdd({ id: userId }: User, place: string) {
  return { purpose: 'add', userId, place } as const
}

/** Verifies a device's new key. Uses the challenge up. `undefined` when anything is wrong with it; nothing is stored yet. */
export async function verifyNewPasskey(
  credential: string,
  { user, sessionId }: Asking,
  { storage, baseUrl, now }: PasskeyDeps,
): Promise<NewPasskey | undefined> {
  const creation = parseCreation(credential)
  const isOurs = creation && (await takeChallenge(storage.db, creation.challenge, toAdd(user, sessionId), now()))
  return isOurs ? verifyCreation(creation, relyingPartyOf(baseUrl)) : undefined
}

export type NewPasskey = Pick<Passkey, 'id' | 'publicKey' | 'counter' | 'transports' | 'isBackedUp'>

/**
 * Gives an account a key that has just been verified. All mailed links become void: they were sent when less was needed to sign in. The
 * caller has held the account's row, which blocks every removal of its passkeys. `known`: an account has this very key.
 */
export async function addPasskey(
  tx: Transaction,
  { user, passkey, name }: { user: User; passkey: NewPasskey; name: string },
  { now, ip }: { now: Now; ip: string },
): Promise<'added' | 'too_many' | 'known'> {
  const passkeys = passkeyStore(tx)
  if ((await passkeys.countOfUser(user.id)) >= MAX_PASSKEYS) return 'too_many'
  const kept = { ...passkey, userId: user.id, name, createdAt: now(), lastUsedAt: undefined }
  if (!(await passkeys.insert(kept))) return 'known'
  await ticketStore(tx).removeOfUser(user.id)
  await recordAudit(tx, { actor: `user:${user.id}`, action: 'user.passkey_added', target: user.id, after: { name }, ip }, now())
  return 'added'
}

/** A name as its user typed it, in one line; `fallback` where nothing is left of it. */
export function passkeyName(typed: string, fallback: string): string {
  const line = typed.replace(/[\p{Cc}\p{Cf}\p{Default_Ignorable_Code_Point}\s]+/gu, ' ').trim()
  return [...line].slice(0, MAX_CHARACTERS).join('').trim() || fallback
}

/** Removes a key. `last_sign_in_method`: without it nobody could sign in to the account. `gone`: it is not this user's, or no longer. */
export async function removePasskey(
  tx: Transaction,
  { id: userId }: User,
  credentialId: string,
  { now, ip }: { now: Now; ip: string },
): Promise<'removed' | 'last_sign_in_method' | 'gone'> {
  // Held, so that of two concurrent removals the second sees the first.
  if (!(await userStore(tx).hold(userId))) return 'gone'
  const passkey = await passkeyStore(tx).find(credentialId)
  if (passkey?.userId !== userId) return 'gone'
  if ((await countSignInMethods(tx, userId)) < 2) return 'last_sign_in_method'
  await passkeyStore(tx).remove(credentialId, userId)
  await ticketStore(tx).removeOfUser(userId)
  const { name } = passkey
  await recordAudit(tx, { actor: `user:${userId}`, action: 'user.passkey_removed', target: userId, before: { name }, ip }, now())
  return 'removed'
}
