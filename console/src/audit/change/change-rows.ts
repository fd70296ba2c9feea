type Fields = Readonly<Record<string, unknown>>

/** A field of a change. `names` are the API's, in snake_case: the field's, or those of a group and of the field in it. */
export interface ChangeRow {
  names: readonly string[]
  before: unknown
  after: unknown
  isChanged: boolean
}

/** Stands for a value that a viewer may not see (server/src/admin/api/mask.ts). */
export const MASKED = '•••'

/**
 * The fields that an action changed, in the order in which they were recorded; groups of fields are opened. Many actions record all fields
 * before, and only the changed ones after. So a field that is missing afterwards stayed as it was, unless nothing was left at all.
 */
export function changeRows(before: Fields | null, after: Fields | null): ChangeRow[] {
  const old = new Map(leavesOf(before ?? {}))
  const now = new Map(leavesOf(after ?? {}))
  return [...new Set([...now.keys(), ...old.keys()])].map((path) => {
    const stays = before !== null && after !== null && !now.has(path)
    const [was, is] = [old.get(path), stays ? old.get(path) : now.get(path)]
    return { names: path.split('.'), before: was, after: is, isChanged: !stays && (isMasked(is) || !isSame(was, is)) }
  })
}

function leavesOf(fields: Fields, above: readonly string[] = []): Array<[path: string, value: unknown]> {
  return Object.entries(fields).flatMap(([name, value]) => {
    const path = [...above, inSnakeCase(name)]
    return isGroup(value) ? leavesOf(value, path) : [[path.join('.'), value] satisfies [string, unknown]]
  })
}

function isGroup(value: unknown): value is Fields {
  return typeof value === 'object' && value !== null && !Array.isArray(value) && Object.keys(value).length > 0
}

/** The API's name of a field, which the log has in either spelling. */
export function inSnakeCase(name: string): string {
  return name.replaceAll(/(?<=[a-z\d])[A-Z]/g, (letter) => `_${letter.toLowerCase()}`)
}

function isSame(one: unknown, other: unknown): boolean {
  return JSON.stringify(one ?? null) === JSON.stringify(other ?? null)
}

/** Two values that are both hidden may differ. */
function isMasked(value: unknown): boolean {
  return JSON.stringify(value ?? null).includes(MASKED)
}
