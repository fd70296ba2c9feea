/** A line of a text, without its line break. */
export interface TextLine {
  /** Counted from 1. */
  number: number
  text: string
  /** Whether a line break follows. Only the last line may have none. */
  ended: boolean
}

export type Encoding = 'utf-8' | 'windows-1252'

/** No line needs more. The rest of a longer one is not kept. */
export const MAX_LINE = 20_000

/** Splits a text at its line feeds. A line that is too long is cut above `MAX_LINE`, so that it is known to be too long. */
export async function* readTextLines(bytes: AsyncIterable<Uint8Array>, encoding: Encoding): AsyncGenerator<TextLine> {
  const decoder = new TextDecoder(encoding)
  let [number, pending] = [0, '']
  for await (const chunk of bytes) {
    const parts = decoder.decode(chunk, { stream: true }).split('\n')
    const rest = parts.pop() ?? ''
    for (const part of parts) {
      yield { number: ++number, text: (pending + part).slice(0, MAX_LINE + 1).replace(/\r$/, ''), ended: true }
      pending = ''
    }
    pending = (pending + rest).slice(0, MAX_LINE + 1)
  }
  pending += decoder.decode()
  if (pending !== '') yield { number: number + 1, text: pending.replace(/\r$/, ''), ended: false }
}

/**
 * The encoding of a text. Excel in Brazil writes Windows-1252, Latin-1's superset, and says so nowhere. A text that is broken as UTF-8 and
 * has nothing but ASCII besides is taken for that. `undefined` for UTF-16 and for what is no text.
 */
export async function detectEncoding(bytes: AsyncIterable<Uint8Array>): Promise<Encoding | undefined> {
  const decoder = new TextDecoder('utf-8')
  let [broken, beyondAscii] = [false, false]
  for await (const chunk of bytes) {
    // No flush at the end: a character that was cut in two says nothing of the rest.
    const text = decoder.decode(chunk, { stream: true })
    if (text.includes('\0')) return undefined
    broken ||= text.includes('\u{fffd}')
    beyondAscii ||= /[^\0-\x7f\u{fffd}]/u.test(text)
  }
  return broken && !beyondAscii ? 'windows-1252' : 'utf-8'
}
