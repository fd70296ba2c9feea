import { recordAudit } from '../../audit/index.ts'
import type { Announce } from '../../changes/index.ts'
import { isUuid, newId, normaliseEmail } from '../../kit/index.ts'
import type { Transaction } from '../../storage/index.ts'
import {
  announceLinks,
  type ChangeSubscriptionDeps,
  linkStore,
  OPERATOR_SCOPE,
  planStore,
  type StreamKey,
  type Subscription,
  subscriptionStore,
} from '../../subscriptions/index.ts'
import { applyEvent } from '../apply.ts'
import { openStream } from '../streams/open-stream.ts'

/** A plan that the operator gives to a user: a courtesy, a trial, staff. */
export interface Grant {
  /** The account, by its id or address. */
  to: string
  planId: string
  /** For a plan of the operator: the one product that it is limited to, if any. */
  productId: string | undefined
  /** The end in ms; `undefined`: until it is ended. */
  until: number | undefined
  reason: string
}

/** `until_over`: the end is not in the future, or beyond the year 9997. */
export type GrantRefusal = { refusal: 'no_such_user' | 'no_such_plan' | 'until_over' }

/** The source of the operator's grants. */
const OPERATOR_SOURCE = 'operator'
const LATEST_END = Date.UTC(9_998, 0, 1)

/**
 * Gives a user a plan without a payment, as one more event of the history of this user and plan: granted again, the newer one counts. It is
 * linked to the account at once, and by its address where that is verified. Grace days do not count for it.
 */
export function grantSubscription(grant: Grant, deps: ChangeSubscriptionDeps): Promise<Subscription | GrantRefusal> {
  return deps.changes.transaction((tx, announce) => grantWithin(tx, announce, grant, deps))
}

/** The same inside the caller's transaction. */
export async function grantWithin(
  tx: Transaction,
  announce: Announce,
  { to, planId, productId, until, reason }: Grant,
  { storage, now, actor }: Pick<ChangeSubscriptionDeps, 'storage' | 'now' | 'actor'>,
): Promise<Subscription | GrantRefusal> {
  const who = isUuid(to) ? { id: to } : { email: normaliseEmail(to) ?? '' }
  const at = now()
  if (until !== undefined && (until <= at || until >= LATEST_END)) return { refusal: 'until_over' }
  const user = await linkStore(tx).holdUser(who) // before the stream, in the order of an account's removal
  if (!user) return { refusal: 'no_such_user' }
  const plan = await planStore(tx).findById(planId)
  if (!plan) return { refusal: 'no_such_plan' }
  const ofProduct = plan.scope === OPERATOR_SCOPE ? productId : plan.scope
  const { stream, before } = await openGrants(tx, { userId: user.id, planId, productId: ofProduct, at })
  // The grant comes after every known event, an end of the same millisecond included.
  const givenAt = Math.max(at, (before?.changedAt ?? 0) + 1)
  const event = {
    key: `operator:${newId()}`,
    kind: 'granted',
    at: givenAt,
    planId,
    email: user.isVerified ? user.email : undefined,
    paymentId: undefined,
    amount: 0,
    method: undefined,
    periodStart: givenAt,
    periodEnd: until,
  } as const
  const { id, userId } = await applyEvent(tx, { stream, productId: ofProduct, event, notificationId: undefined }, { announce, storage, at })
  if (userId !== user.id) await linkStore(tx).linkUser(id, user.id, at)
  const granted = await subscriptionStore(tx).findById(id)
  if (!granted) throw new Error('a subscription just granted is not there')
  announceLinks(announce, granted)
  const after = { user_id: user.id, plan: plan.slug, until: until === undefined ? null : new Date(until).toISOString() }
  await recordAudit(tx, { actor, action: 'subscription.grant', target: id, after, reason }, at)
  return granted
}

/**
 * Opens the stream of a user's grants of a plan, and answers its newest subscription. A grant that the operator has moved to another
 * account is that account's: the next stream begins then.
 */
async function openGrants(
  tx: Transaction,
  { userId, planId, productId, at }: { userId: string; planId: string; productId: string | undefined; at: number },
): Promise<{ stream: StreamKey; before: Subscription | undefined }> {
  const ref = `${userId} ${planId} ${productId ?? ''}`.trim()
  for (let count = 1; ; count++) {
    const stream = { source: OPERATOR_SOURCE, ref: count === 1 ? ref : `${ref} ${count}` }
    const { id } = await openStream(tx, stream, { productId, at })
    const before = (await subscriptionStore(tx).listOfStream(id)).at(-1)
    if (before === undefined || before.userId === userId || isNobodys(before)) return { stream, before }
  }
}

function isNobodys({ userId, productUser }: Subscription): boolean {
  return userId === undefined && productUser === undefined
}
