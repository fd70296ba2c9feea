import type { Step } from '../../storage/index.ts'
import type { Streams } from '../command/output.ts'

const VERBS = { copy: 'copying', compare: 'comparing' } as const

/** A line for each table that is copied or compared, when the next one begins. */
export function createCopyProgress({ stderr }: Pick<Streams, 'stderr'>): { step: Step; end(): void } {
  let current: { does: keyof typeof VERBS; table: string; rows: number } | undefined
  const end = () => {
    if (current) stderr.write(`portaria: ${VERBS[current.does]} ${current.table}: ${current.rows} rows\n`)
    current = undefined
  }
  return {
    end,
    step(does, table, rows) {
      if (current?.does !== does || current.table !== table) end()
      current = { does, table, rows: (current?.rows ?? 0) + rows }
    },
  }
}
