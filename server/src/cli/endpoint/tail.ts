import { setTimeout as wait } from 'node:timers/promises'
import { isLoopback } from '../../app-events/index.ts'
import { mintEndpointSecret, signDelivery } from '../../event-delivery/index.ts'
import { reasonOf } from '../command/faults.ts'
import type { Outcome, Streams } from '../command/output.ts'
import { AdminRefusal, callAdmin, type Service } from './admin-call.ts'

export interface TailOptions {
  forwardTo: string
  product?: string
  service?: string
  anywhere?: boolean
}

interface TailedEvent {
  id: string
  type: string
  occurred_at: string
  data: Record<string, unknown> | null
}

/** Never called: the endpoint is disabled. The name never resolves (RFC 2606). */
const NOWHERE = 'https://events-tail.invalid/'
const POLL_MS = 1_000
/** Events of transactions that end out of order come later than their ids say: the last seconds are read again. */
const OVERLAP_MS = 30_000
const FORWARD_MS = 30_000
const PAGE = 100

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

interface Following {
  api: Service
  product: string | undefined
  url: URL
  secret: string
  say: (line: string) => void
  signal: AbortSignal
  /** The service's time. */
  now: () => number
}

async function follow({ signal, ...given }: Following): Promise<void> {
  const { now } = given
  const seen = new Map<string, number>()
  // What was there before is not new.
  for (const { id } of await listSince(given, now() - OVERLAP_MS)) seen.set(id, now())
  let listed = now()
  while (!signal.aborted) {
    await pause(signal)
    // From the last look on, however long the receiver has taken since: it may stand at a breakpoint.
    const from = listed - OVERLAP_MS
    listed = now()
    for (const event of await listSince(given, from)) {
      if (signal.aborted) return
      if (seen.has(event.id)) continue
      seen.set(event.id, now())
      given.say(await forward(event, given, signal))
    }
    for (const [id, at] of seen) if (at < listed - 10 * OVERLAP_MS) seen.delete(id)
  }
}

/** The oldest first, all pages. */
async function listSince({ api, product }: Pick<Following, 'api' | 'product'>, since: number): Promise<TailedEvent[]> {
  const events: TailedEvent[] = []
  const query = new URLSearchParams({ sort: 'occurred_at', limit: String(PAGE), since: new Date(since).toISOString() })
  if (product !== undefined) query.set('product', product)
  for (;;) {
    const page = await callAdmin<{ data: TailedEvent[]; next_cursor: string | null }>(api, `events?${query}`)
    events.push(...page.data)
    if (page.next_cursor === null) return events
    query.set('cursor', page.next_cursor)
  }
}

/** Answers a line about it. */
async function forward(
  { id, type, occurred_at: timestamp, data }: TailedEvent,
  { url, secret }: Pick<Following, 'url' | 'secret'>,
  signal: AbortSignal,
): Promise<string> {
  const body = JSON.stringify({ type, timestamp, data })
  const at = Math.floor(Date.now() / 1000)
  const from = performance.now()
  const about = `${timestamp}  ${type}  ${id}`
  try {
    const { status } = await fetch(url, {
      method: 'POST',
      redirect: 'manual',
      headers: {
        'content-type': 'application/json',
        'webhook-id': id,
        'webhook-timestamp': String(at),
        'webhook-signature': signDelivery([secret], { id, at, body }),
      },
      body,
      signal: AbortSignal.any([signal, AbortSignal.timeout(FORWARD_MS)]),
    })
    return `${about}  ${status} in ${Math.round(performance.now() - from)} ms`
  } catch (fault) {
    const cause = fault instanceof Error && fault.cause instanceof Error ? fault.cause : fault
    return `${about}  no answer: ${reasonOf(cause)}`
  }
}

async function pause(signal: AbortSignal): Promise<void> {
  await wait(POLL_MS, undefined, { signal }).catch(() => undefined)
}
