import { createPrivateKey, createPublicKey, type KeyObject } from 'node:crypto'
import type { ChangeFeed } from '../changes/index.ts'
import type { Now, Sealer } from '../kit/index.ts'
import type { Storage } from '../storage/index.ts'
import { type SigningKey, signingKeyAt, verifyingKeysAt } from './signing-key.ts'
import { signingKeyStore } from './signing-key-store.ts'

const RELOAD_AGAIN_MS = 1_000

/** The signing keys in memory. */
export interface KeyRing {
  /** The key that signs now. Throws when there is none, which the start prevents. */
  signer(): { kid: string; privateKey: KeyObject }
  /** A key that verifies now; `undefined` for an unknown, retired or revoked one. */
  verifier(kid: string): KeyObject | undefined
  /** The JWK set as published (RFC 7517 §5). */
  jwks(): { keys: Array<Record<string, unknown>> }
  keys(): readonly SigningKey[]
  /** Reads the keys anew. */
  load(): Promise<void>
  /** Called whenever keys were read anew: what was verified before must be verified again. */
  onLoad(follower: () => void): void
}

export interface KeyRingDeps {
  storage: Storage
  sealer: Sealer
  changes: ChangeFeed
  now: Now
  onFault: (error: unknown) => void
}

interface LoadedKey extends SigningKey {
  publicKey: KeyObject
  privateKey: KeyObject
}

export function createKeyRing({ storage, sealer, changes, now, onFault }: KeyRingDeps): KeyRing {
  let loaded = new Map<string, LoadedKey>()
  const followers: Array<() => void> = []
  /** Of readings that overlap, the one begun last counts: an older one may not know of a revocation yet. */
  let begun = 0
  let applied = 0
  const load = async () => {
    const turn = ++begun
    const keys = await signingKeyStore(storage.db).list()
    const fresh = keys.map((key) => openKey(key, sealer))
    if (turn < applied) return
    applied = turn
    loaded = new Map(fresh.map((key) => [key.kid, key]))
    for (const follower of followers) follower()
  }
  /** After a change that could not be read, the old keys may be revoked ones: try until it is known. */
  const loadUntilDone = () => {
    load().catch((error) => {
      onFault(error)
      setTimeout(loadUntilDone, RELOAD_AGAIN_MS).unref()
    })
  }
  changes.follow(({ kind }) => {
    if (kind === 'signing_keys_changed' || kind === 'everything_changed') loadUntilDone()
  })
  return {
    load,
    onLoad: (follower) => void followers.push(follower),
    keys: () => [...loaded.values()],
    signer() {
      const key = signingKeyAt([...loaded.values()], now())
      const opened = key && loaded.get(key.kid)
      if (!opened) throw new Error('there is no signing key')
      return { kid: opened.kid, privateKey: opened.privateKey }
    },
    verifier(kid) {
      const key = loaded.get(kid)
      return key && verifyingKeysAt([...loaded.values()], now()).includes(key) ? key.publicKey : undefined
    },
    jwks: () => ({
      keys: verifyingKeysAt([...loaded.values()], now()).map(({ kid, publicJwk }) => ({
        ...JSON.parse(publicJwk),
        kid,
        alg: 'ES256',
        use: 'sig',
      })),
    }),
  }
}

function openKey(key: SigningKey, sealer: Sealer): LoadedKey {
  const privateJwk = sealer.open(key.privateSealed, `signing_keys.private_sealed.${key.kid}`)
  if (privateJwk === undefined) throw new Error(`signing key ${key.kid} does not open with this master key`)
  const publicKey = createPublicKey({ key: JSON.parse(key.publicJwk), format: 'jwk' })
  const privateKey = createPrivateKey({ key: JSON.parse(privateJwk), format: 'jwk' })
  return { ...key, publicKey, privateKey }
}
