import { DatabaseSync } from 'node:sqlite'

/** The number of rows of each table. */
export function rowsOf(handle: DatabaseSync): ReadonlyMap<string, number> {
  const tables = handle.prepare("select name from sqlite_schema where type = 'table'").all()
  const count = (name: string) => Number(handle.prepare(`select count(*) as n from "${name.replaceAll('"', '""')}"`).get()?.n)
  return new Map(tables.map(({ name }) => [String(name), count(String(name))]))
}

export function countRows(file: string): ReadonlyMap<string, number> {
  const handle = new DatabaseSync(file, { readOnly: true })
  try {
    return rowsOf(handle)
  } finally {
    handle.close()
  }
}

export function isSame(one: ReadonlyMap<string, number>, other: ReadonlyMap<string, number>): boolean {
  return one.size === other.size && [...one].every(([table, rows]) => other.get(table) === rows)
}
