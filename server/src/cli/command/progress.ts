import type { Streams } from './output.ts'

const LINE_MS = 5_000
const TERMINAL_MS = 200
/** Work that ends sooner shows no progress. */
const QUICK_MS = 1_000

export interface Progress {
  /** Notes how many are done, and the part of the whole, from 0 to 1, where that is known. */
  at(count: number, part?: number): void
  /** A line of the command's own, above the one that changes. */
  say(line: string): void
  end(): void
}

/**
 * Shows on standard error how far a long command is, and how long it will still take. A terminal has one line that changes and goes at the
 * end. Elsewhere there is no text, or a line every few seconds.
 */
export function createProgress(
  things: string,
  { stderr }: Pick<Streams, 'stderr'>,
  { elsewhere = 'nothing', now = () => performance.now() }: { elsewhere?: 'nothing' | 'lines'; now?: () => number } = {},
): Progress {
  const begun = now()
  const isTerminal = stderr.isTTY === true
  let [saidAt, isShown] = [begun, false]
  const isDue = (at: number) => (isTerminal ? at - begun >= QUICK_MS && at - saidAt >= TERMINAL_MS : at - saidAt >= LINE_MS)
  const clear = () => {
    if (isShown) stderr.write('\r\u{1b}[K')
    isShown = false
  }
  return {
    at(count, part) {
      const at = now()
      if ((!isTerminal && elsewhere === 'nothing') || !isDue(at)) return
      saidAt = at
      const text = `${count} ${things}, ${part === undefined ? sinceBegun(at - begun) : stillLeft(at - begun, part)}`
      isShown = isTerminal
      stderr.write(isTerminal ? `\r\u{1b}[K${text}` : `portaria: ${text}\n`)
    },
    say(line) {
      clear()
      stderr.write(`portaria: ${line}\n`)
    },
    end: clear,
  }
}

function sinceBegun(ms: number): string {
  return `${duration(ms)} so far`
}

function stillLeft(ms: number, part: number): string {
  if (part >= 1) return '100 %, nearly done'
  const done = Math.max(part, 0.001)
  return `${Math.floor(done * 100)} %, about ${duration(ms * (1 / done - 1))} left`
}

function duration(ms: number): string {
  const seconds = Math.ceil(ms / 1_000)
  return seconds < 100 ? `${seconds} s` : `${Math.ceil(seconds / 60)} min`
}
