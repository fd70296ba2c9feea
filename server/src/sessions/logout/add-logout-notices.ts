import { addOpenJobs } from '../../outbox/index.ts'
import type { Transaction } from '../../storage/index.ts'
import type { EndedSession } from '../ends/end-store.ts'
import { listHandedOver, listNotifiedProducts } from './logout-store.ts'

/**
 * Leaves a job for each product with a logout address that knew one of these sessions, in the transaction that ends them (decision 166). A
 * product knows the session that it was given: one of its own or, for an internal product, the domain's.
 */
export async function addLogoutNotices(tx: Transaction, ended: readonly EndedSession[], at: number): Promise<void> {
  if (ended.length === 0) return
  const notified = await listNotifiedProducts(tx)
  if (notified.length === 0) return
  const notifiedIds = new Set(notified.map(({ id }) => id))
  const ofDomain = new Map(ended.filter(({ productId }) => productId === undefined).map((session) => [session.id, session]))
  // A client of OpenID Connect knows its own sessions alone.
  const byRedirect = notified.filter(({ speaksOpenId }) => !speaksOpenId).map(({ id }) => id)
  const handedOver = (await listHandedOver(tx, [...ofDomain.keys()], byRedirect)).map(({ sessionId, productId }) => ({
    id: sessionId,
    userId: ofDomain.get(sessionId)?.userId ?? '',
    productId,
  }))
  const notices = [...ended, ...handedOver].flatMap(({ id, userId, productId }) => {
    if (productId === undefined || !notifiedIds.has(productId)) return []
    const payload = { product: productId, sid: id, sub: userId }
    return { kind: 'backchannel_logout', payload, lane: `logout/${productId}` } as const
  })
  await addOpenJobs(tx, notices, at)
}
