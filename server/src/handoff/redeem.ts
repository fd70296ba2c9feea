import { recordAudit } from '../audit/index.ts'
import type { Now } from '../kit/index.ts'
import type { Product } from '../products/index.ts'
import {
  type LiveSession,
  type LiveSessions,
  mintSessionToken,
  recordHeldHandover,
  sessionStore,
  startProductSession,
  type Tokens,
} from '../sessions/index.ts'
import type { Storage } from '../storage/index.ts'
import { consentStore } from '../users/index.ts'
import type { HandoffRefusal } from './handoff.ts'
import { firstRedemption } from './store.ts'

export interface Redeemed {
  /** The product's own session, or for an internal product the domain's. */
  session: LiveSession
  egSession: string
}

export interface RedeemDeps {
  storage: Storage
  tokens: Tokens
  sessions: LiveSessions
  issuer: string
  now: Now
  /** The address of the server that redeems, recorded as its session's origin. */
  origin: { ip: string; userAgent: string }
}

/**
 * Exchanges a handoff for a session, once. The key of another product consumes nothing, nor does a call while the database is away. The
 * redemption and the new session are one transaction.
 */
export async function redeemHandoff(token: string, product: Product, deps: RedeemDeps): Promise<Redeemed | { refusal: HandoffRefusal }> {
  const { storage, tokens, sessions, issuer, now, origin } = deps
  const claims = await tokens.verify(token, { type: 'eg-token+jwt', audience: product.id })
  if (!claims) return { refusal: 'not_a_handoff' }
  const parent = await sessions.find(claims.sid)
  if (!parent || parent.userId !== claims.sub) return { refusal: 'session_ended' }
  const at = now()
  const session = await storage.transaction(async (tx) => {
    if (!(await sessionStore(tx).hold(parent.id, at))) return undefined
    if (!(await firstRedemption(tx, claims.jti, claims.exp * 1000))) return 'already_redeemed'
    const mayReceive = product.audience === 'internal' || (await consentStore(tx).holdConsent(parent.userId, product.id))
    if (!mayReceive) return 'consent_withdrawn'
    if (product.audience === 'external') return startProductSession(tx, { parent, productId: product.id, origin }, at)
    await recordHeldHandover(tx, { sessionId: parent.id, product })
    return parent
  })
  if (session === 'already_redeemed') {
    const entry = {
      actor: `product:${product.id}`,
      action: 'handoff.replay',
      target: claims.sid,
      after: { jti: claims.jti },
      ip: origin.ip,
    }
    await recordAudit(storage.db, entry, at)
    return { refusal: 'already_redeemed' }
  }
  if (session === 'consent_withdrawn') return { refusal: session }
  if (!session) return { refusal: 'session_ended' }
  return { session, egSession: await mintSessionToken(session, { tokens, issuer }) }
}
