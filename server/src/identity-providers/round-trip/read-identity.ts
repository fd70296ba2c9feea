import type { TokenEndpointResponse, TokenEndpointResponseHelpers } from 'openid-client'
import { z } from 'zod'
import { normaliseEmail, plainEmail } from '../../kit/index.ts'
import { type IdentityProvider, isAuthoritativeFor } from '../provider.ts'
import { isSubject, type VerifiedIdentity } from '../verified-identity.ts'

/** An invalid name or picture counts as absent: it must keep nobody out. Some providers send `null` for unknown values. */
const profile = z.object({
  email: z.string().nullish(),
  email_verified: z.unknown().optional(),
  name: z.string().optional().catch(undefined),
  picture: z.string().optional().catch(undefined),
})

/** Reads the ID token's claims; without an address there, the userinfo endpoint is asked, for the same subject. */
export async function readIdentity(
  provider: IdentityProvider,
  tokens: TokenEndpointResponse & TokenEndpointResponseHelpers,
  askUserInfo: (subject: string) => Promise<unknown>,
): Promise<VerifiedIdentity> {
  const claims = tokens.claims()
  if (!claims) throw new Error('no ID token')
  if (!isSubject(claims.sub)) throw new Error('the subject is no identifier')
  const said = profile.parse(claims)
  const {
    email: address,
    email_verified,
    name,
    picture,
  } = typeof said.email === 'string' ? said : { ...said, ...profile.parse(await askUserInfo(claims.sub)) }
  const text = address ?? ''
  // Apple's documents allow a text.
  const isVerified = email_verified === true || (provider.kind === 'apple' && email_verified === 'true')
  const email = normaliseEmail(text)
  return {
    providerId: provider.id,
    issuer: claims.iss,
    subject: claims.sub,
    email,
    emailVerified: email !== undefined && plainEmail(text) === email && isVerified && isAuthoritativeFor(provider, email),
    name: name?.trim() || undefined,
    pictureUrl: picture,
    saysSecondFactor: Array.isArray(claims.amr) && claims.amr.includes('mfa'),
  }
}
