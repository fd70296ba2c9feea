import type { Difference } from '../../admin/index.ts'
import { visible } from '../command/layout.ts'

/** Differences as lines, what goes away first: `-` removed, `~` changed, `+` added. Secrets are named and never shown. */
export function differenceLines(differences: readonly Difference[]): string[] {
  const lines = differences.flatMap(linesOf)
  return ['-', '~', '+'].flatMap((sign) => lines.filter((line) => line.startsWith(sign))).map(visible)
}

function linesOf({ path, kind, before, after }: Difference): string[] {
  const name = path.join('.')
  if (kind === 'remove') return [`- ${name}`]
  if (Array.isArray(after)) return listLines(name, Array.isArray(before) ? before : [], after)
  if (isGroup(after) && !('file' in after) && (before === undefined || isGroup(before))) return groupLines(name, before, after)
  if (before === undefined && after === undefined) return [`~ ${name}: another secret`]
  if (before === undefined) return [`+ ${name}: ${text(after)}`]
  if (after === null) return [`- ${name}: ${text(before)}`]
  return [before === null ? `+ ${name}: ${text(after)}` : `~ ${name}: ${text(before)} → ${text(after)}`]
}

/** A list differs by what it loses and gains. */
function listLines(name: string, before: readonly unknown[], after: readonly unknown[]): string[] {
  const lacks = (list: readonly unknown[], item: unknown) => !list.some((other) => JSON.stringify(other) === JSON.stringify(item))
  return [
    ...before.filter((item) => lacks(after, item)).map((item) => `- ${name}: ${text(item)}`),
    ...after.filter((item) => lacks(before, item)).map((item) => `+ ${name}: ${text(item)}`),
  ]
}

/** Something new in one line; a whole (which gateway takes which method) by what of it differs. */
function groupLines(name: string, before: Record<string, unknown> | undefined, after: Record<string, unknown>): string[] {
  if (before === undefined) return [`+ ${name}`]
  const keys = [...new Set([...Object.keys(before), ...Object.keys(after)])]
  return keys.flatMap((key) => {
    if (JSON.stringify(before[key]) === JSON.stringify(after[key])) return []
    if (Array.isArray(before[key] ?? after[key])) return listLines(`${name}.${key}`, listOf(before[key]), listOf(after[key]))
    if (after[key] === undefined) return [`- ${name}.${key}: ${text(before[key])}`]
    return [
      before[key] === undefined ? `+ ${name}.${key}: ${text(after[key])}` : `~ ${name}.${key}: ${text(before[key])} → ${text(after[key])}`,
    ]
  })
}

const listOf = (value: unknown) => (Array.isArray(value) ? value : [])

function isGroup(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

function text(value: unknown): string {
  if (isGroup(value) && typeof value.file === 'string') return value.file
  return typeof value === 'string' ? value : JSON.stringify(value)
}
