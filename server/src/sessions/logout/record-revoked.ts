import { listHearing, recordEvent } from '../../app-events/index.ts'
import type { Transaction } from '../../storage/index.ts'
import type { EndedSession } from '../ends/end-store.ts'
import { listConsented, listHandedOver } from './logout-store.ts'

/**
 * Records the end of sessions for those who hear of it, in the transaction that ends them. A product hears of the sessions that it was
 * given: its own or, for an internal product, the domain's. The operator hears of every session.
 */
export async function recordRevoked(tx: Transaction, ended: readonly EndedSession[], at: number): Promise<void> {
  if (ended.length === 0) return
  const hearing = await listHearing(tx, 'session.revoked')
  if (hearing.length === 0) return
  for (const { id, userId, productId } of ended) await recordOne(tx, { productId, userId, sessionId: id }, at)
  const ofDomain = new Map(ended.filter(({ productId }) => productId === undefined).map((session) => [session.id, session]))
  const products = hearing.filter((productId) => productId !== undefined)
  for (const { sessionId, productId } of await listHandedOver(tx, [...ofDomain.keys()], products)) {
    await recordOne(tx, { productId, userId: ofDomain.get(sessionId)?.userId ?? '', sessionId }, at)
  }
}

/**
 * Records the end of all sessions of a user for the products that the user has agreed to share data with and that had none of these
 * sessions: such an app may have a session of its own.
 */
export async function recordAllRevoked(
  tx: Transaction,
  { userId, ended }: { userId: string; ended: readonly EndedSession[] },
  at: number,
): Promise<void> {
  if (ended.length === 0) return
  const hearing = await listHearing(tx, 'session.revoked')
  const others = hearing.filter((productId) => productId !== undefined && !ended.some((session) => session.productId === productId))
  for (const productId of await listConsented(
    tx,
    userId,
    others.flatMap((productId) => productId ?? []),
  )) {
    await recordOne(tx, { productId, userId, sessionId: undefined }, at)
  }
}

function recordOne(
  tx: Transaction,
  { productId, userId, sessionId }: { productId: string | undefined; userId: string; sessionId: string | undefined },
  at: number,
): Promise<void> {
  const data = { product_id: productId ?? null, user_id: userId, session_id: sessionId ?? null }
  return recordEvent(tx, { type: 'session.revoked', productId, subject: userId, sequence: at, data }, at)
}
