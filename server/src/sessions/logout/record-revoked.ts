import { listHearing, recordEvents } from '../../app-events/index.ts'
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
  const ofDomain = new Map(ended.filter(({ productId }) => productId === undefined).map((session) => [session.id, session]))
  const products = hearing.filter((productId) => productId !== undefined)
  const handedOver = (await listHandedOver(tx, [...ofDomain.keys()], products)).map(({ sessionId, productId }) => ({
    id: sessionId,
    userId: ofDomain.get(sessionId)?.userId ?? '',
    productId,
  }))
  await record(tx, [...ended, ...handedOver], at)
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
  const consented = await listConsented(
    tx,
    userId,
    others.flatMap((productId) => productId ?? []),
  )
  await record(
    tx,
    consented.map((productId) => ({ productId, userId, id: undefined })),
    at,
  )
}

function record(
  tx: Transaction,
  ended: ReadonlyArray<{ productId: string | undefined; userId: string; id: string | undefined }>,
  at: number,
): Promise<void> {
  const events = ended.map(({ productId, userId, id }) => {
    const data = { product_id: productId ?? null, user_id: userId, session_id: id ?? null }
    return { type: 'session.revoked', productId, subject: userId, sequence: at, data } as const
  })
  return recordEvents(tx, events, at)
}
