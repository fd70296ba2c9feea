import type { GuardedFetch } from '../guarded-fetch/index.ts'
import type { Now } from '../kit/index.ts'
import { type Gateway, type GatewayCredentials, productStore } from '../products/index.ts'
import type { Storage } from '../storage/index.ts'
import { adapters } from './adapters.ts'
import { createGatewayApi } from './fetching/gateway-api.ts'
import type { Endpoint } from './gateway.ts'

const TIMEOUT_MS = 10_000

/** The faults of a product's webhook as its gateway has it registered. */
export interface EndpointFaults {
  /** No webhook there has the product's address. */
  isAbsent: boolean
  isOff: boolean
  /** Missing events that nothing else reports in time. */
  missing: string[]
}

/** Why the list of webhooks could not be read, in plain words and without a secret: the access token may lack that right. */
export interface UnreadEndpoints {
  unread: string
}

/** Asks a gateway which events it sends to a product. `undefined`: this gateway has no such list. */
export async function examineEndpoints(
  {
    gateway,
    productId,
    credentials,
  }: { gateway: Gateway; productId: string; credentials: Pick<GatewayCredentials, 'accessToken' | 'apiUrl'> },
  { storage, guardedFetch, now }: { storage: Storage; guardedFetch: GuardedFetch; now: Now },
): Promise<EndpointFaults | UnreadEndpoints | undefined> {
  const adapter = adapters[gateway]
  if (!adapter.endpoints) return undefined
  const signal = AbortSignal.timeout(TIMEOUT_MS)
  const api = createGatewayApi({ guardedFetch: (url, init) => guardedFetch(url, { ...init, signal }), adapter, credentials, now })
  const all = await adapter.endpoints.list(api).catch((fault): UnreadEndpoints => ({ unread: sentenceOf(fault) }))
  if ('unread' in all) return all
  const own: Endpoint[] = []
  for (const endpoint of all) if (await isOfProduct(endpoint, { gateway, productId, storage })) own.push(endpoint)
  if (own.length === 0) return { isAbsent: true, isOff: false, missing: [] }
  const sent = new Set(own.flatMap(({ isOn, events }) => (isOn ? events : [])))
  const missing = sent.has('*') ? [] : adapter.endpoints.wanted.filter((event) => !sent.has(event))
  const isOff = !own.some(({ isOn }) => isOn)
  return { isAbsent: false, isOff, missing: isOff ? [] : missing }
}

function sentenceOf(fault: unknown): string {
  return fault instanceof Error ? fault.message : String(fault)
}

/** Matched by the webhook key at the end of its address: a proxy may have another host. */
async function isOfProduct(
  { url }: Endpoint,
  { gateway, productId, storage }: { gateway: Gateway; productId: string; storage: Storage },
): Promise<boolean> {
  const [, name, key] = /\/api\/webhooks\/([a-z]+)\/(wk_[\w-]{1,100})$/.exec(URL.parse(url)?.pathname ?? '') ?? []
  return name === gateway && key !== undefined && (await productStore(storage.db).findByWebhookKey(key))?.id === productId
}
