import type { Announce } from '../../changes/index.ts'
import type { Sealer } from '../../kit/index.ts'
import { leaveToFetch, process, statusOf } from '../../notifications/index.ts'
import type { Storage, Transaction } from '../../storage/index.ts'
import { normalize } from '../normalize.ts'
import type { Outcome } from './keep-delivery.ts'

/** The outcome of a delivery. It is completely stored when this is answered; `unverifiable` ones have no effect and are not stored. */
export interface Received {
  received: 'processed' | 'test' | 'unresolved' | 'ignored' | 'asking' | 'duplicate' | 'unverifiable'
}

interface ConcludeDeps {
  storage: Storage
  sealer: Sealer
  announce: Announce
}

interface Concluding {
  id: string
  gateway: string
  productId: string
  outcome: Outcome
  at: number
  payload: string
}

export async function conclude(
  tx: Transaction,
  { id, gateway, productId, outcome, at, payload }: Concluding,
  { storage, sealer, announce }: ConcludeDeps,
): Promise<Received> {
  const leave = () => leaveToFetch(tx, { id, source: gateway, productId }, { sealer, at })
  switch (outcome) {
    case 'ignored':
    case 'test':
      return { received: outcome }
    case 'fetch':
      await leave()
      return { received: 'asking' }
    default: {
      const normalized = normalize(outcome, { gateway, productId, at })
      const processed = await process(tx, { id, source: gateway, normalized, payload }, { announce, storage, sealer, at })
      if (!('unresolved' in processed)) return { received: 'processed' }
      if (processed.unresolved === 'unknown_payment' && outcome.mayHaveOtherNames) await leave()
      return { received: statusOf(processed.unresolved) }
    }
  }
}
