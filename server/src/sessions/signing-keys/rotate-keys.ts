import { type Actor, recordAudit } from '../../audit/index.ts'
import type { ChangeFeed } from '../../changes/index.ts'
import type { Now, Sealer } from '../../kit/index.ts'
import { type Storage, takeLock } from '../../storage/index.ts'
import { nextKeyAt, nextKeyDue, PUBLISHED_AHEAD_MS, type RsaKey, type SigningKey, signingKeyAt } from './signing-key.ts'
import { signingKeyStore } from './signing-key-store.ts'
import { mintSigningPair } from './signing-pair.ts'

interface Deps {
  storage: Storage
  changes: ChangeFeed
  sealer: Sealer
  now: Now
  actor: Actor
}

/** Makes the first key, or the next one when it is due. Any number of nodes may call it at once: one key is made. */
export async function manageSigningKeys(deps: Deps): Promise<void> {
  if (nextKeyDue(await signingKeyStore(deps.storage.db).list(), deps.now()) === undefined) return
  await addKey(deps, (keys) => nextKeyDue(keys, deps.now()))
}

/**
 * Makes a key that signs in a day, when every verifier has it; refused while such a key waits already. `at: 'once'` is for an emergency,
 * when verifiers must fetch it at its first token: a key that waits doesn't stand against it, and follows at its own time.
 */
export async function rotateSigningKey({ at }: { at: 'once' | 'a_day_ahead' }, deps: Deps): Promise<SigningKey | NextKeyWaits> {
  const signsFrom = deps.now() + (at === 'once' ? 0 : PUBLISHED_AHEAD_MS)
  let waiting: SigningKey | undefined
  const key = await addKey(deps, (keys) => {
    waiting = at === 'once' ? undefined : nextKeyAt(keys, deps.now())
    return waiting ? undefined : signsFrom
  })
  if (key) return key
  if (waiting) return { refusal: 'next_key_waits', signsFrom: waiting.signsFrom, kid: waiting.kid }
  throw new Error('a key that was asked for was not made')
}

/** Nothing was made: this key is published already and signs from then on. */
export interface NextKeyWaits {
  refusal: 'next_key_waits'
  kid: string
  signsFrom: number
}

/** Makes a key and all tokens it has signed unusable for ever. If it was the signing key, a fresh one begins at once. */
export async function revokeSigningKey(kid: string, deps: Deps): Promise<'revoked' | 'not_found'> {
  const { storage, changes, now, actor } = deps
  const spare = await makeKey(deps, now())
  return changes.transaction(async (tx, announce) => {
    await takeLock(tx, 'signingKeys', storage)
    const keys = signingKeyStore(tx)
    const all = await keys.list()
    const before = all.find((key) => key.kid === kid)
    if (!before || !(await keys.revoke(kid, now()))) return 'not_found'
    // Not the key before it: that may be just as old, or known to the same thief.
    if (signingKeyAt(all, now())?.kid === kid) await keys.insert(spare)
    await recordAudit(tx, { actor, action: 'signing_key.revoke', target: kid, before: { signsFrom: before.signsFrom } }, now())
    announce({ kind: 'signing_keys_changed', subject: kid })
    return 'revoked'
  })
}

/**
 * Makes the RS256 key beside each key that signs now or later, where it has none. Any number of nodes may call it at once: one is made for
 * each.
 */
export async function addRsaKeys(deps: Deps): Promise<void> {
  const { storage, changes, now, actor } = deps
  const all = await signingKeyStore(storage.db).list()
  const signing = signingKeyAt(all, now())
  const lacking = all.filter((key) => key.revokedAt === undefined && !key.rsa && (key === signing || key.signsFrom > now()))
  for (const { kid } of lacking) {
    const rsa = await makeRsaKey(kid, deps)
    await changes.transaction(async (tx, announce) => {
      if (!(await signingKeyStore(tx).addRsa(kid, rsa))) return
      await recordAudit(tx, { actor, action: 'signing_key.add_rsa', target: kid }, now())
      announce({ kind: 'signing_keys_changed', subject: kid })
    })
  }
}

/** Inserts a key if `due`, asked again under the lock, still names a time from which it should sign. */
async function addKey(deps: Deps, due: (keys: SigningKey[]) => number | undefined): Promise<SigningKey | undefined> {
  const { storage, changes, now, actor } = deps
  const made = await makeKey(deps, now())
  return changes.transaction(async (tx, announce) => {
    await takeLock(tx, 'signingKeys', storage)
    const signsFrom = due(await signingKeyStore(tx).list())
    if (signsFrom === undefined) return undefined
    const key = { ...made, signsFrom }
    await signingKeyStore(tx).insert(key)
    await recordAudit(tx, { actor, action: 'signing_key.add', target: key.kid, after: { signsFrom } }, now())
    announce({ kind: 'signing_keys_changed', subject: key.kid })
    return key
  })
}

/** A key has an RS256 key beside it as soon as one before it has. */
async function makeKey(deps: Deps, at: number): Promise<SigningKey> {
  const { sealer, storage } = deps
  const { kid, publicJwk, privateJwk } = await mintSigningPair()
  const isInUse = (await signingKeyStore(storage.db).list()).some(({ rsa }) => rsa !== undefined)
  const privateSealed = sealer.seal(JSON.stringify(privateJwk), `signing_keys.private_sealed.${kid}`)
  const rsa = isInUse ? await makeRsaKey(kid, deps) : undefined
  return { kid, publicJwk: JSON.stringify(publicJwk), privateSealed, rsa, createdAt: at, signsFrom: at, revokedAt: undefined }
}

async function makeRsaKey(kid: string, { sealer }: Deps): Promise<RsaKey> {
  const { kid: rsaKid, publicJwk, privateJwk } = await mintSigningPair('RS256')
  return {
    publicJwk: JSON.stringify({ ...publicJwk, kid: rsaKid }),
    privateSealed: sealer.seal(JSON.stringify(privateJwk), `signing_keys.rsa_private_sealed.${kid}`),
  }
}
