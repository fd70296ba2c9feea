import { endpointStore, recordEvent } from '../../app-events/index.ts'
import { type Actor, recordAudit } from '../../audit/index.ts'
import type { Transaction } from '../../storage/index.ts'

/** Disables an endpoint, and reports it to the operator's other endpoints. The caller holds its row. */
export async function disableWithEvent(
  tx: Transaction,
  id: string,
  { reason, at, actor }: { reason: 'operator' | 'gone' | 'failing'; at: number; actor: Actor },
): Promise<void> {
  const endpoints = endpointStore(tx)
  await endpoints.disable(id, reason, at)
  await recordAudit(tx, { actor, action: 'endpoint.disable', target: id, after: { reason } }, at)
  const endpoint = await endpoints.findById(id)
  if (!endpoint) return
  const { productId, url, description } = endpoint
  const data = { endpoint_id: id, product_id: productId ?? null, url, description, reason }
  await recordEvent(tx, { type: 'endpoint.disabled', productId: undefined, subject: id, sequence: at, data }, at)
}
