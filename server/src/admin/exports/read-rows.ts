import { setImmediate } from 'node:timers/promises'
import type { Listing } from '../api/list.ts'

/** How an export ended: with all rows read, or before. */
export interface ExportEnd {
  state: 'done' | 'cut'
  rows: number
}

/**
 * The rows of a list, a page at a time: the next one is read when it is asked for, and memory holds one. It throws where whoever began it
 * may not go on, since a table that simply ended would look whole. `onEnd` is called once, also where nobody wants the rest or the database
 * fails, provided that a first page was asked for.
 */
export async function* readRows<Row, Sort extends string>(
  { order, read, placeOf, json }: Listing<Row, Sort>,
  { pageRows, mayGoOn, onEnd }: { pageRows: number; mayGoOn: () => Promise<boolean>; onEnd: (end: ExportEnd) => Promise<void> },
): AsyncGenerator<readonly unknown[], void, void> {
  const end: ExportEnd = { state: 'cut', rows: 0 }
  try {
    let last: Row | undefined
    do {
      const page = await read({ ...order, after: last && placeOf(last), limit: pageRows })
      end.rows += page.length
      last = page.length < pageRows ? undefined : page.at(-1)
      yield page.map(json)
      // SQLite answers at once: others have their turn between two pages.
      await setImmediate()
      if (last !== undefined && !(await mayGoOn())) throw new Error('an export was cut: whoever began it may not go on')
    } while (last !== undefined)
    end.state = 'done'
  } finally {
    await onEnd(end)
  }
}
