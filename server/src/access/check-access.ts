import { type Now, plainEmail } from '../kit/index.ts'
import { productStore } from '../products/index.ts'
import type { Queryable, Storage } from '../storage/index.ts'
import {
  type AccessCandidate,
  type AccessReason,
  accessStore,
  type Entitlement,
  entitlementOf,
  markSubscription,
  type SubscriptionState,
} from '../subscriptions/index.ts'
import { markSubject } from './reported/report-store.ts'

/**
 * The asked-for user, as the product names them: its own id, an address that it has verified, or both. An address counts only as it is
 * written: where folding would make it another address, it is not known which one the product has verified.
 */
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
  /** Ms; only while grace counts. */
  graceUntil: number | undefined
  /** The answer holds until then (ms) if no change is announced; `Infinity` where nothing expires. */
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
 * Decides whether someone may use a product, and why. Asked with an id and an address, it first links the purchases of that address that
 * have no user yet to this user, for good. Asked with an address alone it only reads. The best of several subscriptions counts.
 */
export async function checkAccess(
  { userId, email }: AccessQuestion,
  productId: string,
  { storage, now }: { storage: Storage; now: Now },
): Promise<AccessAnswer> {
  const subscriptions = accessStore(storage.db)
  const at = now()
  const address = email === undefined ? undefined : plainEmail(email)
  if (userId === undefined) return answerOf(address === undefined ? [] : await subscriptions.findByEmail(productId, address), at)
  const known = await subscriptions.findByUser(productId, userId, address)
  if (known.isDisabled) return answerOf([], at)
  const isLinking = address !== undefined && known.hasFree
  if (isLinking) await linkProductUser({ productId, address, userId }, storage)
  const { candidates } = isLinking ? await subscriptions.findByUser(productId, userId, undefined) : known
  if (candidates.length > 0 || address === undefined) return withAddress(answerOf(candidates, at), candidates, address, at)
  if (await subscriptions.isDisabledUser(userId)) return answerOf([], at)
  const others = await subscriptions.findByEmail(productId, address)
  return others.length > 0 ? { ...NOTHING, reason: 'linked_to_another_user' } : answerOf([], at)
}

function linkProductUser(
  { productId, address, userId }: { productId: string; address: string; userId: string },
  storage: Storage,
): Promise<void> {
  return storage.transaction(async (tx) => {
    const linked = await accessStore(tx).linkProductUser(productId, address, userId)
    for (const id of linked) await markSubscription(tx, { id, productId }, 'changed')
    await markSubject(tx, { productId, subject: userId })
  })
}

/** The answer to the question with this id alone, which names an account or the product's own user. It only reads. */
export async function accessOfUser(db: Queryable, productId: string, userId: string, at: number): Promise<AccessAnswer> {
  const { candidates, isDisabled } = await accessStore(db).findByUser(productId, userId, undefined)
  return answerOf(isDisabled ? [] : candidates, at)
}

/** A user's access to a product, and the subscription that decides it. */
export interface ProductAccess {
  /** `undefined`: the operator's own plans, which internal apps hear of with the session. */
  productId: string | undefined
  subscriptionId: string
  answer: AccessAnswer
  /** How many more subscriptions of this product the user has, which decide nothing. */
  others: number
}

/** More than anybody buys. */
const MAX_OWN = 500

/**
 * The access of a user to every product where they have bought something, by the very rules of `checkAccess`: those with access first, then
 * the latest change. It only reads, in three statements. A closed account has no access, and the caller knows of it: the answers are those
 * of an open one.
 */
export async function listAccessOfUser(db: Queryable, userId: string, at: number): Promise<ProductAccess[]> {
  const productIds = (await productStore(db).listNames()).map(({ id }) => id)
  const own = await accessStore(db).listOfUser(userId, { productIds, limit: MAX_OWN })
  const found = [...Map.groupBy(own, ({ productId }) => productId)].flatMap(([productId, candidates]) => {
    const best = bestOf(candidates, at)
    if (!best) return []
    const { id, changedAt } = best.candidate
    return [{ productId, subscriptionId: id, answer: answerOf([best.candidate], at), others: candidates.length - 1, changedAt }]
  })
  return found
    .sort((a, b) => Number(b.answer.active) - Number(a.answer.active) || b.changedAt - a.changedAt)
    .map(({ changedAt: _, ...access }) => access)
}

/**
 * A purchase is announced to those who asked with its address, if that address has bought here before. Purchases with any other address are
 * found by asking again soon.
 */
const SOON_MS = 5_000

function withAddress(answer: AccessAnswer, candidates: readonly AccessCandidate[], address: string | undefined, now: number): AccessAnswer {
  const isAnnounced = address === undefined || candidates.some(({ email }) => email === address)
  return isAnnounced ? answer : { ...answer, until: Math.min(answer.until, now + SOON_MS) }
}

interface Best {
  candidate: AccessCandidate
  entitlement: Entitlement
}

function bestOf(candidates: readonly AccessCandidate[], now: number): Best | undefined {
  let best: Best | undefined
  for (const candidate of candidates) {
    const one = { candidate, entitlement: entitlementOf(candidate, now) }
    if (!best || isBetter(one, best)) best = one
  }
  return best
}

/** Active before inactive. Among active ones: paid and renewing first, then the higher price, then the later change. */
function isBetter(one: Best, other: Best): boolean {
  const { active } = one.entitlement
  if (active !== other.entitlement.active) return active
  const [isRunning, isOtherRunning] = [one.entitlement.reason === 'paid', other.entitlement.reason === 'paid']
  if (isRunning !== isOtherRunning) return isRunning
  if (active && one.candidate.price !== other.candidate.price) return one.candidate.price > other.candidate.price
  return one.candidate.changedAt > other.candidate.changedAt
}

function answerOf(candidates: readonly AccessCandidate[], now: number): AccessAnswer {
  const best = bestOf(candidates, now)
  if (!best) return { ...NOTHING, reason: 'no_subscription' }
  const { candidate, entitlement } = best
  const hasGrace = entitlement.reason === 'in_grace' || entitlement.status === 'past_due' || entitlement.reason === 'expired'
  return {
    ...entitlement,
    planSlug: candidate.planSlug,
    currentPeriodEnd: candidate.periodEnd,
    graceUntil: hasGrace && candidate.graceFrom !== undefined ? candidate.accessUntil : undefined,
    until: entitlement.reason === 'paid' ? (candidate.periodEnd ?? candidate.accessUntil) : candidate.accessUntil,
  }
}
