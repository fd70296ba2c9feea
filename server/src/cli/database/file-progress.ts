import type { Streams } from '../command/output.ts'
import { createProgress } from '../command/progress.ts'

export const MB = 1_000_000

/** Shows at a terminal how much of a database file is copied, and what is done meanwhile. Elsewhere it says nothing. */
export function createFileProgress({ stderr }: Pick<Streams, 'stderr'>) {
  const progress = createProgress('MB', { stderr })
  return {
    onCopied: (bytes: number, part: number) => progress.at(Math.ceil(bytes / MB), part),
    say(line: string) {
      if (stderr.isTTY) progress.say(line)
    },
    end: progress.end,
  }
}
