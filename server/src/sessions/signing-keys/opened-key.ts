import { createPrivateKey, createPublicKey, type JsonWebKey, type KeyObject } from 'node:crypto'
import type { Sealer } from '../../kit/index.ts'
import type { SigningKey } from './signing-key.ts'

export interface LoadedKey extends SigningKey {
  publicKey: KeyObject
  privateKey: KeyObject
}

export function openKey(key: SigningKey, sealer: Sealer): LoadedKey {
  const publicKey = createPublicKey({ key: JSON.parse(key.publicJwk), format: 'jwk' })
  const privateKey = createPrivateKey({ key: openJwk(key.privateSealed, `private_sealed.${key.kid}`, sealer), format: 'jwk' })
  return { ...key, publicKey, privateKey }
}

export function openJwks({ kid, privateSealed, rsa }: SigningKey, sealer: Sealer): PrivateJwk[] {
  const own: PrivateJwk = { ...openJwk(privateSealed, `private_sealed.${kid}`, sealer), kid, alg: 'ES256', use: 'sig' }
  if (!rsa) return [own]
  const { kid: rsaKid } = JSON.parse(rsa.publicJwk)
  return [{ ...openJwk(rsa.privateSealed, `rsa_private_sealed.${kid}`, sealer), kid: rsaKid, alg: 'RS256', use: 'sig' }, own]
}

function openJwk(sealed: string, place: string, sealer: Sealer): JsonWebKey {
  const jwk = sealer.open(sealed, `signing_keys.${place}`)
  if (jwk === undefined) throw new Error(`signing_keys.${place} does not open with this master key`)
  return JSON.parse(jwk)
}

/** A JWK with its private half, `kid`, `alg` and `use`. */
export type PrivateJwk = Record<string, unknown> & { kid: string; alg: 'RS256' | 'ES256' }
