import { json } from '../http/responses.ts'
import { lastEvents } from '../service/process-memory.ts'
import { type EventReceiver, type ReadBody, readEnvironment } from '../settings.ts'
import { readBody } from './delivery-body.ts'
import { type PortariaEvent, parseEvent } from './event.ts'
import { createMemoryStore, type EventStore } from './event-store.ts'
import { type DeliveryRefusal, importKeys, isSigned, parseHeaders, parseSecrets } from './verify-delivery.ts'

export interface ReceiveOptions {
  /** The endpoint's secret, `whsec_…`; two while it is rotated. Default: `PORTARIA_EVENTS_SECRET`, several separated by spaces. */
  secret?: string | readonly string[] | undefined
  /** Where the ids of handled events are kept. Default: the memory of this process, with the last 10,000. */
  store?: EventStore | undefined
  /** Called with the fault that an event is answered 500 for. Default: `console.error`. */
  onFault?: ((fault: unknown) => unknown) | undefined
  /** Ms since 1970. Default: `Date.now`. */
  now?: (() => number) | undefined
}

/** The status of each refusal. Never 410, which would end the deliveries. */
const REFUSED = {
  headers_invalid: 400,
  timestamp_too_old: 400,
  timestamp_too_new: 400,
  signature_invalid: 401,
  body_too_large: 413,
  payload_invalid: 400,
} as const satisfies Record<DeliveryRefusal | 'body_too_large' | 'payload_invalid', number>

/**
 * Receives Portaria's events, for `createPortaria({ onEvent })`. Each delivery is verified: signature, time, size. `handle` gets each
 * event once, as far as the store knows; it may come again where the process ends before the store has it. A fault of `handle` is answered
 * 500, and the event comes again. Events come in any order: see `isNewer`.
 *
 * ```ts
 * import { createPortaria } from '@portaria/client'
 * import { receiveEvents } from '@portaria/client/events'
 *
 * const portaria = createPortaria({
 *   onEvent: receiveEvents(async (event) => {
 *     if (event.type === 'access.revoked') await closeAccount(event.userId)
 *   }),
 * })
 * ```
 */
export function receiveEvents(handle: (event: PortariaEvent) => unknown, options: ReceiveOptions = {}): EventReceiver {
  const { secret, store = createMemoryStore(), onFault = console.error, now = Date.now } = options
  if (secret !== undefined) parseSecrets(secret) // the fault at the start, and not with the first event
  const running = new Map<string, Promise<void>>()
  let keys: Promise<CryptoKey[]> | undefined

  /** Concurrent deliveries of an event share one run. */
  const once = (event: PortariaEvent): Promise<void> => {
    const run = running.get(event.id) ?? runOf(event).finally(() => running.delete(event.id))
    running.set(event.id, run)
    return run
  }
  const runOf = async (event: PortariaEvent) => {
    if (await store.has(event.id)) return
    await handle(event)
    await store.add(event.id)
  }
  const receive = async (request: Request, readText: ReadBody | undefined, raw: unknown) => {
    // The environment is read late: a build has none.
    keys ??= importKeys(parseSecrets(secret ?? readEnvironment().PORTARIA_EVENTS_SECRET))
    const given = parseHeaders(request.headers, now())
    if (typeof given === 'string') return given
    const body = await readBody(request, raw, readText)
    if (!body) return 'body_too_large'
    if (!(await isSigned(body, given, await keys))) return 'signature_invalid'
    const event = parseEvent(given.id, decode(body))
    if (event?.userId) lastEvents.set(event.userId, event.id)
    return event ? once(event) : 'payload_invalid'
  }
  return async (request, readText, raw = request) => {
    try {
      const refusal = await receive(request, readText, raw)
      return refusal ? refuse(refusal) : json(200, {})
    } catch (fault) {
      onFault(fault)
      return json(500, { error: 'not handled' })
    }
  }
}

function refuse(refusal: keyof typeof REFUSED): Response {
  // The rest of a body that is too large is not read.
  return json(REFUSED[refusal], { error: refusal }, refusal === 'body_too_large' ? { connection: 'close' } : {})
}

/** Text that is no UTF-8 becomes no JSON. */
function decode(bytes: Uint8Array): string {
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes)
  } catch {
    return ''
  }
}
