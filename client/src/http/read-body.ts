/** A logout token has 2,000 characters at most. */
const MAX_FORM = 10_000

/**
 * The bytes of a body, text in parts as UTF-8; `undefined` for more than `most`, of which no more is read. Rejects if the connection
 * breaks.
 */
export async function readBytes(
  source: AsyncIterable<unknown> | Iterable<unknown>,
  most: number,
): Promise<Uint8Array<ArrayBuffer> | undefined> {
  const iterator = Symbol.asyncIterator in source ? source[Symbol.asyncIterator]() : source[Symbol.iterator]()
  const body = new Uint8Array(most)
  let length = 0
  // Not `for await`: leaving it closes Node's connection before it is answered.
  for (let next = await iterator.next(); !next.done; next = await iterator.next()) {
    const part: Uint8Array = next.value instanceof Uint8Array ? next.value : new TextEncoder().encode(String(next.value))
    if (length + part.length > most) return undefined
    body.set(part, length)
    length += part.length
  }
  return body.slice(0, length)
}

/**
 * The form with a logout token, from a body that nobody has read; `undefined` for one that is too long. Anybody can send a body that breaks
 * off: that is an empty form, and no fault of this app.
 */
export async function readForm(source: AsyncIterable<unknown> | Iterable<unknown>): Promise<string | undefined> {
  const bytes = await readBytes(source, MAX_FORM).catch(() => new Uint8Array())
  return bytes && new TextDecoder().decode(bytes)
}
