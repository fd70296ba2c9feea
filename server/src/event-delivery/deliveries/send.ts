import type { SealedEndpoint } from '../../app-events/index.ts'
import type { GuardedFetch } from '../../guarded-fetch/index.ts'
import type { Now, Sealer } from '../../kit/index.ts'
import { openSecrets, signDelivery } from '../endpoints/endpoint-secret.ts'
import { parseRetryAfter } from './retries.ts'

export interface SendDeps {
  guardedFetch: GuardedFetch
  sealer: Sealer
  now: Now
}

/** An event as it is sent. */
export interface Message {
  id: string
  type: string
  occurredAt: number
  /** JSON. */
  data: string
}

/** One attempt. `status`: the endpoint's answer; `fault`: why there was none. */
export interface Attempt {
  at: number
  ms: number
  status: number | undefined
  fault: string | undefined
  /** The beginning of the answer. */
  answer: string | undefined
  retryAfterMs: number | undefined
}

/** The time for one delivery. */
export const DELIVERY_MS = 15_000
/** The status decides. The answer is for people to look at, and nobody waits long for it. */
const ANSWER_MS = 1_000
const ANSWER_BYTES = 2_048
const MAX_FAULT = 300

export function hasArrived({ status }: Pick<Attempt, 'status'>): boolean {
  return status !== undefined && status >= 200 && status < 300
}

/** Whether a failed attempt has its whole endpoint wait, as by `Retry-After`. */
export function asksForPause(attempt: Pick<Attempt, 'status' | 'retryAfterMs'>): boolean {
  return !hasArrived(attempt) && (attempt.retryAfterMs ?? 0) > 0
}

/** Delivers an event once, as Standard Webhooks. A redirect is not followed: the event is for the registered address. */
export async function send(endpoint: SealedEndpoint, message: Message, { guardedFetch, sealer, now }: SendDeps): Promise<Attempt> {
  const at = now()
  const from = performance.now()
  const body = bodyOf(message)
  const secrets = openSecrets(endpoint, { sealer, at })
  const seconds = Math.floor(at / 1000)
  const nothing = { at, status: undefined, answer: undefined, retryAfterMs: undefined }
  if (secrets.length === 0) return { ...nothing, ms: 0, fault: 'the secret does not open with this master key' }
  try {
    const response = await guardedFetch(endpoint.url, {
      method: 'POST',
      headers: {
        'content-type': 'application/json',
        'user-agent': 'Portaria',
        'webhook-id': message.id,
        'webhook-timestamp': String(seconds),
        'webhook-signature': signDelivery(secrets, { id: message.id, at: seconds, body }),
      },
      body,
      signal: AbortSignal.timeout(DELIVERY_MS),
    })
    const ms = Math.round(performance.now() - from)
    const retryAfterMs = parseRetryAfter(response.headers.get('retry-after'), at)
    return { at, ms, status: response.status, fault: undefined, answer: await readBeginning(response), retryAfterMs }
  } catch (fault) {
    return { ...nothing, ms: Math.round(performance.now() - from), fault: reasonOf(fault).slice(0, MAX_FAULT) }
  }
}

export function bodyOf({ type, occurredAt, data }: Message): string {
  return `{"type":${JSON.stringify(type)},"timestamp":"${new Date(occurredAt).toISOString()}","data":${data}}`
}

async function readBeginning({ body }: Response): Promise<string | undefined> {
  if (!body) return undefined
  const reader = body.getReader()
  const chunks: Uint8Array[] = []
  let bytes = 0
  const timer = setTimeout(() => void reader.cancel().catch(() => {}), ANSWER_MS)
  try {
    while (bytes < ANSWER_BYTES) {
      const { done, value } = await reader.read()
      if (done) break
      chunks.push(value)
      bytes += value.byteLength
    }
  } catch {
    // The status has come; an answer that breaks off, or is too long, changes nothing.
  }
  clearTimeout(timer)
  void reader.cancel().catch(() => {})
  // A NUL can't be stored in PostgreSQL's text.
  return Buffer.concat(chunks).subarray(0, ANSWER_BYTES).toString('utf8').replaceAll('\0', '\u{fffd}')
}

function reasonOf(fault: unknown): string {
  if (!(fault instanceof Error)) return 'unknown fault'
  if (fault.name === 'TimeoutError') return 'no answer in 15 seconds'
  return fault.cause instanceof Error ? fault.cause.message : fault.message
}
