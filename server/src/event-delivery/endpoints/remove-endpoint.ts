import { endpointStore } from '../../app-events/index.ts'
import { recordAudit } from '../../audit/index.ts'
import { removeDeliveries } from '../deliveries/remove-store.ts'
import { type EndpointDeps, onEndpoint } from './on-endpoint.ts'

/** With everything that waits for it. Nothing is sent from the first moment; an interrupted removal can be begun again. */
export async function removeEndpoint(id: string, deps: EndpointDeps): Promise<{ removed: true } | { refusal: 'not_found' }> {
  const { storage, now } = deps
  const stopped = await onEndpoint(id, deps, (tx) => endpointStore(tx).disable(id, 'operator', now()))
  if (stopped) return stopped
  await removeDeliveries(storage.db, id)
  return onEndpoint(id, deps, async (tx, { url }, at) => {
    await endpointStore(tx).remove(id)
    await recordAudit(tx, { actor: deps.actor, action: 'endpoint.remove', target: id, before: { url } }, at)
    return { removed: true } as const
  })
}
