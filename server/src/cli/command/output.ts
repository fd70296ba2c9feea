import type { Readable, Writable } from 'node:stream'
import type { Environment } from '../../config.ts'

/** The input and output of a command; a test brings its own. */
export interface Streams {
  environment: Environment
  stdin: Readable
  stdout: Writable
  stderr: Writable
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
export function printOutcome(
  outcome: Outcome,
  { json }: { json?: boolean },
  { stdout, stderr }: Pick<Streams, 'stdout' | 'stderr'>,
): number {
  if ('printed' in outcome) return 0
  if ('complaint' in outcome || 'misuse' in outcome) {
    stderr.write(`portaria: ${'complaint' in outcome ? outcome.complaint : outcome.misuse}\n`)
    return 'complaint' in outcome ? (outcome.exitCode ?? 1) : 2
  }
  stdout.write(json ? `${JSON.stringify(outcome.json, undefined, 2)}\n` : `${outcome.text}\n`)
  return outcome.failed ? 1 : 0
}

/** Columns as wide as their widest cell, a heading above. */
export function table(headings: readonly string[], rows: ReadonlyArray<readonly string[]>): string {
  const lines = [headings.map((heading) => heading.toUpperCase()), ...rows.map((row) => row.map(visible))]
  const widths = headings.map((_, column) => Math.max(...lines.map((line) => line[column]?.length ?? 0)))
  return lines
    .map((line) =>
      line
        .map((cell, column) => cell.padEnd(widths[column] ?? 0))
        .join('  ')
        .trimEnd(),
    )
    .join('\n')
}

/** One `label  value` a line; an undefined value is left out, a list continues below. */
export function fields(pairs: ReadonlyArray<readonly [label: string, value: string | readonly string[] | undefined]>): string {
  const width = Math.max(...pairs.map(([label]) => label.length))
  return pairs
    .flatMap(([label, value]) => {
      const values = value === undefined ? [] : typeof value === 'string' ? [value] : value
      return values.map((line, i) => `${(i === 0 ? label : '').padEnd(width)}  ${visible(line)}`)
    })
    .join('\n')
}

/** Blocks of text with an empty line between them. */
export function paragraphs(...blocks: ReadonlyArray<string | undefined>): string {
  return blocks.filter((block) => block !== undefined && block !== '').join('\n\n')
}

/** Stored text must not move the cursor or change the colours of the reader's terminal. */
export function visible(text: string): string {
  return text.replace(/\p{C}/gu, '\u{fffd}')
}

/** Centavos as prices are written: `R$ 99,00`. */
export function reais(centavos: number): string {
  return new Intl.NumberFormat('pt-BR', { style: 'currency', currency: 'BRL' }).format(centavos / 100).replace('\u{a0}', ' ')
}
