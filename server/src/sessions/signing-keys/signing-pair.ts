import { calculateJwkThumbprint, exportJWK, generateKeyPair, type JWK } from 'jose'

/** A fresh ES256 key pair under the thumbprint of its public half (RFC 7638). */
export interface SigningPair {
  kid: string
  publicJwk: JWK
  privateJwk: JWK
}

/**
 * Mints a pair. One whose thumbprint begins with a hyphen is thrown away: a command line would take `keys revoke -…` for an option, in an
 * emergency of all times.
 */
export async function mintSigningPair(): Promise<SigningPair> {
  for (;;) {
    const { publicKey, privateKey } = await generateKeyPair('ES256', { extractable: true })
    const publicJwk = await exportJWK(publicKey)
    const kid = await calculateJwkThumbprint(publicJwk)
    if (!kid.startsWith('-')) return { kid, publicJwk, privateJwk: await exportJWK(privateKey) }
  }
}
