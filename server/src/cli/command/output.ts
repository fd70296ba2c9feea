import type { Readable, Writable } from 'node:stream'
import { stripVTControlCharacters } from 'node:util'
import type { Environment } from '../../config.ts'
import { bold, coloured, complaintMark, showsStyles } from './styles.ts'
import { spacesAfter, textWidth } from './text-width.ts'

/** The input and output of a command; a test brings its own. */
export interface Streams {
  environment: Environment
  stdin: Readable
  stdout: Writable & { isTTY?: boolean; columns?: number }
  stderr: Writable & { isTTY?: boolean; columns?: number }
}

/**
 * The outcome of a command: a result, as JSON for programs and as text for users, or a sentence with the fault and its fix. `misuse` is a
 * fault of the command line itself (exit code 2). `exitCode`: of a command that has codes of its own. `printed`: the command has written
 * its result itself, as it came.
 */
export type Outcome =
  | { json: unknown; text: string; failed?: boolean }
  | { complaint: string; exitCode?: number }
  | { misuse: string }
  | { printed: true }

/** Writes an outcome and answers the exit code. */
export function printOutcome(outcome: Outcome, { json }: { json?: boolean }, streams: Omit<Streams, 'stdin'>): number {
  if ('printed' in outcome) return 0
  if ('complaint' in outcome || 'misuse' in outcome) {
    complain('complaint' in outcome ? outcome.complaint : outcome.misuse, streams)
    return 'complaint' in outcome ? (outcome.exitCode ?? 1) : 2
  }
  const { stdout, environment } = streams
  const text = showsStyles(stdout, environment) ? outcome.text : stripVTControlCharacters(outcome.text)
  stdout.write(json ? `${JSON.stringify(outcome.json, undefined, 2)}\n` : `${text}\n`)
  return outcome.failed ? 1 : 0
}

/** A sentence about a fault, on standard error. */
export function complain(sentence: string, { stderr, environment }: Pick<Streams, 'stderr' | 'environment'>): void {
  const mark = 'portaria:'
  stderr.write(`${showsStyles(stderr, environment) ? complaintMark(mark) : mark} ${sentence}\n`)
}

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

/** Centavos as prices are written: `R$ 99,00`. */
export function reais(centavos: number): string {
  return money(centavos, 'BRL')
}

/** An amount in the smallest unit of its currency, written as in Brazil: `US$ 19,90`. */
export function money(units: number, currency: string): string {
  const format = new Intl.NumberFormat('pt-BR', { style: 'currency', currency })
  return format.format(units / 10 ** placesOf(currency)).replace('\u{a0}', ' ')
}

/** The decimal places of a currency. */
export function placesOf(currency: string): number {
  return new Intl.NumberFormat('pt-BR', { style: 'currency', currency }).resolvedOptions().maximumFractionDigits ?? 2
}
