import { type Cursor, createCursor, endOf, SPACE } from './cursor.ts'
import { decode, NotUnderstood, UNSTORABLE } from './decode.ts'
import type { XmlElement } from './element.ts'

const MAX_DEPTH = 40

const MAX_ELEMENTS = 5_000

const MAX_ATTRIBUTES = 60

const NAME = /[A-Za-z_][\w.-]*(?::[A-Za-z_][\w.-]*)?/y

const ATTRIBUTE = /\s+([A-Za-z_][\w.-]*(?::[A-Za-z_][\w.-]*)?)\s*=\s*(?:"([^"<]*)"|'([^'<]*)')/y

const TAG_END = /\s*(\/?)>/y

const CLOSING = /<\/([A-Za-z_][\w.:-]*)\s*>/y

const DECLARATION = /<\?xml\s[^?<>]*\?>/y

/** Without a subset of its own, which could define entities. */
const DOCTYPE = /<!DOCTYPE\s[^[\]<>]*>/iy

/**
 * Parses a small part of XML, and nothing that this part leaves out: no entities of the document's own, no processing instructions, no
 * nesting deeper than any drawing needs. `undefined` for everything else. Comments are left out. Its time grows with the length alone.
 */
export function parseXml(text: string): XmlElement | undefined {
  if (UNSTORABLE.test(text)) return undefined
  try {
    return readDocument(createCursor(text.replace(/^\ufeff/, '')))
  } catch (error) {
    if (error instanceof NotUnderstood) return undefined
    throw error
  }
}

function readDocument(cursor: Cursor): XmlElement {
  cursor.take(SPACE)
  cursor.take(DECLARATION)
  skipBetween(cursor)
  cursor.take(DOCTYPE)
  skipBetween(cursor)
  const root = readElement(cursor, 0)
  skipBetween(cursor)
  if (cursor.at !== cursor.text.length) throw new NotUnderstood()
  return root
}

function skipBetween(cursor: Cursor): void {
  do cursor.take(SPACE)
  while (skipComment(cursor))
}

function skipComment(cursor: Cursor): boolean {
  if (!cursor.text.startsWith('<!--', cursor.at)) return false
  cursor.at = endOf(cursor, '-->', 4)
  return true
}

function readElement(cursor: Cursor, depth: number): XmlElement {
  if (cursor.text[cursor.at] !== '<' || depth > MAX_DEPTH || ++cursor.elements > MAX_ELEMENTS) throw new NotUnderstood()
  cursor.at++
  const name = cursor.take(NAME)?.[0]
  if (name === undefined) throw new NotUnderstood()
  const attributes = readAttributes(cursor)
  const end = cursor.take(TAG_END)
  if (!end) throw new NotUnderstood()
  return { name, attributes, children: end[1] === '/' ? [] : readChildren(cursor, name, depth) }
}

function readAttributes(cursor: Cursor): Map<string, string> {
  const attributes = new Map<string, string>()
  for (let found = cursor.take(ATTRIBUTE); found; found = cursor.take(ATTRIBUTE)) {
    const [, name = '', double, single = ''] = found
    if (attributes.has(name) || attributes.size >= MAX_ATTRIBUTES) throw new NotUnderstood()
    attributes.set(name, decode(double ?? single))
  }
  return attributes
}

function readChildren(cursor: Cursor, name: string, depth: number): Array<XmlElement | string> {
  const children: Array<XmlElement | string> = []
  for (;;) {
    const closing = cursor.take(CLOSING)
    if (closing && closing[1] !== name) throw new NotUnderstood()
    if (closing) return children
    if (skipComment(cursor)) continue
    if (cursor.text.startsWith('<![CDATA[', cursor.at)) {
      const end = endOf(cursor, ']]>', 9)
      children.push(cursor.text.slice(cursor.at + 9, end - 3))
      cursor.at = end
    } else if (cursor.text[cursor.at] === '<') children.push(readElement(cursor, depth + 1))
    else {
      const end = cursor.text.indexOf('<', cursor.at)
      if (end < 0) throw new NotUnderstood()
      children.push(decode(cursor.text.slice(cursor.at, end)))
      cursor.at = end
    }
  }
}
