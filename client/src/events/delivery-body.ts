import { isStream, leftOpen } from '../http/read-text.ts'
import type { ReadBody } from '../settings.ts'

/** Portaria's events are smaller (Standard Webhooks: under 20 kB). */
const MAX_BYTES = 20_480

/**
 * The bytes of a delivery, exactly as they came; `undefined` for more than an event can have, of which no more is read. `raw`: the request
 * of the framework, or the same. Throws for a body that was read and parsed before this client saw it: its bytes, which were signed, are
 * gone.
 */
export async function readBody(
  request: Request,
  raw: unknown,
  readText: ReadBody | undefined,
): Promise<Uint8Array<ArrayBuffer> | undefined> {
  if (Number(request.headers.get('content-length')) > MAX_BYTES) return undefined
  if (raw === request) {
    if (!request.bodyUsed) return join(request.body ? leftOpen(request.body) : [])
    if (!readText) throw bodyIsGone()
    const text = await readText() // as Hono keeps it
    return text === undefined ? undefined : join([text])
  }
  const { body, rawBody, readableDidRead } = Object(raw)
  const kept = [rawBody, body].find((one) => one instanceof Uint8Array)
  if (kept) return join([kept])
  if (readableDidRead || !isStream(raw)) throw bodyIsGone()
  return join(leftOpen(raw))
}

/** Text in parts is UTF-8. */
async function join(parts: AsyncIterable<unknown> | Iterable<unknown>): Promise<Uint8Array<ArrayBuffer> | undefined> {
  const body = new Uint8Array(MAX_BYTES)
  let length = 0
  for await (const part of parts) {
    const bytes = part instanceof Uint8Array ? part : new TextEncoder().encode(String(part))
    if (length + bytes.length > MAX_BYTES) return undefined
    body.set(bytes, length)
    length += bytes.length
  }
  return body.slice(0, length)
}

function bodyIsGone(): Error {
  return new Error('a body parser has read the event: put portariaRoutes before it, or have it keep the bytes as `rawBody`')
}
