import { createHash } from 'node:crypto'
import { globSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import path from 'node:path'
import { after } from 'node:test'
import { fileURLToPath } from 'node:url'
import { Client } from 'pg'
import { migrate, openStorage, parseDatabaseUrl } from '../../src/storage/index.ts'

/** Any number will do that nobody else locks. */
const LOCK = 712_004

let sqlite: Promise<string> | undefined
// Out here, and not where it is made, which is in the middle of some test or suite.
after(async () => sqlite && rmSync(path.dirname(await sqlite), { recursive: true, force: true }))

/** The file of a SQLite database that has its tables and nothing else, to be copied. Made once in each process, below `parent`. */
export function sqliteTemplate(parent: string): Promise<string> {
  sqlite ??= makeSqlite(parent)
  return sqlite
}

async function makeSqlite(parent: string): Promise<string> {
  const file = path.join(mkdtempSync(path.join(parent, 'portaria-template-')), 'portaria.db')
  await makeTables(`sqlite:${file}`)
  return file
}

let postgres: Promise<string> | undefined

/**
 * The name of a database with its tables and nothing else on this PostgreSQL, to be copied. Made once for each server, by whoever comes
 * first, and anew when a migration changes. Nobody may connect to it: PostgreSQL copies no database that is in use.
 */
export function postgresTemplate(server: string): Promise<string> {
  postgres ??= makePostgres(server)
  return postgres
}

async function makePostgres(server: string): Promise<string> {
  const name = `portaria_template_${hashOfMigrations()}`
  const client = new Client({ connectionString: server })
  await client.connect()
  try {
    await client.query(`select pg_advisory_lock(${LOCK})`)
    const { rowCount } = await client.query('select 1 from pg_database where datname = $1', [name])
    if (rowCount !== 0) return name
    await client.query(`drop database if exists ${name}_unfinished with (force)`)
    await client.query(`create database ${name}_unfinished`)
    await makeTables(databaseOn(server, `${name}_unfinished`))
    await client.query(`alter database ${name}_unfinished rename to ${name}`)
    return name
  } finally {
    await client.end()
  }
}

export function databaseOn(server: string, name: string): string {
  const url = new URL(server)
  url.pathname = `/${name}`
  return url.href
}

async function makeTables(url: string): Promise<void> {
  const address = parseDatabaseUrl(url)
  if (!address) throw new Error(`no database: ${url}`)
  const storage = await openStorage(address)
  await migrate(storage)
  await storage.close()
}

function hashOfMigrations(): string {
  const folder = fileURLToPath(new URL('../../src/storage/', import.meta.url))
  const hash = createHash('sha256')
  for (const file of globSync('migrations/**/!(*.test).ts', { cwd: folder }).sort()) hash.update(readFileSync(path.join(folder, file)))
  return hash.digest('hex').slice(0, 16)
}
