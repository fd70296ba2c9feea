import { bold, coloured, isState } from './styles.ts'
import { tableWithin } from './table.ts'
import { spacesAfter, textWidth } from './text-width.ts'

/** The text of a command. A function lays it out once the width of the terminal is known. */
export type Text = string | ((columns: number) => string)

/** The lines of a text, for a terminal of so many columns, or for a file. */
export function layOut(text: Text, columns = Number.POSITIVE_INFINITY): string {
  return typeof text === 'string' ? text : text(columns)
}

/** Columns with their headings, which come to an end before the terminal does. */
export function table(headings: readonly string[], rows: ReadonlyArray<readonly string[]>): Text {
  const shown = rows.map((row) => row.map(visible))
  return (columns) => tableWithin(headings, shown, columns)
}

/** One `label  value` a line; an undefined value is left out, a list continues below. */
export function fields(pairs: ReadonlyArray<readonly [label: string, value: string | readonly string[] | undefined]>): string {
  const width = Math.max(...pairs.map(([label]) => textWidth(label)))
  return pairs
    .flatMap(([label, value]) => {
      const values = value === undefined ? [] : typeof value === 'string' ? [value] : value
      return values.map((line, i) => {
        const name = i === 0 ? label : ''
        const shown = isState(label) ? coloured(visible(line)) : visible(line)
        return `${bold(name)}${spacesAfter(name, width)}  ${shown}`
      })
    })
    .join('\n')
}

/** Blocks of text with an empty line between them. */
export function paragraphs(...blocks: ReadonlyArray<Text | undefined>): Text {
  const shown = blocks.flatMap((block) => block || [])
  return (columns) => shown.map((block) => layOut(block, columns)).join('\n\n')
}

/** Stored text must not move the cursor or change the colours of the reader's terminal. Emoji of several characters stay whole. */
export function visible(text: string): string {
  return text.replace(/(\p{RGI_Emoji})|\p{C}/gv, (_, emoji: string | undefined) => emoji ?? '\u{fffd}')
}
