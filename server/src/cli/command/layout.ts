import { bold, coloured } from './styles.ts'
import { spacesAfter, textWidth } from './text-width.ts'

/** The columns and fields whose values are states, and have a colour. */
const STATES = new Set(['state', 'status', 'access', 'result'])

/** Columns as wide as their widest cell, a heading above. */
export function table(headings: readonly string[], rows: ReadonlyArray<readonly string[]>): string {
  const lines = [headings.map((heading) => heading.toUpperCase()), ...rows.map((row) => row.map(visible))]
  const widths = headings.map((_, column) => Math.max(...lines.map((line) => textWidth(line[column] ?? ''))))
  const styled = (cell: string, { line, column }: { line: number; column: number }) => {
    if (line === 0) return bold(cell)
    return STATES.has(headings[column] ?? '') ? coloured(cell) : cell
  }
  return lines
    .map((cells, line) =>
      cells
        // Spaces stay outside of the style, so that those at the end can be left out.
        .map((cell, column) => styled(cell, { line, column }) + spacesAfter(cell, widths[column] ?? 0))
        .join('  ')
        .trimEnd(),
    )
    .join('\n')
}

/** One `label  value` a line; an undefined value is left out, a list continues below. */
export function fields(pairs: ReadonlyArray<readonly [label: string, value: string | readonly string[] | undefined]>): string {
  const width = Math.max(...pairs.map(([label]) => textWidth(label)))
  return pairs
    .flatMap(([label, value]) => {
      const values = value === undefined ? [] : typeof value === 'string' ? [value] : value
      return values.map((line, i) => {
        const name = i === 0 ? label : ''
        const shown = STATES.has(label) ? coloured(visible(line)) : visible(line)
        return `${bold(name)}${spacesAfter(name, width)}  ${shown}`
      })
    })
    .join('\n')
}

/** Blocks of text with an empty line between them. */
export function paragraphs(...blocks: ReadonlyArray<string | undefined>): string {
  return blocks.filter((block) => block !== undefined && block !== '').join('\n\n')
}

/** Stored text must not move the cursor or change the colours of the reader's terminal. Emoji of several characters stay whole. */
export function visible(text: string): string {
  return text.replace(/(\p{RGI_Emoji})|\p{C}/gv, (_, emoji: string | undefined) => emoji ?? '\u{fffd}')
}
