import { endpointStore } from '../../../app-events/index.ts'
import {
  applyEndpointChange,
  disableWithEvent,
  type EndpointRefusal,
  insertEndpoint,
  isEndpointSecret,
  setEndpointSecret,
} from '../../../event-delivery/index.ts'
import type { Transaction } from '../../../storage/index.ts'
import { type EndpointConfiguration, USUAL_MANAGER } from '../form/configuration.ts'
import type { Declared } from '../listed.ts'
import { markStore } from '../mark-store.ts'
import { listToApply, ownDifferences, type Step } from './step.ts'

/** An endpoint that was made. Its secret is shown this once, unless the file has named it. */
export interface MadeEndpoint {
  path: string
  id: string
  secret: string | undefined
}

/** An endpoint that is about to be removed. */
export interface StoppedEndpoint {
  path: string
  id: string
}

/** Makes and changes endpoints. A secret that another one follows signs beside it for a day. */
export async function applyEndpoints(tx: Transaction, step: Step): Promise<MadeEndpoint[]> {
  const made: MadeEndpoint[] = []
  for (const declared of listToApply(step, 'endpoint')) {
    if (declared.is) await changeEndpoint(tx, declared, step)
    else made.push(await addEndpoint(tx, declared, step))
  }
  return made
}

/** From here on nothing is sent to them. Their deliveries are removed once the transaction has ended, in portions. */
export async function stopEndpoints(tx: Transaction, { current, differences, deps }: Step): Promise<StoppedEndpoint[]> {
  const stopped: StoppedEndpoint[] = []
  for (const { path, kind } of differences) {
    const is = kind === 'remove' ? current.objects.get(path.join('.')) : undefined
    if (is?.kind !== 'endpoint') continue
    // An earlier application may have stopped it, and been interrupted before its removal.
    const { disabledAt } = (await endpointStore(tx).holdById(is.id)) ?? {}
    if (disabledAt === undefined) await disableWithEvent(tx, is.id, { reason: 'operator', at: deps.at, actor: deps.actor })
    stopped.push({ path: path.join('.'), id: is.id })
  }
  return stopped
}

async function addEndpoint(tx: Transaction, { path, settings }: Declared, step: Step): Promise<MadeEndpoint> {
  const { secrets, deps, fail } = step
  const { url = '', types = [], description = '' }: EndpointConfiguration = settings
  const own = secrets.get(`${path}.secret`)
  const [, productSlug] = /^products\.([^.]+)\./.exec(path) ?? []
  const refuse = (why: EndpointRefusal) => fail({ path, refusal: 'endpoint_refused', why })
  const { endpoint, secret } = await insertEndpoint(tx, { productSlug, url, types, description, secret: own }, { ...deps, refuse })
  await markStore(tx).put({
    kind: 'endpoint',
    objectId: endpoint.id,
    managedBy: step.declared.managed_by ?? USUAL_MANAGER,
    name: path.split('.').at(-1) ?? '',
  })
  return { path, id: endpoint.id, secret: own === undefined ? secret : undefined }
}

async function changeEndpoint(tx: Transaction, { path, settings, is }: Declared, step: Step): Promise<void> {
  const { secrets, deps, fail } = step
  const refuse = (why: EndpointRefusal) => fail({ path, refusal: 'endpoint_refused', why })
  const before = is && (await endpointStore(tx).holdById(is.id))
  if (!before) throw new Error(`${path} was just read and is not there`)
  const differing = ownDifferences(step, path)
  const { url, types, description }: EndpointConfiguration = settings
  const change = { ...(url !== undefined && { url }), ...(types && { types }), ...(description !== undefined && { description }) }
  if (['url', 'types', 'description'].some((field) => differing.has(field)))
    await applyEndpointChange(tx, before, change, { ...deps, refuse })
  const secret = differing.has('secret') ? secrets.get(`${path}.secret`) : undefined
  if (secret === undefined) return
  if (!isEndpointSecret(secret)) refuse({ refusal: 'secret_malformed' })
  await setEndpointSecret(tx, before, secret, deps)
}
