import { markMetUser } from '../app-events/index.ts'
import type { ChangeFeed } from '../changes/index.ts'
import { mintSecret, type Now, newId, sha256Base64Url } from '../kit/index.ts'
import type { Storage, Transaction } from '../storage/index.ts'
import { linkPurchases } from '../subscriptions/index.ts'
import { type FirstFactor, hasSecondFactor, holdFirstFactor, profileStore } from '../users/index.ts'
import type { EndReason } from './ends/end-reason.ts'
import { endSession } from './ends/end-session.ts'
import { type LiveSession, SESSION_SECONDS, type SignInMethod, type StartedSession } from './session.ts'
import { sessionStore } from './store.ts'

/** Where a session began, so that its owner can recognise it. */
export interface Origin {
  ip: string
  userAgent: string
}

/**
 * Begins a session of the domain after an authentication. The session that this browser's bound cookie names is resumed if it is live and
 * the same user's. Every other session in `presented` ends: a session planted before the sign-in must be worthless after it. `factors`: one
 * or more were shown. Answers `undefined` when the first factor no longer holds, or when the second factor was turned on after the user
 * showed only one.
 */
export async function startSession(
  { userId, factor, factors }: { userId: string; factor: FirstFactor; factors: 'one' | 'two' },
  { boundSecret, presented = [], origin }: { boundSecret: string | undefined; presented?: Iterable<string>; origin: Origin },
  { storage, changes, now }: { storage: Storage; changes: ChangeFeed; now: Now },
): Promise<StartedSession | undefined> {
  const at = now()
  return changes.transaction(async (tx, announce) => {
    if (!(await holdFirstFactor(tx, userId, factor))) return undefined
    if (factors === 'one' && (await hasSecondFactor(tx, userId))) return undefined
    await profileStore(tx).ensureRow(userId, at)
    // Runs before any session is read, so that its plan is there at once.
    await linkPurchases(tx, userId, { announce, storage })
    const store = sessionStore(tx)
    const before = boundSecret === undefined ? undefined : await store.findLiveByBoundHash(sha256Base64Url(boundSecret), at)
    // An impersonation is never resumed: it ends, and the user's own session begins.
    const kept = before?.userId === userId && !before.impersonation ? before : undefined
    const replaced = new Set([...presented, ...(before ? [before.id] : [])])
    for (const id of replaced)
      if (id !== kept?.id) await endSession(tx, id, 'replaced' satisfies EndReason, { announce, now, ip: origin.ip })
    const secondFactorAt = factors === 'two' ? at : undefined
    if (kept) await store.recordAuthentication(kept.id, at, secondFactorAt)
    if (kept) return { session: kept, boundSecret: undefined }
    const secret = mintSecret()
    const passkeyId = factor.kind === 'passkey' ? factor.credentialId : undefined
    const signInMethod = factor.kind === 'identity' ? 'provider' : factor.kind
    const domain = { productId: undefined, parent: undefined, boundHash: sha256Base64Url(secret) }
    const begun = { ...domain, userId, signInMethod, passkeyId, secondFactorAt, origin } as const
    const session = await insert(tx, begun, at)
    return session && { session, boundSecret: secret }
  })
}

/** Begins an external product's session under the domain session that handed it off; it never outlives that one. */
export async function startProductSession(
  tx: Transaction,
  given: {
    parent: LiveSession
    productId: string
    clientId?: string | undefined
    openIdSince?: number | undefined
    origin: Origin
  },
  at: number,
): Promise<LiveSession | undefined> {
  const { parent, productId, clientId, openIdSince, origin } = given
  const begun = {
    userId: parent.userId,
    productId,
    clientId,
    openIdSince,
    parent,
    boundHash: undefined,
    passkeyId: undefined,
    secondFactorAt: undefined,
  }
  const session = await insert(tx, { ...begun, origin }, at)
  if (session) await markMetUser(tx, { productId, userId: parent.userId })
  return session
}

/**
 * The live session that a client of OpenID Connect began below one of the domain, under these settings of its product; a new one where
 * there is none. `undefined` when the parent has ended meanwhile, or its user was disabled.
 */
export async function takeProductSession(
  tx: Transaction,
  given: { parent: LiveSession; productId: string; clientId?: string | undefined; openIdSince: number; origin: Origin },
  at: number,
): Promise<LiveSession | undefined> {
  const { parent, productId, clientId, openIdSince } = given
  const store = sessionStore(tx)
  if (!(await store.hold(parent.id, at))) return undefined
  return (await store.findLiveChild({ parentId: parent.id, productId, clientId, openIdSince }, at)) ?? startProductSession(tx, given, at)
}

/** Answers `undefined` when the user was disabled or removed in the meantime. */
async function insert(
  tx: Transaction,
  session: {
    userId: string
    productId: string | undefined
    clientId?: string | undefined
    openIdSince?: number | undefined
    parent: LiveSession | undefined
    boundHash: string | undefined
    secondFactorAt: number | undefined
    passkeyId: string | undefined
    signInMethod?: SignInMethod | undefined
    origin: Origin
  },
  at: number,
): Promise<LiveSession | undefined> {
  const { parent, origin, ...rest } = session
  const id = newId()
  const expiresAt = Math.min(at + SESSION_SECONDS * 1000, parent?.expiresAt ?? Number.POSITIVE_INFINITY)
  const authenticatedAt = parent ? undefined : at
  await sessionStore(tx).insert({ ...rest, ...origin, id, parentId: parent?.id, createdAt: at, expiresAt, authenticatedAt })
  return sessionStore(tx).findLive(id, at)
}
