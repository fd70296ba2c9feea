import type { ReadBody } from '../settings.ts'

/** Portaria's events are smaller (Standard Webhooks: under 20 kB). */
const MAX_BYTES = 20_480

/** A body that was read and parsed before this client saw it: its bytes, which were signed, are gone. */
export class BodyIsGone extends Error {
  override name = 'BodyIsGone'

  constructor() {
    super('a body parser has read the event: put portariaRoutes before it, or have it keep the bytes as `rawBody`')
  }
}

/**
 * The bytes of a delivery, exactly as they came; `undefined` for more than an event can have, of which no more is read. `raw`: the request
 * of the framework, or the same. Throws `BodyIsGone`.
 */
export async function readBody(
  request: Request,
  raw: unknown,
  readText: ReadBody | undefined,
): Promise<Uint8Array<ArrayBuffer> | undefined> {
  if (Number(request.headers.get('content-length')) > MAX_BYTES) return undefined
  if (raw === request) {
    if (!request.bodyUsed) return join(request.body ?? [])
    if (!readText) throw new BodyIsGone()
    const text = await readText() // as Hono keeps it
    return text === undefined ? undefined : join([text])
  }
  const { body, rawBody, readableDidRead } = Object(raw)
  const kept = [rawBody, body].find((one) => one instanceof Uint8Array)
  if (kept) return join([kept])
  if (readableDidRead || !isReadable(raw)) throw new BodyIsGone()
  return join(raw)
}

function isReadable(raw: unknown): raw is AsyncIterable<unknown> {
  return Symbol.asyncIterator in Object(raw)
}

/** Text in parts is UTF-8. */
async function join(source: AsyncIterable<unknown> | Iterable<unknown>): Promise<Uint8Array<ArrayBuffer> | undefined> {
  const iterator = Symbol.asyncIterator in source ? source[Symbol.asyncIterator]() : source[Symbol.iterator]()
  const body = new Uint8Array(MAX_BYTES)
  let length = 0
  // Not `for await`: leaving it closes Node's connection before it is answered.
  for (let next = await iterator.next(); !next.done; next = await iterator.next()) {
    const part: Uint8Array = next.value instanceof Uint8Array ? next.value : new TextEncoder().encode(String(next.value))
    if (length + part.length > MAX_BYTES) return undefined
    body.set(part, length)
    length += part.length
  }
  return body.slice(0, length)
}
