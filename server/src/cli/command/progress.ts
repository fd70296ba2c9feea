import type { Streams } from './output.ts'
import { cutText } from './text-width.ts'

const LINE_MS = 5_000
const TERMINAL_MS = 200
const ACTIVITY_MS = 500
/** Work that ends sooner shows no progress. */
const QUICK_MS = 1_000
/** To the beginning of the line, and away with what stands there. */
const CLEAR = '\r\u{1b}[K'

export interface Progress {
  /** Notes how many are done, and the part of the whole, from 0 to 1, where that is known. */
  at(count: number, part?: number): void
  /** A line of the command's own, above the one that changes. */
  say(line: string): void
  end(): void
}

/** A line that names the current step of work whose extent is not known. */
export interface Activity {
  doing(what: string): void
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
  let saidAt = begun
  const isDue = (at: number) => (isTerminal ? at - begun >= QUICK_MS && at - saidAt >= TERMINAL_MS : at - saidAt >= LINE_MS)
  const { draw, clear } = createLine(stderr)
  return {
    at(count, part) {
      const at = now()
      if ((!isTerminal && elsewhere === 'nothing') || !isDue(at)) return
      saidAt = at
      const text = `${count} ${things}, ${part === undefined ? sinceBegun(at - begun) : stillLeft(at - begun, part)}`
      if (isTerminal) draw(text)
      else stderr.write(`portaria: ${text}\n`)
    },
    say(line) {
      clear()
      stderr.write(`portaria: ${line}\n`)
    },
    end: clear,
  }
}

/**
 * Shows at a terminal what is being done, and for how long all of it has gone on. The line goes at the end, is there from the second second
 * on, and is drawn again while something is awaited. Elsewhere it says nothing.
 */
export function createActivity(
  { stderr }: Pick<Streams, 'stderr'>,
  { now = () => performance.now() }: { now?: () => number } = {},
): Activity {
  if (stderr.isTTY !== true) return { doing: () => {}, end: () => {} }
  const begun = now()
  const { draw, clear } = createLine(stderr)
  let said: string | undefined
  const show = () => {
    const ms = now() - begun
    if (said !== undefined && ms >= QUICK_MS) draw(`${said}, ${sinceBegun(ms)}`)
  }
  const timer = setInterval(show, ACTIVITY_MS).unref()
  return {
    doing(what) {
      said = what
      show()
    },
    end() {
      clearInterval(timer)
      clear()
    },
  }
}

/** The line of a terminal that changes. It is never wider than the terminal: of two lines only the last could be taken away. */
function createLine(stderr: Streams['stderr']): { draw(text: string): void; clear(): void } {
  let isShown = false
  return {
    draw(text) {
      isShown = true
      stderr.write(`${CLEAR}${stderr.columns ? cutText(text, stderr.columns - 1) : text}`)
    },
    clear() {
      if (isShown) stderr.write(CLEAR)
      isShown = false
    },
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
