import type { Writable } from 'node:stream'

const LINE_MS = 5_000
const TERMINAL_MS = 200

/**
 * Says how far an import is, and how long it will take from here: on a terminal one line that changes, else a line every few seconds.
 * `part` answers how much of the file is done, from 0 to 1.
 */
export function createProgress(
  part: (lines: number) => number,
  { stderr, now }: { stderr: Writable & { isTTY?: boolean }; now: () => number },
): { step: () => void; end: () => void } {
  const begun = now()
  const isTerminal = stderr.isTTY === true
  let [said, lines, hasSaid] = [begun, 0, false]
  return {
    step() {
      lines++
      const at = now()
      if (at - said < (isTerminal ? TERMINAL_MS : LINE_MS)) return
      ;[said, hasSaid] = [at, true]
      const done = Math.min(Math.max(part(lines), 0.001), 1)
      const text = `${lines} lines, ${Math.floor(done * 100)} %, about ${duration((at - begun) * (1 / done - 1))} left`
      stderr.write(isTerminal ? `\r\u{1b}[K${text}` : `portaria: ${text}\n`)
    },
    end() {
      if (isTerminal && hasSaid) stderr.write('\r\u{1b}[K')
    },
  }
}

function duration(ms: number): string {
  const seconds = Math.ceil(ms / 1_000)
  return seconds < 100 ? `${seconds} s` : `${Math.ceil(seconds / 60)} min`
}
