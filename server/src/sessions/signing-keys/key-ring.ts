import type { KeyObject } from 'node:crypto'
import { setTimeout as pause } from 'node:timers/promises'
import type { ChangeFeed } from '../../changes/index.ts'
import type { Now, Sealer } from '../../kit/index.ts'
import { isDatabaseAway, type Storage } from '../../storage/index.ts'
import { type LoadedKey, openJwks, openKey, type PrivateJwk } from './opened-key.ts'
import { type SigningKey, signingKeyAt, verifyingKeysAt } from './signing-key.ts'
import { signingKeyStore } from './signing-key-store.ts'

const RELOAD_AGAIN_MS = 1_000

/** After the keys were read for an unknown `kid`, they are not read for another one for this long: anybody can name one. */
const ASK_AGAIN_MS = 100

/** The signing keys in memory. */
export interface KeyRing {
  /**
   * The key that signs now. The database is asked whether it was revoked since the keys were read, because its new tokens would be invalid
   * at once. Throws when there is none, which the start prevents.
   */
  signer(): Promise<{ kid: string; privateKey: KeyObject }>
  /**
   * A key that verifies now; `undefined` for an unknown, retired or revoked one. The database is asked for an unknown key, ten times a
   * second at most; callers in between wait for the next time. Throws when the database is away.
   */
  verifier(kid: string): Promise<KeyObject | undefined>
  /** For an unknown key, the next time that the database is asked; `undefined` for one that is known. */
  hearOf(kid: string): Promise<void> | undefined
  /**
   * The private JWKs of all keys that verify now, RS256 and ES256, those that sign before the others. Empty of RS256 where none was made
   * (`addRsaKeys`). The same array until a key is added, revoked or retired, or another begins to sign.
   */
  privateJwks(): readonly PrivateJwk[]
  /** The JWK set as published (RFC 7517 §5). */
  jwks(): { keys: Array<Record<string, unknown>> }
  keys(): readonly SigningKey[]
  /** Reads the keys anew. */
  load(): Promise<void>
  /** Called whenever the keys were read anew: every remembered token must be verified again. */
  onLoad(follower: () => void): void
}

export interface KeyRingDeps {
  storage: Storage
  sealer: Sealer
  changes: ChangeFeed
  now: Now
  onFault: (error: unknown) => void
}

export function createKeyRing({ storage, sealer, changes, now, onFault }: KeyRingDeps): KeyRing {
  let loaded = new Map<string, LoadedKey>()
  const followers: Array<() => void> = []
  /** Of overlapping readings the one begun last counts: an older one may miss a revocation. */
  let begun = 0
  let applied = 0
  /**
   * `for_new`: without a new key nothing happens. A reading empties the memory of its followers, and no unauthenticated request may cause
   * that.
   */
  const read = async (why: 'for_all' | 'for_new') => {
    const turn = ++begun
    const keys = await signingKeyStore(storage.db).list()
    if (why === 'for_new' && keys.every(({ kid }) => loaded.has(kid))) return
    const fresh = keys.map((key) => openKey(key, sealer))
    if (turn < applied) return
    applied = turn
    loaded = new Map(fresh.map((key) => [key.kid, key]))
    for (const follower of followers) follower()
  }
  const load = () => read('for_all')
  let mayReadAgain: Promise<unknown> = Promise.resolve()
  let nextRead: Promise<void> | undefined
  /** Answered by a reading that begins after the call. */
  const readForNew = (): Promise<void> => {
    nextRead ??= mayReadAgain.then(() => {
      nextRead = undefined
      const reading = read('for_new').catch((error: unknown) => {
        if (isDatabaseAway(error)) throw error
        onFault(error)
      })
      // The fault reaches those who wait for this reading; the pause follows either way.
      mayReadAgain = reading.catch(() => {}).then(() => pause(ASK_AGAIN_MS, undefined, { ref: false }))
      return reading
    })
    return nextRead
  }
  /** After a change that could not be read, the old keys may be revoked: try until a reading succeeds. */
  const loadUntilDone = () => {
    load().catch((error) => {
      onFault(error)
      setTimeout(loadUntilDone, RELOAD_AGAIN_MS).unref()
    })
  }
  const current = () => {
    const key = signingKeyAt([...loaded.values()], now())
    const opened = key && loaded.get(key.kid)
    if (!opened) throw new Error('there is no signing key')
    return opened
  }
  let given: { of: string; jwks: readonly PrivateJwk[] } = { of: '', jwks: [] }
  const privateJwks = (): readonly PrivateJwk[] => {
    const verifying = verifyingKeysAt([...loaded.values()], now())
    const signing = current()
    const ordered = [signing, ...verifying.filter((key) => key !== signing)]
    const of = ordered.map(({ kid, rsa }) => `${kid} ${rsa !== undefined}`).join()
    if (given.of !== of) given = { of, jwks: ordered.flatMap((key) => openJwks(key, sealer)) }
    return given.jwks
  }
  changes.follow(({ kind }) => {
    if (kind === 'signing_keys_changed' || kind === 'everything_changed') loadUntilDone()
  })
  return {
    load,
    onLoad: (follower) => void followers.push(follower),
    keys: () => [...loaded.values()],
    privateJwks,
    async signer() {
      const key = current()
      if (await signingKeyStore(storage.db).isGood(key.kid)) return key
      await load()
      return current()
    },
    hearOf: (kid) => (loaded.has(kid) ? undefined : readForNew()),
    async verifier(kid) {
      if (!loaded.has(kid)) await readForNew()
      const key = loaded.get(kid)
      return key && verifyingKeysAt([...loaded.values()], now()).includes(key) ? key.publicKey : undefined
    },
    jwks: () => ({
      keys: verifyingKeysAt([...loaded.values()], now()).flatMap(({ kid, publicJwk, rsa }) => [
        { ...JSON.parse(publicJwk), kid, alg: 'ES256', use: 'sig' },
        ...(rsa ? [{ ...JSON.parse(rsa.publicJwk), alg: 'RS256', use: 'sig' }] : []),
      ]),
    }),
  }
}
