import { hearsOfHandovers, markMetUser } from '../../app-events/index.ts'
import type { Now } from '../../kit/index.ts'
import type { Product } from '../../products/index.ts'
import type { Queryable, Storage, Transaction } from '../../storage/index.ts'
import { sessionStore } from '../store.ts'
import { findUserOf, putHandedOver } from './logout-store.ts'

type Handed = { sessionId: string; product: Pick<Product, 'id' | 'backchannelLogoutUri'> }

/** Notes that an internal product receives a session of the domain, if that product hears of its end, by a notice or an event. */
export async function recordHandover({ sessionId, product }: Handed, { storage, now }: { storage: Storage; now: Now }): Promise<void> {
  if (!(await hearsOfEnd(storage.db, product))) return
  await storage.transaction(async (tx) => {
    if (await sessionStore(tx).hold(sessionId, now())) await put(tx, { sessionId, product })
  })
}

/** The same in a transaction that holds the session already. */
export async function recordHeldHandover(tx: Transaction, { sessionId, product }: Handed): Promise<void> {
  if (await hearsOfEnd(tx, product)) await put(tx, { sessionId, product })
}

async function put(tx: Transaction, { sessionId, product }: Handed): Promise<void> {
  await putHandedOver(tx, sessionId, product.id)
  const userId = await findUserOf(tx, sessionId)
  if (userId !== undefined) await markMetUser(tx, { productId: product.id, userId })
}

async function hearsOfEnd(db: Queryable, { id, backchannelLogoutUri }: Handed['product']): Promise<boolean> {
  return backchannelLogoutUri !== undefined || hearsOfHandovers(db, id)
}
