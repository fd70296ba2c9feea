import { actClaim, type LiveSession, plainTokenClaims, tokenClaims } from './session.ts'
import { MAX_TOKEN_BYTES, type Tokens } from './tokens.ts'

/**
 * An `eg_session` token for a live session: for its product if it has one, else for the domain. It carries the session's own `sid` and end.
 */
export async function mintSessionToken(session: LiveSession, { tokens, issuer }: { tokens: Tokens; issuer: string }): Promise<string> {
  const identity = { sub: session.userId, sid: session.id, ...actClaim(session) }
  const scope = { audience: session.productId ?? issuer, expiresAt: session.expiresAt }
  const token = await tokens.sign('eg-session+jwt', { ...identity, ...tokenClaims(session.claims) }, scope)
  return token.length <= MAX_TOKEN_BYTES
    ? token
    : tokens.sign('eg-session+jwt', { ...identity, ...plainTokenClaims(session.claims) }, scope)
}
