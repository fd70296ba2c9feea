import { startScans } from '../../access/index.ts'
import {
  type Endpoint,
  type EventType,
  endpointStore,
  endpointVersion,
  isOperatorOnly,
  needsAccess,
  needsUsers,
  parseEndpointUrl,
  startUserScan,
} from '../../app-events/index.ts'
import { type Actor, recordAudit } from '../../audit/index.ts'
import type { Now } from '../../kit/index.ts'
import { rollBackRefusals, type Storage, type Transaction } from '../../storage/index.ts'
import type { WithinDeps } from './create-endpoint.ts'
import { type EndpointRefusal, type NewEndpoint, refuseEndpoint } from './refuse-endpoint.ts'

/** The fields that may be changed; an absent one stays. Whose endpoint it is stays: another product's would be another endpoint. */
export type EndpointChange = Partial<Pick<NewEndpoint, 'url' | 'types' | 'description'>>

/**
 * Changes an endpoint. The secret stays, and what waits goes to the new address. An endpoint that has not heard of access before is
 * *preparing* again until every user's access is known; another address begins with a clean record. `seen`: the version that the caller has
 * seen (`endpointVersion`); another one since then refuses it.
 */
export async function changeEndpoint(
  id: string,
  change: EndpointChange,
  {
    storage,
    now,
    actor,
    seen,
    isDevelopment,
  }: { storage: Storage; now: Now; actor: Actor; seen?: string | undefined; isDevelopment: boolean },
): Promise<Endpoint | ChangeRefusal> {
  return rollBackRefusals<Endpoint, ChangeRefusal>((refuse) =>
    storage.transaction(async (tx) => {
      const before = (await endpointStore(tx).holdById(id)) ?? refuse({ refusal: 'not_found' })
      if (seen !== undefined && endpointVersion(before) !== seen) refuse({ refusal: 'changed_meanwhile' })
      return applyEndpointChange(tx, before, change, { storage, actor, isDevelopment, refuse, at: now() })
    }),
  )
}

type ChangeRefusal = EndpointRefusal | { refusal: 'not_found' | 'changed_meanwhile' }

/** The same within a transaction that changes more and holds the endpoint. */
export async function applyEndpointChange(
  tx: Transaction,
  before: Endpoint,
  { url: text, types: chosen, description }: EndpointChange,
  { refuse, storage, isDevelopment, at, actor }: Omit<WithinDeps, 'sealer'>,
): Promise<Endpoint> {
  const { id } = before
  const isSame = text === undefined || text === before.url
  const url = isSame ? before.url : (parseEndpointUrl(text, { isDevelopment }) ?? refuse({ refusal: 'url_malformed' }))
  const wanted = { url, types: [...new Set(chosen ?? before.types)], description: description ?? before.description }
  const refused = refuseEndpoint(wanted)
  if (refused) refuse(refused)
  // An endpoint keeps a type that it has already: a change of something else must not fail.
  const added = wanted.types.filter((type) => !before.types.includes(type))
  if (before.productId !== undefined && added.some(isOperatorOnly)) refuse({ refusal: 'operator_only_type' })
  const begins = beginsToHear(before.types, wanted.types)
  await endpointStore(tx).change(id, { ...wanted, readyAt: begins.isPreparing ? undefined : before.readyAt })
  if (url !== before.url) await endpointStore(tx).forgetFailures(id)
  if (begins.access) await startScans(tx, before.productId, { at, ...storage })
  if (begins.users) await startUserScan(tx, { productId: before.productId, endpointId: id }, storage)
  const was = { url: before.url, types: before.types, description: before.description }
  await recordAudit(tx, { actor, action: 'endpoint.change', target: id, before: was, after: wanted }, at)
  return (await endpointStore(tx).findById(id)) ?? missing()
}

/** An endpoint that hears of access already must not be preparing again for the users' sake: it would miss changes of access. */
function beginsToHear(before: readonly EventType[], after: readonly EventType[]) {
  const access = needsAccess(after) && !needsAccess(before)
  const users = needsUsers(after) && !needsUsers(before)
  return { access, users, isPreparing: access || (users && !needsAccess(before)) }
}

function missing(): never {
  throw new Error('an endpoint just written is not there')
}
