import type { Command } from 'commander'
import { addVerb } from './cli-context.ts'
import { wholeNumber } from './input.ts'
import { paragraphs, table } from './layout.ts'
import type { Outcome } from './output.ts'

export interface PageOptions {
  json?: boolean
  limit?: number
  cursor?: string
}

const MAX_PAGE = 1_000
const READABLE_PAGE = 100

export function addList(noun: Command, { summary, example }: { summary: string; example: string }): Command {
  return addVerb(noun, 'list', { summary, example })
    .option(
      '--limit <n>',
      `how many at most (default: ${READABLE_PAGE}, with --json ${MAX_PAGE})`,
      wholeNumber({ least: 1, most: MAX_PAGE }),
    )
    .option('--cursor <id>', 'continue after this id: the last one of the page before')
}

/** The requested page, in the stores' form. */
export function pageOf({ json, limit, cursor }: PageOptions): { limit: number; cursor?: string } {
  return { limit: limit ?? (json ? MAX_PAGE : READABLE_PAGE), ...(cursor !== undefined && { cursor }) }
}

/** The requested page of a complete list. */
export function pageFrom<T>(items: readonly T[], idOf: (item: T) => string, options: PageOptions): T[] {
  const { limit, cursor } = pageOf(options)
  const from = cursor === undefined ? 0 : items.findIndex((item) => idOf(item) === cursor) + 1
  return items.slice(from, from + limit)
}

/** A page as an outcome: a row of the table for each item, `nothing` in place of an empty one. */
export function listed<T extends { id: string }>(
  items: readonly T[],
  options: PageOptions,
  shown: { nothing: string; headings: readonly string[]; row(item: T): readonly string[]; json(item: T): unknown },
): Outcome {
  const text = items.length === 0 ? shown.nothing : table(shown.headings, items.map(shown.row))
  return { json: items.map(shown.json), text: paragraphs(text, moreHint(items, options)) }
}

/** The hint below a full page. */
export function moreHint(items: ReadonlyArray<{ id: string }>, options: PageOptions): string | undefined {
  return items.length === pageOf(options).limit ? `There may be more: add --cursor ${items.at(-1)?.id}` : undefined
}
