import { type Endpoint, endpointStore } from '../../app-events/index.ts'
import { recordAudit } from '../../audit/index.ts'
import { disableWithEvent } from './disable-endpoint.ts'
import { type EndpointDeps, found, onEndpoint } from './on-endpoint.ts'

/** Nothing is sent from then on. Events of the meantime can be replayed. */
export function disableEndpoint(id: string, deps: EndpointDeps): Promise<Endpoint | { refusal: 'not_found' | 'already_so' }> {
  return onEndpoint(id, deps, async (tx, { disabledAt }, at) => {
    if (disabledAt !== undefined) return { refusal: 'already_so' }
    await disableWithEvent(tx, id, { reason: 'operator', at, actor: deps.actor })
    return found(tx, id)
  })
}

/** Pending deliveries are sent at once. */
export function enableEndpoint(id: string, deps: EndpointDeps): Promise<Endpoint | { refusal: 'not_found' | 'already_so' }> {
  return onEndpoint(id, deps, async (tx, { disabledAt }, at) => {
    if (disabledAt === undefined) return { refusal: 'already_so' }
    await endpointStore(tx).enable(id)
    await recordAudit(tx, { actor: deps.actor, action: 'endpoint.enable', target: id }, at)
    return found(tx, id)
  })
}
