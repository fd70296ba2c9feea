import { startScans } from '../access/index.ts'
import {
  type Endpoint,
  type EventType,
  endpointStore,
  isOperatorOnly,
  needsAccess,
  needsUsers,
  parseEndpointUrl,
  startUserScan,
} from '../app-events/index.ts'
import { type Actor, recordAudit } from '../audit/index.ts'
import { isVisibleLine, type Now, newId, type Sealer } from '../kit/index.ts'
import { productStore } from '../products/index.ts'
import { rollBackRefusals, type Storage, type Transaction } from '../storage/index.ts'
import { removeDeliveries } from './delivery-store.ts'
import { disableWithEvent } from './disable-endpoint.ts'
import { isEndpointSecret, mintEndpointSecret, ROTATION_MS, sealEndpointSecret } from './endpoint-secret.ts'

interface Deps {
  storage: Storage
  now: Now
  actor: Actor
}

export interface NewEndpoint {
  /** `undefined`: the operator's. */
  productSlug: string | undefined
  url: string
  types: readonly EventType[]
  description: string
  /** Its events are recorded, and nothing is sent until it is enabled. */
  isDisabled?: boolean
  /** Of the caller's own; made where none is given. */
  secret?: string | undefined
}

export type EndpointRefusal = {
  refusal: 'url_malformed' | 'types_missing' | 'operator_only_type' | 'description_malformed' | 'secret_malformed' | 'no_such_product'
}

const MAX_DESCRIPTION = 200

/** Makes an endpoint. Answers its secret, which is shown this once. */
export function createEndpoint(
  input: NewEndpoint,
  { now, ...deps }: Deps & { sealer: Sealer; isDevelopment: boolean },
): Promise<{ endpoint: Endpoint; secret: string } | EndpointRefusal> {
  return rollBackRefusals<{ endpoint: Endpoint; secret: string }, EndpointRefusal>((refuse) =>
    deps.storage.transaction((tx) => insertEndpoint(tx, input, { ...deps, refuse, at: now() })),
  )
}

/** What the making of an endpoint needs of a transaction that does more; a refusal must roll it back (`rollBackRefusals`). */
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
  const after = { product: product?.slug ?? null, url, types, description, ...(isDisabled && { disabled: true }) }
  await recordAudit(tx, { actor, action: 'endpoint.create', target: endpoint.id, after }, at)
  return { endpoint: isDisabled ? await found(tx, endpoint.id) : endpoint, secret }
}

/** What of an endpoint can't be, besides its address. */
export function refuseEndpoint({
  types,
  description,
  secret,
}: Pick<NewEndpoint, 'types' | 'description' | 'secret'>): EndpointRefusal | undefined {
  if (secret !== undefined && !isEndpointSecret(secret)) return { refusal: 'secret_malformed' }
  if (types.length === 0) return { refusal: 'types_missing' }
  if (description !== '' && !isVisibleLine(description, MAX_DESCRIPTION)) return { refusal: 'description_malformed' }
  return undefined
}

/** Makes a new secret, shown this once. For a day deliveries are signed with the one before, too. */
export async function rotateEndpointSecret(
  id: string,
  { sealer, actor, ...deps }: Deps & { sealer: Sealer },
): Promise<{ secret: string; previousUntil: number } | { refusal: 'not_found' }> {
  const secret = mintEndpointSecret()
  return onEndpoint(id, deps, async (tx, before, at) => ({
    secret,
    previousUntil: await setEndpointSecret(tx, before, secret, { sealer, at, actor }),
  }))
}

/** The same with a secret that is given, within a transaction that holds the endpoint. Answers until when the one before signs, too. */
export async function setEndpointSecret(
  tx: Transaction,
  { id, secretSealed: previousSealed }: Held,
  secret: string,
  { sealer, at, actor }: Pick<WithinDeps, 'sealer' | 'at' | 'actor'>,
): Promise<number> {
  const previousUntil = at + ROTATION_MS
  await endpointStore(tx).setSecrets(id, { secretSealed: sealEndpointSecret(secret, id, sealer), previousSealed, previousUntil })
  await recordAudit(tx, { actor, action: 'endpoint.rotate_secret', target: id }, at)
  return previousUntil
}

/** Nothing is sent from then on. Events of the meantime can be replayed. */
export function disableEndpoint(id: string, deps: Deps): Promise<Endpoint | { refusal: 'not_found' | 'already_so' }> {
  return onEndpoint(id, deps, async (tx, { disabledAt }, at) => {
    if (disabledAt !== undefined) return { refusal: 'already_so' }
    await disableWithEvent(tx, id, { reason: 'operator', at, actor: deps.actor })
    return found(tx, id)
  })
}

/** Pending deliveries are sent at once. */
export function enableEndpoint(id: string, deps: Deps): Promise<Endpoint | { refusal: 'not_found' | 'already_so' }> {
  return onEndpoint(id, deps, async (tx, { disabledAt }, at) => {
    if (disabledAt === undefined) return { refusal: 'already_so' }
    await endpointStore(tx).enable(id)
    await recordAudit(tx, { actor: deps.actor, action: 'endpoint.enable', target: id }, at)
    return found(tx, id)
  })
}

/** With everything that waits for it. Nothing is sent from the first moment; an interrupted removal can be begun again. */
export async function removeEndpoint(id: string, deps: Deps): Promise<{ removed: true } | { refusal: 'not_found' }> {
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

type Held = NonNullable<Awaited<ReturnType<ReturnType<typeof endpointStore>['holdById']>>>

function onEndpoint<T>(
  id: string,
  { storage, now }: Pick<Deps, 'storage' | 'now'>,
  work: (tx: Transaction, held: Held, at: number) => Promise<T>,
): Promise<T | { refusal: 'not_found' }> {
  return storage.transaction(async (tx) => {
    const held = await endpointStore(tx).holdById(id)
    return held ? work(tx, held, now()) : { refusal: 'not_found' as const }
  })
}

async function found(tx: Transaction, id: string): Promise<Endpoint> {
  const endpoint = await endpointStore(tx).findById(id)
  if (!endpoint) throw new Error('an endpoint just written is not there')
  return endpoint
}
