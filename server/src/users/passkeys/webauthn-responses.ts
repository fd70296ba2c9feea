import { z } from 'zod'
import type { Passkey } from './passkey-store.ts'
import type { RelyingParty } from './webauthn.ts'

// The answers of devices (WebAuthn Level 3): parsed here, then verified by the library.

const base64url = z.string().regex(/^[\w-]{1,20000}$/)
const credentialId = z.string().regex(/^[\w-]{1,1400}$/)
const signed = { clientDataJSON: base64url }
const created = z.object({
  id: credentialId,
  rawId: credentialId,
  type: z.literal('public-key'),
  response: z.object({
    ...signed,
    attestationObject: base64url,
    transports: z
      .array(z.string().regex(/^[a-z-]{1,20}$/))
      .max(10)
      .catch([]),
  }),
})
const asserted = z.object({
  id: credentialId,
  rawId: credentialId,
  type: z.literal('public-key'),
  response: z.object({ ...signed, authenticatorData: base64url, signature: base64url, userHandle: base64url }),
})
const clientData = z.object({ challenge: z.string() })

export type Creation = z.infer<typeof created> & { challenge: string }
export type Assertion = z.infer<typeof asserted> & { challenge: string }

/** A browser's claim of a new key, as our script posts it; nothing of it is verified. `undefined` when it can't be parsed. */
export function parseCreation(json: string): Creation | undefined {
  return withChallenge(created.safeParse(parseJson(json)).data)
}

/** The same for a signature. All our keys can name their user, so the user handle is required (WebAuthn §7.2, step 6). */
export function parseAssertion(json: string): Assertion | undefined {
  return withChallenge(asserted.safeParse(parseJson(json)).data)
}

function withChallenge<Posted extends { response: { clientDataJSON: string } }>(posted: Posted | undefined) {
  const client = posted && clientData.safeParse(parseJson(Buffer.from(posted.response.clientDataJSON, 'base64url').toString()))
  return posted && client?.success ? { ...posted, challenge: client.data.challenge } : undefined
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined // not JSON: the caller's schema refuses it
  }
}

/** Verifies a new key for a challenge of ours that has just been taken (WebAuthn §7.1). `undefined` when anything is wrong with it. */
export async function verifyCreation(
  { challenge, ...posted }: Creation,
  { id, origin }: RelyingParty,
): Promise<Pick<Passkey, 'id' | 'publicKey' | 'counter' | 'transports' | 'isBackedUp'> | undefined> {
  const { verifyRegistrationResponse } = await import('@simplewebauthn/server')
  if (await bringsCertificates(posted.response.attestationObject)) return undefined
  const expected = { expectedChallenge: challenge, expectedOrigin: origin, expectedRPID: id, requireUserVerification: true }
  const verified = await orUndefined(() =>
    verifyRegistrationResponse({ response: { ...posted, clientExtensionResults: {} }, ...expected, requireUserPresence: true }),
  )
  if (!verified?.verified) return undefined
  const { credential, credentialBackedUp } = verified.registrationInfo
  const publicKey = Buffer.from(credential.publicKey).toString('base64url')
  return {
    id: credential.id,
    publicKey,
    counter: credential.counter,
    transports: posted.response.transports,
    isBackedUp: credentialBackedUp,
  }
}

/**
 * We request no attestation, and browsers then send none, or a self-attestation. A certificate is refused unread: for some makers the
 * library would fetch a revocation list, past our own rules for outgoing calls. An attestation that can't be parsed is refused too.
 */
async function bringsCertificates(attestationObject: string): Promise<boolean> {
  const { decodeAttestationObject } = await import('@simplewebauthn/server/helpers')
  const format = await orUndefined(async () => {
    const decoded = decodeAttestationObject(new Uint8Array(Buffer.from(attestationObject, 'base64url')))
    return decoded.get('attStmt').get('x5c') === undefined ? decoded.get('fmt') : undefined
  })
  return format !== 'none' && format !== 'packed'
}

/**
 * Verifies a signature for a challenge of ours that has just been taken (WebAuthn §7.2), but for the count, which the database decides.
 * `undefined` when anything is wrong with it.
 */
export async function verifyAssertion(
  { challenge, ...posted }: Assertion,
  { id, publicKey }: Pick<Passkey, 'id' | 'publicKey'>,
  rp: RelyingParty,
): Promise<Pick<Passkey, 'counter' | 'isBackedUp'> | undefined> {
  const { verifyAuthenticationResponse } = await import('@simplewebauthn/server')
  const expected = { expectedChallenge: challenge, expectedOrigin: rp.origin, expectedRPID: rp.id, requireUserVerification: true }
  // A count of 0 switches the library's own comparison off: it would accept both of two concurrent signatures.
  const credential = { id, publicKey: new Uint8Array(Buffer.from(publicKey, 'base64url')), counter: 0 }
  const verified = await orUndefined(() =>
    verifyAuthenticationResponse({ response: { ...posted, clientExtensionResults: {} }, ...expected, credential }),
  )
  if (!verified?.verified) return undefined
  const { newCounter, credentialBackedUp } = verified.authenticationInfo
  return { counter: newCounter, isBackedUp: credentialBackedUp }
}

/** The library throws whenever it rejects, and nothing else here can fail. */
async function orUndefined<Result>(work: () => Promise<Result>): Promise<Result | undefined> {
  try {
    return await work()
  } catch {
    return undefined
  }
}
