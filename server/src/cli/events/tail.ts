import { isLoopback } from '../../app-events/index.ts'
import { mintEndpointSecret } from '../../event-delivery/index.ts'
import { reasonOf } from '../command/faults.ts'
import type { Outcome, Streams } from '../command/output.ts'
import { AdminRefusal, callAdmin, type Service } from './admin-call.ts'
import { follow, pause } from './follow.ts'

export interface TailOptions {
  forwardTo: string
  product?: string
  service?: string
  anywhere?: boolean
}

/** Never called: the endpoint is disabled. The name never resolves (RFC 2606). */
const NOWHERE = 'https://events-tail.invalid/'

/**
 * Follows the events of a running service by its admin API, and forwards each to a local address, signed with a secret of its own. A
 * disabled endpoint has them recorded meanwhile; it goes at the end. Ends when `signal` does.
 */
export async function tailEvents(
  { forwardTo, product, service = '', anywhere = false }: TailOptions,
  { stdout, environment }: Pick<Streams, 'stdout' | 'environment'>,
  signal: AbortSignal,
): Promise<Outcome> {
  const url = URL.canParse(forwardTo) ? new URL(forwardTo) : undefined
  if (!url || !/^https?:$/.test(url.protocol)) return { misuse: '--forward-to expects an address like http://localhost:4001/hooks' }
  if (!anywhere && !isLoopback(url)) return { misuse: '--forward-to is no address of this machine: add --anywhere if events may leave it' }
  const token = environment.PORTARIA_ADMIN_TOKEN ?? ''
  if (token === '')
    return { complaint: 'set PORTARIA_ADMIN_TOKEN: make one with `portaria token create tail --role owner --expires-days 1`' }
  if (!URL.canParse(service)) return { misuse: 'name the running service: --service https://…, or PORTARIA_URL' }
  const api: Service = { url: service, token }
  const say = (line: string) => void stdout.write(`${line}\n`)
  try {
    const { id, aheadMs } = await addListener(api, product)
    try {
      await untilReady(api, id, signal)
      const secret = mintEndpointSecret()
      say(`Forwarding to ${url.href}. Secret of these deliveries: ${secret}\nCtrl-C ends it.`)
      await follow({ api, product, url, secret, say, signal, now: () => Date.now() - aheadMs })
    } finally {
      await callAdmin(api, `endpoints/${id}`, { method: 'DELETE', body: { reason: 'events tail has ended' } })
    }
    return { json: { ended: true }, text: 'Ended.' }
  } catch (fault) {
    return {
      complaint: fault instanceof AdminRefusal ? fault.message : `the service can't be reached (${reasonOf(fault)}): check --service`,
    }
  }
}

/** `aheadMs`: how far this machine's clock is ahead of the service's, by which events are listed. */
async function addListener(api: Service, product: string | undefined): Promise<{ id: string; aheadMs: number }> {
  const { data } = await callAdmin<{ data: Array<{ type: string; operator_only?: boolean }> }>(api, 'endpoints/types')
  const types = data.filter((one) => product === undefined || one.operator_only !== true).map(({ type }) => type)
  const body = { product: product ?? null, url: NOWHERE, types, description: 'portaria events tail', disabled: true }
  const { id, created_at: at } = await callAdmin<{ id: string; created_at: string }>(api, 'endpoints', { method: 'POST', body })
  return { id, aheadMs: Date.now() - Date.parse(at) }
}

async function untilReady(api: Service, id: string, signal: AbortSignal): Promise<void> {
  while (!signal.aborted) {
    if ((await callAdmin<{ ready_at: string | null }>(api, `endpoints/${id}`)).ready_at !== null) return
    await pause(signal)
  }
}
