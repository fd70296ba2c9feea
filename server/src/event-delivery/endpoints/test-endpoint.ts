import { type Endpoint, endpointStore } from '../../app-events/index.ts'
import { type Actor, recordAudit } from '../../audit/index.ts'
import { newId } from '../../kit/index.ts'
import type { Storage } from '../../storage/index.ts'
import { type Attempt, hasArrived, type SendDeps, send } from '../deliveries/send.ts'
import { healthStore } from '../health-store.ts'

/** Sends an `test.ping` at once. If it arrives, a pause is over, and an endpoint that failures have disabled is enabled again. */
export async function testEndpoint(
  id: string,
  { storage, actor, ...deps }: SendDeps & { storage: Storage; actor: Actor },
): Promise<{ attempt: Attempt; enabled: boolean } | { refusal: 'not_found' }> {
  const endpoint = await endpointStore(storage.db).findById(id)
  if (!endpoint) return { refusal: 'not_found' }
  const at = deps.now()
  const message = { id: newId(), type: 'test.ping', occurredAt: at, data: JSON.stringify({ endpoint_id: id }) }
  const attempt = await send(endpoint, message, deps)
  if (!hasArrived(attempt)) return { attempt, enabled: false }
  const { url, pausedUntil } = endpoint
  if (pausedUntil !== undefined) await healthStore(storage.db).endPause(id, { url, pausedUntil })
  if (!isDisabledByFailures(endpoint)) return { attempt, enabled: false }
  const enabled = await storage.transaction(async (tx) => {
    // The test took its time: an operator may have disabled it meanwhile, or led it elsewhere.
    const now = await endpointStore(tx).holdById(id)
    if (!now || !isDisabledByFailures(now) || now.url !== endpoint.url) return false
    await endpointStore(tx).enable(id)
    await recordAudit(tx, { actor, action: 'endpoint.enable', target: id, after: { reason: 'test_arrived' } }, deps.now())
    return true
  })
  return { attempt, enabled }
}

function isDisabledByFailures({ disabledAt, disabledReason }: Endpoint): boolean {
  return disabledAt !== undefined && disabledReason !== 'operator'
}
