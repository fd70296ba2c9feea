/**
 * Portaria's answers are a few hundred bytes, its keys a few thousand. A longer answer is not Portaria's, and could fill this server's
 * memory.
 */
const MAX_BYTES = 65_536

/** The text of an answer; `undefined` for one that is too long, of which no more is read. Rejects if the connection breaks. */
export async function readText({ body }: Response): Promise<string | undefined> {
  const decoder = new TextDecoder()
  let text = ''
  let length = 0
  for await (const part of body ?? []) {
    length += part.length
    if (length > MAX_BYTES) return undefined // which closes it
    text += decoder.decode(part, { stream: true })
  }
  return text + decoder.decode()
}
