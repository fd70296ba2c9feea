import { type Now, normaliseEmail } from '../kit/index.ts'
import type { Storage } from '../storage/index.ts'
import {
  type AccessCandidate,
  type AccessReason,
  accessStore,
  type Standing,
  type SubscriptionState,
  standingOf,
} from '../subscriptions/index.ts'

/** Who asks for access, as the product names them: its own id for the person, an address it has verified, or both. */
export interface AccessQuestion {
  userId: string | undefined
  email: string | undefined
}

export interface AccessAnswer {
  active: boolean
  /** `none`: no subscription. */
  status: SubscriptionState | 'none'
  reason: AccessReason
  planSlug: string | undefined
  /** Ms. */
  currentPeriodEnd: number | undefined
  /** Ms; only where grace counts. */
  graceUntil: number | undefined
  /** Until when the answer holds if nothing is heard, in ms; `Infinity` where nothing runs out. */
  until: number
}

const NOTHING = {
  active: false,
  status: 'none',
  planSlug: undefined,
  currentPeriodEnd: undefined,
  graceUntil: undefined,
  until: 0,
} as const

/**
 * Whether someone may use a product, and why. By user id first; where that shows nothing active, by address. The first question that has both inputs links the
 * subscription to the product's user, for good, the account's own id among them; an address alone reads and never links. Among several the best counts:
 * active, then latest change.
 */
export async function checkAccess(
  { userId, email }: AccessQuestion,
  productId: string,
  { storage, now }: { storage: Storage; now: Now },
): Promise<AccessAnswer> {
  const subscriptions = accessStore(storage.db)
  const at = now()
  const known = userId === undefined ? undefined : await subscriptions.findByUser(productId, userId)
  if (known?.isDisabled) return { ...NOTHING, reason: 'no_subscription' }
  const best = bestOf(known?.candidates ?? [], at)
  const isSettled = best?.standing.active === true && best.candidate.productUser !== undefined
  const address = email === undefined || isSettled ? undefined : normaliseEmail(email)
  if (address === undefined) return best ? answer(best) : { ...NOTHING, reason: 'no_subscription' }
  if (userId === undefined) {
    const found = bestOf(await subscriptions.findByEmail(productId, address), at)
    return found ? answer(found) : { ...NOTHING, reason: 'no_subscription' }
  }
  const isKnown = known !== undefined && known.candidates.length > 0
  if (!isKnown && (await subscriptions.isDisabledUser(userId))) return { ...NOTHING, reason: 'no_subscription' }
  const found = await link({ productId, address, userId }, subscriptions)
  const better = bestOf([...(known?.candidates ?? []), ...found.own], at)
  if (better) return answer(better)
  return { ...NOTHING, reason: found.others ? 'linked_to_another_user' : 'no_subscription' }
}

/** The subscriptions of an address that are this user's, after those that were nobody's have become so. */
async function link(
  { productId, address, userId }: { productId: string; address: string; userId: string },
  subscriptions: ReturnType<typeof accessStore>,
): Promise<{ own: AccessCandidate[]; others: boolean }> {
  const before = await subscriptions.findByEmail(productId, address)
  const isFree = before.some(({ productUser }) => productUser === undefined)
  if (isFree) await subscriptions.linkProductUser(productId, address, userId)
  const after = isFree ? await subscriptions.findByEmail(productId, address) : before
  const own = after.filter(({ productUser }) => productUser === userId)
  return { own, others: own.length < after.length }
}

interface Best {
  candidate: AccessCandidate
  standing: Standing
}

function bestOf(candidates: readonly AccessCandidate[], now: number): Best | undefined {
  let best: Best | undefined
  for (const candidate of candidates) {
    const one = { candidate, standing: standingOf(candidate, now) }
    if (!best || isBetter(one, best)) best = one
  }
  return best
}

function isBetter(one: Best, other: Best): boolean {
  if (one.standing.active !== other.standing.active) return one.standing.active
  return one.candidate.changedAt > other.candidate.changedAt
}

function answer({ candidate, standing }: Best): AccessAnswer {
  const hasGrace = standing.reason === 'in_grace' || standing.status === 'past_due' || standing.reason === 'expired'
  return {
    ...standing,
    planSlug: candidate.planSlug,
    currentPeriodEnd: candidate.periodEnd,
    graceUntil: hasGrace && candidate.graceFrom !== undefined ? candidate.accessUntil : undefined,
    until: standing.reason === 'paid' ? (candidate.periodEnd ?? candidate.accessUntil) : candidate.accessUntil,
  }
}
