import type { Step } from '../../storage/index.ts'
import type { Streams } from '../command/output.ts'
import { createProgress } from '../command/progress.ts'

const VERBS = { copy: 'copying', compare: 'comparing' } as const
/** Each row is copied and then compared. */
const PASSES = 2

/** The rows of all these tables together. */
type CountRows = (tables: readonly string[]) => Promise<number>

/** A line for each table that is copied or compared, when the next one begins; on a terminal the time left below it. */
export function createCopyProgress(streams: Pick<Streams, 'stderr'>, countRows: CountRows) {
  const progress = createProgress('rows', streams)
  let current: { does: keyof typeof VERBS; table: string; rows: number } | undefined
  let [done, total] = [0, 0]
  const end = () => {
    progress.end()
    if (current) progress.say(`${VERBS[current.does]} ${current.table}: ${current.rows} rows`)
    current = undefined
  }
  const step: Step = (does, table, rows) => {
    if (current?.does !== does || current.table !== table) end()
    current = { does, table, rows: (current?.rows ?? 0) + rows }
    done += rows
    progress.at(done, total === 0 ? undefined : done / (PASSES * total))
  }
  return {
    /** Only a terminal shows the part that is done, and a count takes its time. */
    async begin(tables: readonly string[]): Promise<void> {
      if (streams.stderr.isTTY) total = await countRows(tables)
    },
    say: progress.say,
    step,
    end,
  }
}
