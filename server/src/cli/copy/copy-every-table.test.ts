import assert from 'node:assert/strict'
import { DatabaseSync } from 'node:sqlite'
import { it } from 'node:test'
import { sql } from 'kysely'
import { commandLine } from '../../../test/support/command-line.ts'
import { eachDirection } from '../../../test/support/databases.ts'
import { openStorage, parseDatabaseUrl } from '../../storage/index.ts'

/** The rows that a copy writes itself, on one side or the other. */
const OWN_ROWS: Readonly<Record<string, (row: Row) => boolean>> = {
  audit: ({ action }) => action === 'database.copy',
  changes: ({ kind }) => kind === 'copy_changed',
  settings: ({ name }) => String(name).startsWith('copied_'),
  applied_migrations: () => true,
}
/** Numbers that mean something in one PostgreSQL alone, and stay behind. */
const OF_ONE_SERVER = ['access_scans.after_transaction', 'user_scans.after_transaction']
const TEXTS = ['', ' ', 'ação 🪴 \u{10ffff}', "O'Neill \\", '{"a":1.50}', 'Z', 'a', '\ufffd']

type Row = Record<string, unknown>

/** Fills every table with rows of odd values: what refers to another table has a row of it, and what may be missing is, in some. */
function fill(file: string): void {
  const db = new DatabaseSync(file)
  const tables = db.prepare("select name from sqlite_master where type = 'table' and name not like 'sqlite_%'").all()
  const waiting = new Set(tables.map(({ name }) => String(name)).filter((name) => name !== 'applied_migrations'))
  while (waiting.size > 0)
    for (const table of waiting) {
      const refers = db.prepare('select "from", "table" as other, "to" from pragma_foreign_key_list(?)').all(table)
      if (refers.some(({ other }) => waiting.has(String(other)))) continue
      for (let i = 0; i < TEXTS.length; i++) addRow(db, { table, refers, i })
      waiting.delete(table)
    }
  db.close()
}

function addRow(db: DatabaseSync, { table, refers, i }: { table: string; refers: readonly Row[]; i: number }): void {
  const columns = db.prepare('select name, type, "notnull" as needed, pk from pragma_table_info(?)').all(table)
  const values = columns.map(({ name, type, needed, pk }) => {
    const refer = refers.find(({ from }) => from === name)
    const mayLack = needed === 0 && pk === 0
    if ((mayLack && i === 1) || OF_ONE_SERVER.includes(`${table}.${name}`)) return null
    if (refer) {
      const { value } =
        db.prepare(`select "${refer.to}" as value from "${refer.other}" order by rowid desc limit 1 offset ${i}`).get() ?? {}
      return value ?? assert.fail(`${table}.${name} refers to nothing`)
    }
    if (type === 'TEXT') return `${TEXTS[i]}${table}.${name} ${i}`
    return i === 0 ? 0 : (type === 'INTEGER' ? 2 ** 31 : 2 ** 53) - i
  })
  const names = columns.map(({ name }) => `"${name}"`)
  db.prepare(`insert into "${table}" (${names.join()}) values (${names.map(() => '?').join()})`).run(...(values as string[]))
}

async function contentsOf({ url }: { url: string }): Promise<Map<string, string[]>> {
  const storage = await openStorage(parseDatabaseUrl(url) ?? assert.fail())
  const contents = new Map<string, string[]>()
  for (const { name } of await storage.db.introspection.getTables()) {
    if (name.startsWith('sqlite_')) continue
    const { rows } = await sql<Row>`select * from ${sql.table(name)}`.execute(storage.db)
    const kept = rows.filter((row) => !OWN_ROWS[name]?.(row))
    contents.set(name, kept.map((row) => JSON.stringify(Object.entries(row).sort(([a], [b]) => (a < b ? -1 : 1)))).sort())
  }
  await storage.close()
  return contents
}

eachDirection('A copy of rows in every table', (from, to) => {
  if (from.name === 'postgres') return // the way back is below
  it('and back again is equal, table by table', async () => {
    const [here, there, home] = [await from.fresh(), await to.empty(), await from.empty()]
    assert.equal((await commandLine(here)('user create --email ana@example.com --name Ana')).code, 0)
    fill(here.url.slice('sqlite:'.length))
    const before = await contentsOf(here)
    const bare = [...before].filter(([, rows]) => rows.length < TEXTS.length).map(([name]) => name)
    assert.deepEqual(bare, ['applied_migrations'])
    const copy = (source: { url: string }, target: { url: string }) =>
      commandLine(source)(['copy', '--from', source.url, '--to', target.url, '--json'])
    const out = await copy(here, there)
    assert.equal(out.code, 0, out.err)
    assert.equal(out.json.tables.length, before.size - 1)
    assert.deepEqual(await contentsOf(there), before)
    const back = await copy(there, home)
    assert.equal(back.code, 0, back.err)
    assert.deepEqual(await contentsOf(home), before)
  })
})
