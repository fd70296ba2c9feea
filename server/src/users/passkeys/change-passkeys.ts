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

/** As many as a user may have: so many devices one has, and a page can list them. */
const MAX_PASSKEYS = 20
const MAX_CHARACTERS = 60

/** Whose key is to be made, in which session of theirs. */
interface Asking {
  user: User
  sessionId: string
}

/** What a browser needs to have a device make a key for this account. The caller has seen that the user has just authenticated. */
export async function beginPasskey({ user, sessionId }: Asking, { storage, baseUrl, now }: PasskeyDeps): Promise<unknown> {
  const challenge = await mintChallenge(storage.db, toAdd(user, sessionId), now())
  const known = await passkeyStore(storage.db).listOfUser(user.id)
  return creationOptions({ challenge, user, known }, relyingPartyOf(baseUrl))
}

function toAdd({ id: userId }: User, place: string) {
  return { purpose: 'add', userId, place } as const
}

/** Checks what a device has made. Uses the challenge up. `undefined` when anything is wrong with it; nothing is kept yet. */
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
 * Gives an account a key that has just been verified. Everything mailed before dies: it was sent to who had less to show. The caller has
 * held the account, and with it everyone who would take its passkeys away. `known`: an account has this very key.
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

/**
 * Takes a key away. `last_sign_in_method`: without it nobody could sign in to the account any more. `gone`: it is not theirs, or no longer.
 */
export async function removePasskey(
  tx: Transaction,
  { id: userId }: User,
  credentialId: string,
  { now, ip }: { now: Now; ip: string },
): Promise<'removed' | 'last_sign_in_method' | 'gone'> {
  // Held, so that of two removals at once the second sees the first.
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
