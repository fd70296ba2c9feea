import type { ImportRecord, LineRefusal } from './import-record.ts'

/** A document is read as a whole. Larger files come as lines. */
const MAX_DOCUMENT = 256 * 1024 * 1024

/** Whether a text that begins like this is one JSON document: an array, or an object with users in it, not an object on each line. */
export function isJsonDocument(firstLine: string): boolean {
  const start = firstLine.trim()
  return start.startsWith('[') || start === '{' || /^\{\s*"users"\s*:/.test(start)
}

/** The users of a document, counted from 1. */
export async function readJsonDocument(bytes: AsyncIterable<Uint8Array>): Promise<ImportRecord[] | LineRefusal> {
  const chunks: Uint8Array[] = []
  let size = 0
  for await (const chunk of bytes) {
    size += chunk.length
    if (size > MAX_DOCUMENT) return { refused: `it is one JSON document of more than ${MAX_DOCUMENT} bytes; write one user a line` }
    chunks.push(chunk)
  }
  const parsed = parse(
    Buffer.concat(chunks)
      .toString('utf8')
      .replace(/^\u{feff}/u, ''),
  )
  const users = Array.isArray(parsed) ? parsed : isObject(parsed) ? parsed.users : undefined
  if (!Array.isArray(users)) return { refused: 'it is no whole JSON document with users; it may have been cut' }
  return users.map((value, i) => ({ line: i + 1, value }))
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null
}
