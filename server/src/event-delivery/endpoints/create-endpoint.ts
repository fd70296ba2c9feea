import { startScans } from '../../access/index.ts'
import {
  type Endpoint,
  endpointStore,
  isOperatorOnly,
  needsAccess,
  needsUsers,
  parseEndpointUrl,
  startUserScan,
} from '../../app-events/index.ts'
import { type Actor, recordAudit } from '../../audit/index.ts'
import { newId, type Sealer } from '../../kit/index.ts'
import { productStore } from '../../products/index.ts'
import { rollBackRefusals, type Storage, type Transaction } from '../../storage/index.ts'
import { mintEndpointSecret, sealEndpointSecret } from './endpoint-secret.ts'
import { type EndpointDeps, found } from './on-endpoint.ts'
import { type EndpointRefusal, type NewEndpoint, refuseEndpoint } from './refuse-endpoint.ts'

/** Makes an endpoint. Answers its secret, which is shown this once. */
export function createEndpoint(
  input: NewEndpoint,
  { now, ...deps }: EndpointDeps & { sealer: Sealer; isDevelopment: boolean },
): Promise<{ endpoint: Endpoint; secret: string } | EndpointRefusal> {
  return rollBackRefusals<{ endpoint: Endpoint; secret: string }, EndpointRefusal>((refuse) =>
    deps.storage.transaction((tx) => insertEndpoint(tx, input, { ...deps, refuse, at: now() })),
  )
}

/** The dependencies of a change within a transaction that does more. A refusal must roll that transaction back (`rollBackRefusals`). */
export interface WithinDeps {
  refuse: (refusal: EndpointRefusal) => never
  storage: Pick<Storage, 'address'>
  sealer: Sealer
  isDevelopment: boolean
  at: number
  actor: Actor
}

/** Makes an endpoint within a transaction that does more. */
export async function insertEndpoint(
  tx: Transaction,
  { productSlug, url: text, types: chosen, description, isDisabled = false, secret = mintEndpointSecret() }: NewEndpoint,
  { refuse, storage, sealer, isDevelopment, at, actor }: WithinDeps,
): Promise<{ endpoint: Endpoint; secret: string }> {
  const url = parseEndpointUrl(text, { isDevelopment }) ?? refuse({ refusal: 'url_malformed' })
  const refused = refuseEndpoint({ types: chosen, description, secret })
  if (refused) refuse(refused)
  const product = productSlug === undefined ? undefined : await productStore(tx).findBySlug(productSlug)
  if (productSlug !== undefined && !product) refuse({ refusal: 'no_such_product' })
  const types = [...new Set(chosen)]
  if (product && types.some(isOperatorOnly)) refuse({ refusal: 'operator_only_type' })
  const isReady = !needsAccess(types) && !needsUsers(types)
  const endpoint: Endpoint = {
    ...{ id: newId(), productId: product?.id, url, types, description, createdAt: at },
    ...{ readyAt: isReady ? at : undefined, disabledAt: undefined, disabledReason: undefined },
    ...{ previousUntil: undefined, failingSince: undefined, warnedAt: undefined, pausedUntil: undefined },
  }
  await endpointStore(tx).insert(endpoint, sealEndpointSecret(secret, endpoint.id, sealer))
  if (isDisabled) await endpointStore(tx).disable(endpoint.id, 'operator', at)
  if (needsAccess(types)) await startScans(tx, product?.id, { at, ...storage })
  if (needsUsers(types)) await startUserScan(tx, { productId: product?.id, endpointId: endpoint.id }, storage)
  const after = { product: product?.slug ?? null, url, types, description, ...(isDisabled && { isDisabled: true }) }
  await recordAudit(tx, { actor, action: 'endpoint.create', target: endpoint.id, after }, at)
  return { endpoint: isDisabled ? await found(tx, endpoint.id) : endpoint, secret }
}
