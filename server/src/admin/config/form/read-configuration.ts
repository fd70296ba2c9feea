import { isMap, isScalar, LineCounter, type Pair, parseDocument, visit } from 'yaml'
import type { z } from 'zod'
import { type Configuration, configurationSchema } from './configuration.ts'

/** A fault of the file, with its line (from 1) where one can be named. */
export interface FileFault {
  line: number | undefined
  says: string
}

/**
 * Reads a file of settings: YAML 1.2, and so JSON as well. An unknown key is a fault, since a misspelled one would silently change nothing;
 * so is a key that stands twice, an alias (its text would grow without end) and a tag.
 */
export function readConfiguration(text: string): Configuration | { faults: FileFault[] } {
  const lines = new LineCounter()
  const document = parseDocument(text, { lineCounter: lines, strict: true, uniqueKeys: false, prettyErrors: false })
  const faults: FileFault[] = document.errors.map(({ pos, message }) => ({ line: lines.linePos(pos[0]).line, says: message }))
  const fault = (at: number | undefined, says: string) =>
    void faults.push({ line: at === undefined ? undefined : lines.linePos(at).line, says })
  visit(document, {
    // The library compares each key of a map with each other: a file of 1 MB would take it twenty minutes.
    Map: (_key, { items }) => {
      const seen = new Set<unknown>()
      for (const { key } of items) {
        if (!isScalar(key)) continue
        if (seen.has(key.value)) fault(key.range?.[0], 'Map keys must be unique')
        seen.add(key.value)
      }
    },
    Alias: (_key, { range }) => fault(range?.[0], 'aliases are not taken: write it out'),
  })
  if (document.warnings.length > 0)
    faults.push(...document.warnings.map(({ pos, message }) => ({ line: lines.linePos(pos[0]).line, says: message })))
  if (faults.length > 0) return { faults: first(faults) }
  const read = configurationSchema.safeParse(document.toJS())
  if (read.success) return read.data
  const lineOf = (path: readonly PropertyKey[]): number | undefined => {
    for (let length = path.length; length > 0; length--) {
      const node = nodeAt(document.contents, path.slice(0, length))
      const from = node?.range?.[0]
      if (from !== undefined) return lines.linePos(from).line
    }
    return undefined
  }
  return {
    faults: first(faultsOf(read.error)).map(({ path, says }) => ({ line: lineOf(path), says: `${path.join('.') || 'the file'}: ${says}` })),
  }
}

/** As many as somebody mends at once: a file can have a hundred thousand. */
function first<One>(faults: readonly One[]): One[] {
  return faults.slice(0, MAX_FAULTS)
}

const MAX_FAULTS = 100

interface Fault {
  path: PropertyKey[]
  says: string
}

/** The faults as sentences, each at the field that it is about. */
function faultsOf({ issues }: z.ZodError): Fault[] {
  return issues.flatMap(({ path, message, ...issue }): Fault[] => {
    if (issue.code === 'unrecognized_keys') return issue.keys.map((key) => ({ path: [...path, key], says: 'there is no such setting' }))
    if (issue.code === 'invalid_key') return [{ path, says: issue.issues.map((inner) => inner.message).join('; ') }]
    // A secret in the clear is neither of the two forms; everything else that fits no form says what it found.
    if (issue.code === 'invalid_union')
      return [{ path, says: isSecret(path) ? 'a secret stands elsewhere: {env: NAME} or {file: PATH}' : 'has another form' }]
    return [{ path, says: message }]
  })
}

function isSecret(path: readonly PropertyKey[]): boolean {
  return path.at(-1) === 'client_secret' || path.at(-1) === 'secret'
}

/** The key's own node where there is one: it stands on the line of the setting. */
function nodeAt(contents: unknown, path: readonly PropertyKey[]): { range?: readonly number[] | null | undefined } | undefined {
  let node: unknown = contents
  let key: unknown
  for (const step of path) {
    if (isMap(node)) {
      const pair: Pair | undefined = node.items.find((item) => isScalar(item.key) && String(item.key.value) === String(step))
      if (!pair) return undefined
      key = pair.key
      node = pair.value
    } else if (node && typeof node === 'object' && 'items' in node && Array.isArray(node.items)) {
      node = node.items[Number(step)]
      key = node
    } else return undefined
  }
  return isScalar(key) || isMap(key) ? key : undefined
}
