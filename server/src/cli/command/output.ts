import type { Readable, Writable } from 'node:stream'
import { stripVTControlCharacters } from 'node:util'
import type { Environment } from '../../config.ts'
import { layOut, type Text } from './layout.ts'
import { complaintMark, showsStyles } from './styles.ts'

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
  | { json: unknown; text: Text; failed?: boolean }
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
  stdout.write(json ? `${JSON.stringify(outcome.json, undefined, 2)}\n` : `${textFor(stdout, outcome.text, environment)}\n`)
  return outcome.failed ? 1 : 0
}

function textFor(stdout: Streams['stdout'], text: Text, environment: Environment): string {
  // A terminal that does not say how wide it is says 0.
  const laidOut = layOut(text, stdout.isTTY && stdout.columns ? stdout.columns : undefined)
  return showsStyles(stdout, environment) ? laidOut : stripVTControlCharacters(laidOut)
}

/** A sentence about a fault, on standard error. */
export function complain(sentence: string, { stderr, environment }: Pick<Streams, 'stderr' | 'environment'>): void {
  const mark = 'portaria:'
  stderr.write(`${showsStyles(stderr, environment) ? complaintMark(mark) : mark} ${sentence}\n`)
}
