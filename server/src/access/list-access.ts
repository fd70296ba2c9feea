import { productStore } from '../products/index.ts'
import type { Queryable } from '../storage/index.ts'
import { accessStore } from '../subscriptions/index.ts'
import { type AccessAnswer, answerOf, bestOf } from './access-answer.ts'

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
