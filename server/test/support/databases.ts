import { randomUUID } from 'node:crypto'
import { copyFileSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import process from 'node:process'
import { after, describe } from 'node:test'
import { Client } from 'pg'
import { hasRoom, memoryFolder } from './memory-folder.ts'
import { type Commits, startPostgres, type TestPostgres } from './postgres.ts'
import { databaseOn, postgresTemplate, sqliteTemplate } from './templates.ts'

export type TestDatabase = {
  name: 'sqlite' | 'postgres'
  /** A database of its own, as a `DATABASE_URL`, with its tables and nothing in them. It is removed when the suite is over. */
  fresh(): Promise<{ url: string }>
  /** The same without tables, for what is about making them. */
  empty(): Promise<{ url: string }>
}

/**
 * Describes one suite twice: on SQLite, in a file since the write-ahead log matters, and on a real PostgreSQL. Commits wait for no disk.
 */
export function eachDatabase(title: string, define: (database: TestDatabase) => void): void {
  describeOnEach(title, define, 'in_memory')
}

/**
 * The same, for what is about dying and what is left then: commits wait for the disk, as in life.
 * For `faults/`, whose PostgreSQL waits for the disk, too.
 */
export function eachDurableDatabase(title: string, define: (database: TestDatabase) => void): void {
  describeOnEach(title, define, 'on_disk')
}

/** A suite for what only several nodes can have, or only a database server. */
export function onPostgres(title: string, define: (database: TestDatabase) => void): void {
  eachDurableDatabase(title, (database) => {
    if (database.name === 'postgres') define(database)
  })
}

/**
 * A suite for what only a database in a file can have, such as a full disk (what that looks like from here on PostgreSQL is
 * `database-away.test.ts`), and for what is the same on both.
 */
export function onSqlite(title: string, define: (database: TestDatabase) => void): void {
  eachDurableDatabase(title, (database) => {
    if (database.name === 'sqlite') define(database)
  })
}

/**
 * The same on SQLite alone, for what is decided before the database is asked or after it has answered: shapes of answers, headers, tokens,
 * texts, the way through the pages. Other suites send PostgreSQL all statements of the product that such a suite has run. What races,
 * sorts, compares texts of any kind or goes by numbers and times of the database stays on each.
 */
export function oneDatabase(title: string, define: (database: TestDatabase) => void): void {
  describeOnEach(title, define, 'in_memory', ['sqlite'])
}

/** Describes one suite for each direction between the two kinds of databases. */
export function eachDirection(title: string, define: (from: TestDatabase, to: TestDatabase) => void): void {
  describeDirections(title, define, 'in_memory')
}

/** The same, where commits wait for the disk, as in life. */
export function eachDurableDirection(title: string, define: (from: TestDatabase, to: TestDatabase) => void): void {
  describeDirections(title, define, 'on_disk')
}

function describeDirections(title: string, define: (from: TestDatabase, to: TestDatabase) => void, commits: Commits): void {
  describe(title, () => {
    const { sqlite, postgres } = databasesOfSuite(commits)
    describe('from sqlite to postgres', () => define(sqlite, postgres))
    describe('from postgres to sqlite', () => define(postgres, sqlite))
  })
}

type Contents = 'tables' | 'nothing'

const creators = { sqlite: createSqlite, postgres: createPostgres } as const

function describeOnEach(
  title: string,
  define: (database: TestDatabase) => void,
  commits: Commits,
  names: readonly TestDatabase['name'][] = ['sqlite', 'postgres'],
): void {
  describe(title, () => {
    const databases = databasesOfSuite(commits)
    for (const name of names) describe(`on ${name}`, () => define(databases[name]))
  })
}

/** Called in a suite: what it makes is removed when that suite is over. */
function databasesOfSuite(commits: Commits): Record<TestDatabase['name'], TestDatabase> {
  const cleanups: (() => Promise<void> | void)[] = []
  // Out here, so that it runs after the hooks of inner suites have closed their connections.
  after(async () => {
    for (const clean of cleanups.reverse()) await clean()
  })
  const databaseOf = (name: TestDatabase['name']): TestDatabase => {
    const make = async (contents: Contents) => {
      const { url, remove } = await creators[name](commits, contents)
      cleanups.push(remove)
      return { url }
    }
    return { name, fresh: () => make('tables'), empty: () => make('nothing') }
  }
  return { sqlite: databaseOf('sqlite'), postgres: databaseOf('postgres') }
}

/** One in a file of its own. The caller removes it. */
export async function createSqlite(commits: Commits, contents: Contents) {
  const parent = commits === 'on_disk' ? tmpdir() : memoryFolder()
  const folder = mkdtempSync(path.join(parent, 'portaria-sqlite-'))
  const file = path.join(folder, 'portaria.db')
  if (contents === 'tables') copyFileSync(await sqliteTemplate(parent), file)
  return { url: `sqlite:${file}`, remove: () => rmSync(folder, { recursive: true, force: true }) }
}

/** A database is some 10 MB of memory, which goes with its server. To remove it takes longer than to make it. */
const ROOM_GIB = 4

async function createPostgres(commits: Commits, contents: Contents) {
  const server = await findServer(commits)
  const name = `portaria_${randomUUID().replaceAll('-', '')}`
  // Copying files is quick where nothing waits for the disk, writing them to the log where something does.
  const strategy = commits === 'on_disk' ? 'wal_log' : 'file_copy'
  const template = contents === 'tables' ? await postgresTemplate(server) : 'template1'
  await execute(server, `create database ${name} template ${template} strategy ${strategy}`)
  // The first connection to a database works out its catalogs. A service opens several at once: each would do it, within three seconds.
  if (commits === 'on_disk') await (await connect(databaseOn(server, name))).end()
  const remove = () => (commits === 'in_memory' && hasRoom(ROOM_GIB) ? undefined : execute(server, `drop database ${name} with (force)`))
  return { url: databaseOn(server, name), remove }
}

let own: Promise<TestPostgres> | undefined

/** `npm test` starts one server for all files of a kind; a file that is run alone starts its own. */
async function findServer(commits: Commits): Promise<string> {
  if (process.env.TEST_POSTGRES_URL) return process.env.TEST_POSTGRES_URL
  own ??= startPostgres(commits)
  return (await own).url
}

let administrator: Promise<Client> | undefined

/** One connection for all of this process: PostgreSQL starts a process of its own for each. */
async function execute(url: string, statement: string): Promise<void> {
  administrator ??= connect(url)
  await (await administrator).query(statement)
}

async function connect(connectionString: string): Promise<Client> {
  const client = new Client({ connectionString })
  await client.connect()
  return client
}

after(async () => {
  await (await administrator)?.end()
  await (await own)?.stop()
})
