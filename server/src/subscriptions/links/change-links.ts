import { isUuid, normaliseEmail } from '../../kit/index.ts'
import { type ChangeSubscriptionDeps, onStream, onSubscription, type SubscriptionRefusal } from '../change-subscription.ts'
import type { Subscription } from '../subscription.ts'
import { linkStore } from './link-store.ts'

/** The link to the account, or to the product's own id of the user. */
export type SubscriptionLink = 'account' | 'product_user'

/** Takes away one link or both. No address claims it any more by itself; a check by the product may link its user anew. */
export function unlinkSubscription(
  id: string,
  { links, reason }: { links: readonly SubscriptionLink[]; reason: string },
  deps: ChangeSubscriptionDeps,
): Promise<Subscription | SubscriptionRefusal> {
  return onSubscription(id, { action: 'subscription.unlink', reason }, deps, async (tx, { before, at }) => {
    const isAccount = links.includes('account') && before.userId !== undefined
    const isProductUser = links.includes('product_user') && before.productUser !== undefined
    if (!isAccount && !isProductUser) return { refusal: 'already_so' }
    if (isAccount) await linkStore(tx).unlinkUser(id, at)
    if (isProductUser) await linkStore(tx).unlinkProductUser(id)
    return undefined
  })
}

/** Links a subscription to another account, by its id or address. */
export async function moveSubscription(
  id: string,
  { to, reason }: { to: string; reason: string },
  deps: ChangeSubscriptionDeps,
): Promise<Subscription | SubscriptionRefusal> {
  const who = isUuid(to) ? { id: to } : { email: normaliseEmail(to) ?? '' }
  return deps.changes.transaction(async (tx, announce) => {
    const user = await linkStore(tx).holdUser(who) // before the stream, in the order of an account's removal
    if (!user) return { refusal: 'no_such_user' }
    return onStream(tx, id, { action: 'subscription.move', reason }, { ...deps, announce }, async ({ before, at }) => {
      if (user.id === before.userId) return { refusal: 'already_so' }
      // Without this link an address may link it again by itself only if the user's address is the buyer's.
      await linkStore(tx).linkUser(id, user.id, user.email === before.email ? undefined : at)
      return undefined
    })
  })
}
