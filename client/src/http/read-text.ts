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

/**
 * The form with a logout token, which has 2,000 characters at most. Anybody can send a body that breaks off: that is an empty form, and no
 * fault of this app.
 */
export function readForm(body: AsyncIterable<unknown> | null): Promise<string | undefined> {
  return readText(body, 10_000).catch(() => '')
}
