import { createPrivateKey, type KeyObject } from 'node:crypto'
import { z } from 'zod'

/** Apple takes secrets of up to half a year. Ours are made anew with each description of the provider, which is kept for an hour. */
const SECRET_SECONDS = 3 * 3_600

const form = z.strictObject({
  team_id: z.string().regex(/^[A-Z0-9]{10}$/),
  key_id: z.string().regex(/^[A-Z0-9]{10}$/),
  private_key: z.string().max(2_000),
})

interface AppleKey {
  teamId: string
  keyId: string
  privateKey: KeyObject
}

/** Reads what is kept in place of a client secret of Apple: team, key and the content of the .p8 file as JSON. `undefined` for all else. */
export function parseAppleKey(text: string): AppleKey | undefined {
  try {
    const { team_id: teamId, key_id: keyId, private_key: pem } = form.parse(JSON.parse(text))
    const privateKey = createPrivateKey({ key: pem, format: 'pem' })
    return privateKey.asymmetricKeyDetails?.namedCurve === 'prime256v1' ? { teamId, keyId, privateKey } : undefined
  } catch {
    return undefined // no JSON, or no key
  }
}

/** A client secret as Apple wants it: a JWT that the team's key signs. `issuer` is Apple's; the machine's clock counts. */
export async function signAppleSecret(text: string, { clientId, issuer }: { clientId: string; issuer: string }): Promise<string> {
  const key = parseAppleKey(text)
  if (!key) throw new Error('the key for Apple does not open')
  const { SignJWT } = await import('jose')
  const at = Math.floor(Date.now() / 1000)
  return new SignJWT()
    .setProtectedHeader({ alg: 'ES256', kid: key.keyId })
    .setIssuer(key.teamId)
    .setSubject(clientId)
    .setAudience(issuer)
    .setIssuedAt(at)
    .setExpirationTime(at + SECRET_SECONDS)
    .sign(key.privateKey)
}
