import type { Streams } from '../command/output.ts'
import { createProgress, type Progress } from '../command/progress.ts'

export const MB = 1_000_000

/** Shows at a terminal how much of a database file is copied or read, and what is done meanwhile. Elsewhere it says nothing. */
export function createFileProgress({ stderr }: Pick<Streams, 'stderr'>) {
  // The time that is left is reckoned from the beginning of each copy.
  let progress: Progress | undefined
  const end = () => {
    progress?.end()
    progress = undefined
  }
  return {
    at(bytes: number, part?: number) {
      progress ??= createProgress('MB', { stderr })
      progress.at(Math.ceil(bytes / MB), part)
    },
    say(line: string) {
      end()
      if (stderr.isTTY) stderr.write(`portaria: ${line}\n`)
    },
    end,
  }
}
