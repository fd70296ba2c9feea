import { calculateJwkThumbprint, exportJWK, generateKeyPair, type JWK } from 'jose'

/** A fresh key pair under the thumbprint of its public half (RFC 7638). */
export interface SigningPair {
  kid: string
  publicJwk: JWK
  privateJwk: JWK
}

/**
 * Mints a pair: ES256 (RFC 7518 §3.4), or RS256 (§3.3) with 2,048 bits. A thumbprint that begins with a hyphen is thrown away: `keys revoke
 * -…` would read it as an option, and that command is for emergencies.
 */
export async function mintSigningPair(alg: 'ES256' | 'RS256' = 'ES256'): Promise<SigningPair> {
  for (;;) {
    const { publicKey, privateKey } = await generateKeyPair(alg, { extractable: true, modulusLength: 2_048 })
    const publicJwk = await exportJWK(publicKey)
    const kid = await calculateJwkThumbprint(publicJwk)
    if (!kid.startsWith('-')) return { kid, publicJwk, privateJwk: await exportJWK(privateKey) }
  }
}
