import { newId } from '../../kit/index.ts'
import {
  type ChangeSubscriptionDeps,
  type Doing,
  onSubscription,
  type Subscription,
  type SubscriptionRefusal,
  subscriptionStore,
} from '../../subscriptions/index.ts'
import { applyEvent } from '../apply.ts'
import { eventStore } from '../events/event-store.ts'
import type { PaymentEvent } from '../events/payment-event.ts'
import { keyOfAction } from '../events/without-duplicates.ts'
import { foldEvents } from '../fold/fold.ts'

/** Ends a subscription from this moment, whatever has been paid; a later payment begins it again. */
export function endSubscription(id: string, reason: string, deps: ChangeSubscriptionDeps): Promise<Subscription | SubscriptionRefusal> {
  return recordIt(id, { kind: 'ended', action: 'subscription.end', reason }, deps)
}

/** Records that the payment of the current period was given back, in full: access is over, and a later payment opens a new subscription. */
export function refundSubscription(id: string, reason: string, deps: ChangeSubscriptionDeps): Promise<Subscription | SubscriptionRefusal> {
  return recordIt(id, { kind: 'refunded', action: 'subscription.refund', reason }, deps)
}

/** Adds the operator's own event to the subscription's stream. */
function recordIt(
  id: string,
  { kind, ...doing }: Doing & { kind: 'ended' | 'refunded' },
  deps: ChangeSubscriptionDeps,
): Promise<Subscription | SubscriptionRefusal> {
  return onSubscription(id, doing, deps, async (tx, { stream, before, at }, announce) => {
    const newest = (await subscriptionStore(tx).listOfStream(before.streamId)).at(-1)
    if (newest?.id !== id) return { refusal: 'superseded' }
    if (isAlready(before, kind, at)) return { refusal: 'already_so' }
    // The action comes after every known event: a sender's clock may be ahead of ours. At one moment a refund that failed comes after it.
    const after = kind === 'refunded' ? before.changedAt + 1 : before.changedAt
    const events = actionOn(await eventStore(tx).list(before.streamId), kind, Math.max(at, after))
    for (const event of events)
      await applyEvent(
        tx,
        { stream, productId: before.productId, event, notificationId: undefined },
        { announce, storage: deps.storage, at },
      )
    return undefined
  })
}

/**
 * The events of the operator's action. They name the known payments, so a later purchase counts, though its sender's clock may be behind
 * ours. A refund is of the current payment, of each that would go on in its place, and of all that are dated no later: an older purchase
 * that arrives late grants nothing.
 */
function actionOn(known: readonly PaymentEvent[], kind: 'ended' | 'refunded', at: number): PaymentEvent[] {
  const actions: PaymentEvent[] = []
  const id = newId()
  const add = (more: Pick<PaymentEvent, 'at' | 'paymentId'>) =>
    actions.push({ ...NOTHING_MORE, key: keyOfAction(id, actions.length), kind, ...more })
  for (;;) {
    const { state, paymentId } = foldEvents([...known, ...actions]).at(-1) ?? {}
    if (state === 'refunded') break
    add({ at, paymentId })
    if (kind === 'ended' || paymentId === undefined) return actions
  }
  const paid = known.filter((event) => event.kind === 'paid').map((event) => event.at)
  if (paid.length > 0) add({ at: Math.max(...paid), paymentId: undefined })
  return actions
}

const NOTHING_MORE = {
  planId: undefined,
  email: undefined,
  amount: undefined,
  method: undefined,
  periodStart: undefined,
  periodEnd: undefined,
} as const satisfies Omit<PaymentEvent, 'key' | 'kind' | 'at' | 'paymentId'>

function isAlready({ state, accessUntil }: Subscription, kind: 'ended' | 'refunded', now: number): boolean {
  if (state === 'refunded') return true
  return kind === 'ended' && (state === 'expired' || (state === 'canceled' && accessUntil <= now))
}
