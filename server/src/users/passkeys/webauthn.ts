import type { Passkey } from './passkey-store.ts'

// The options for browsers (WebAuthn Level 3), made by its library. The first call loads it: most processes never need it.

/**
 * The relying party. `id` is a host name, `origin` the one page address whose scripts may ask; both come from `PORTARIA_URL` (decision 71).
 */
export interface RelyingParty {
  id: string
  origin: string
}

/** The life of a challenge. */
export const CHALLENGE_MINUTES = 5

export function relyingPartyOf(baseUrl: string): RelyingParty {
  return { id: new URL(baseUrl).hostname, origin: baseUrl }
}

/** The account's id as its 16 bytes, in base64url: a device hands it back to show whose key it used. */
export function userHandleOf(userId: string): string {
  return userIdBytes(userId).toString('base64url')
}

function userIdBytes(userId: string) {
  return Buffer.from(userId.replaceAll('-', ''), 'hex')
}

const TIMEOUT_MS = CHALLENGE_MINUTES * 60_000

/** The options for making a key; a device that has one of the `known` keys makes no second one. */
export async function creationOptions(
  { challenge, user, known }: { challenge: Buffer; user: { id: string; email: string; name: string }; known: readonly Passkey[] },
  { id: rpID, name: rpName }: RelyingParty & { name: string },
): Promise<unknown> {
  const { generateRegistrationOptions } = await import('@simplewebauthn/server')
  return generateRegistrationOptions({
    rpName,
    rpID,
    userID: new Uint8Array(userIdBytes(user.id)),
    userName: user.email,
    userDisplayName: user.name,
    challenge: new Uint8Array(challenge),
    timeout: TIMEOUT_MS,
    attestationType: 'none',
    excludeCredentials: known.map(({ id, transports }) => ({ id, transports })),
    authenticatorSelection: { residentKey: 'required', userVerification: 'required' },
  })
}

/** The options for signing, with any key the device has for us. */
export async function requestOptions(challenge: Buffer, { id: rpID }: RelyingParty): Promise<unknown> {
  const { generateAuthenticationOptions } = await import('@simplewebauthn/server')
  const options = { rpID, challenge: new Uint8Array(challenge), timeout: TIMEOUT_MS }
  return generateAuthenticationOptions({ ...options, allowCredentials: [], userVerification: 'required' })
}
