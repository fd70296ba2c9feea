/**
 * The text of a body; `undefined` for one of more characters than `most`, of which no more is read: it is closed. Rejects if the connection
 * breaks.
 */
export async function readText(body: AsyncIterable<unknown> | null, most: number): Promise<string | undefined> {
  const decoder = new TextDecoder()
  let text = ''
  for await (const part of body ?? []) {
    text += part instanceof Uint8Array ? decoder.decode(part, { stream: true }) : part
    if (text.length > most) return undefined
  }
  return text + decoder.decode()
}

export function isStream(value: unknown): value is AsyncIterable<unknown> {
  return Symbol.asyncIterator in Object(value)
}

/** The stream of a request: a reader who leaves it does not close it, which could close the connection before it is answered. */
export function leftOpen(stream: AsyncIterable<unknown>): AsyncIterable<unknown> {
  const parts = stream[Symbol.asyncIterator]()
  return { [Symbol.asyncIterator]: () => ({ next: () => parts.next() }) }
}
