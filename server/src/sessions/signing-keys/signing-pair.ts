import { calculateJwkThumbprint, exportJWK, generateKeyPair, type JWK } from 'jose'

/** A fresh ES256 key pair under the thumbprint of its public half (RFC 7638). */
export interface SigningPair {
  kid: string
  publicJwk: JWK
  privateJwk: JWK
}

/**
 * Mints a pair. A thumbprint that begins with a hyphen is thrown away: `keys revoke -…` would read it as an option, and that command is for
 * emergencies.
 */
export async function mintSigningPair(): Promise<SigningPair> {
  for (;;) {
    const { publicKey, privateKey } = await generateKeyPair('ES256', { extractable: true })
    const publicJwk = await exportJWK(publicKey)
    const kid = await calculateJwkThumbprint(publicJwk)
    if (!kid.startsWith('-')) return { kid, publicJwk, privateJwk: await exportJWK(privateKey) }
  }
}
