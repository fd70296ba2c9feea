import { FatalJobFault } from '../../outbox/index.ts'
import { fetchById } from '../adapter-kit/fetch-by-id.ts'
import type { GatewayApi } from '../gateway.ts'

/**
 * Adds the subscription's data to an event of a payment. Its id may come from metadata that the merchant fills: if it can't be found, the
 * payment still counts.
 */
export async function findSubscription(id: string | undefined, api: GatewayApi): Promise<unknown> {
  if (id === undefined) return undefined
  return fetchById(api, `/preapproval/${id}`, id).catch((fault: unknown) => {
    if (fault instanceof FatalJobFault) return undefined
    throw fault
  })
}
