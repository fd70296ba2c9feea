import { type Now, plainEmail } from '../kit/index.ts'
import type { Queryable, Storage } from '../storage/index.ts'
import { type AccessCandidate, accessStore, markSubscription } from '../subscriptions/index.ts'
import { type AccessAnswer, answerOf, NOTHING } from './access-answer.ts'
import { markSubject } from './reported/mark-store.ts'

/**
 * The asked-for user, as the product names them: its own id, an address that it has verified, or both. An address counts only as it is
 * written: where folding would make it another address, it is not known which one the product has verified.
 */
export interface AccessQuestion {
  userId: string | undefined
  email: string | undefined
}

/**
 * Decides whether someone may use a product, and why. Asked with an id and an address, it first links the purchases of that address that
 * are free to this user (decision 227). Asked with an address alone it only reads. The best of several subscriptions counts.
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
  const isOthers = (await subscriptions.findByEmail(productId, address)).some(({ productUser }) => productUser !== undefined)
  return isOthers ? { ...NOTHING, reason: 'linked_to_another_user' } : answerOf([], at)
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

/**
 * A purchase is announced to those who asked with its address, if that address has bought here before. Purchases with any other address are
 * found by asking again soon.
 */
const SOON_MS = 5_000

function withAddress(answer: AccessAnswer, candidates: readonly AccessCandidate[], address: string | undefined, now: number): AccessAnswer {
  const isAnnounced = address === undefined || candidates.some(({ email }) => email === address)
  return isAnnounced ? answer : { ...answer, until: Math.min(answer.until, now + SOON_MS) }
}
