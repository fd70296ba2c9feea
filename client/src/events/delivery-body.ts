import { readBytes } from '../http/read-body.ts'
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
    if (!request.bodyUsed) return readBytes(request.body ?? [], MAX_BYTES)
    if (!readText) throw new BodyIsGone()
    const text = await readText() // as Hono keeps it
    return text === undefined ? undefined : readBytes([text], MAX_BYTES)
  }
  const { body, rawBody, readableDidRead } = Object(raw)
  const kept = [rawBody, body].find((one) => one instanceof Uint8Array)
  if (kept) return readBytes([kept], MAX_BYTES)
  if (readableDidRead || !isReadable(raw)) throw new BodyIsGone()
  return readBytes(raw, MAX_BYTES)
}

function isReadable(raw: unknown): raw is AsyncIterable<unknown> {
  return Symbol.asyncIterator in Object(raw)
}
