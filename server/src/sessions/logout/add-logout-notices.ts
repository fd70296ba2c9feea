import { addOpenJobs } from '../../outbox/index.ts'
import type { Transaction } from '../../storage/index.ts'
import type { EndedSession } from '../ends/end-store.ts'
import { listHandedOver, listNotifiedProducts } from './logout-store.ts'
import type { SessionKind } from './logout-token.ts'

/**
 * Leaves a job for each product with a logout address that knew one of these sessions, in the transaction that ends them (decision 166). A
 * product knows the session that it was given: one of its own or, for an internal product, the domain's. One that speaks OpenID Connect may
 * have both (decision 225).
 */
export async function addLogoutNotices(tx: Transaction, ended: readonly EndedSession[], at: number): Promise<void> {
  if (ended.length === 0) return
  const notified = await listNotifiedProducts(tx)
  if (notified.length === 0) return
  const isNotified = new Set(notified)
  const ofDomain = new Map(ended.filter(({ productId }) => productId === undefined).map((session) => [session.id, session]))
  const own = ended.flatMap(({ id, userId, productId }) =>
    productId !== undefined && isNotified.has(productId) ? [{ product: productId, sid: id, sub: userId }] : [],
  )
  const handedOver = (await listHandedOver(tx, [...ofDomain.keys()], notified)).map(({ sessionId, productId }) => {
    const sub = ofDomain.get(sessionId)?.userId ?? ''
    return { product: productId, sid: sessionId, sub, kind: 'domain' satisfies SessionKind }
  })
  const jobs = [...own, ...handedOver].map((payload) => {
    return { kind: 'backchannel_logout', payload, lane: `logout/${payload.product}` } as const
  })
  await addOpenJobs(tx, jobs, at)
}
