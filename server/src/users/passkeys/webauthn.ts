import type { Passkey } from './passkey-store.ts'

// What browsers are told (WebAuthn Level 3), by its library, which is loaded by the first call: most nodes' lives begin without it.

/**
 * Who asks for signatures. `id` is a host name, `origin` the one page address whose scripts may ask; both are of `PORTARIA_URL` (decision
 * 71).
 */
export interface RelyingParty {
  id: string
  origin: string
}

/** How long a challenge may be answered. */
export const CHALLENGE_MINUTES = 5

export function relyingPartyOf(baseUrl: string): RelyingParty {
  return { id: new URL(baseUrl).hostname, origin: baseUrl }
}

/** The account's id as its 16 bytes, in base64url: what a device hands back to say whose key it used. */
export function userHandleOf(userId: string): string {
  return userIdBytes(userId).toString('base64url')
}

function userIdBytes(userId: string) {
  return Buffer.from(userId.replaceAll('-', ''), 'hex')
}

const TIMEOUT_MS = CHALLENGE_MINUTES * 60_000

/** What a browser is told when it is to make a key; `known` are those the account has, of which no device makes a second. */
export async function creationOptions(
  { challenge, user, known }: { challenge: Buffer; user: { id: string; email: string; name: string }; known: readonly Passkey[] },
  { id: rpID }: RelyingParty,
): Promise<unknown> {
  const { generateRegistrationOptions } = await import('@simplewebauthn/server')
  return generateRegistrationOptions({
    rpName: 'Portaria',
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

/** What a browser is told when it is to sign, with any key it has for us. */
export async function requestOptions(challenge: Buffer, { id: rpID }: RelyingParty): Promise<unknown> {
  const { generateAuthenticationOptions } = await import('@simplewebauthn/server')
  const options = { rpID, challenge: new Uint8Array(challenge), timeout: TIMEOUT_MS }
  return generateAuthenticationOptions({ ...options, allowCredentials: [], userVerification: 'required' })
}
