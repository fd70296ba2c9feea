import { Readable } from 'node:stream'
import type { Table } from '../admin-route.ts'
import { BYTE_ORDER_MARK, csvLine, valueAt } from './csv.ts'

/** A table as CSV. A page of rows is read when the one before has been taken, and none once the peer is gone. */
export function tableStream({ columns, first, rest, shown = (row) => row }: Table): Readable {
  const linesOf = (rows: readonly unknown[]) =>
    rows
      .map((row) => shown(row))
      .map((row) => csvLine(columns.map((path) => valueAt(row, path))))
      .join('')
  let begin: string | undefined = `${BYTE_ORDER_MARK}${csvLine(columns)}${linesOf(first)}`
  const next = async () => {
    for (;;) {
      const { value, done } = await rest.next()
      if (done === true) return null
      // A stream that is given nothing is not asked again.
      if (value.length > 0) return linesOf(value)
    }
  }
  return new Readable({
    read() {
      if (begin !== undefined) {
        this.push(begin)
        begin = undefined
        return
      }
      next().then(
        (lines) => this.push(lines),
        (fault) => this.destroy(fault),
      )
    },
    destroy(error, callback) {
      rest.return().then(
        () => callback(error),
        (fault) => callback(error ?? fault),
      )
    },
  })
}
