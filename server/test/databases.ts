import { randomUUID } from 'node:crypto'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import process from 'node:process'
import { after, describe } from 'node:test'
import { Client } from 'pg'
import { startPostgres, type TestPostgres } from './postgres.ts'

export type TestDatabase = {
  name: 'sqlite' | 'postgres'
  /** An empty database of its own, as a `DATABASE_URL`. It is removed when the suite is over. */
  fresh(): Promise<{ url: string }>
}

/** Describes one suite twice: on SQLite, in a file since the write-ahead log and durable commits matter, and on a real PostgreSQL. */
export function eachDatabase(title: string, define: (database: TestDatabase) => void): void {
  const cleanups: (() => Promise<void> | void)[] = []
  describe(title, () => {
    // Out here, so that it runs after the suite's own hooks have closed their connections.
    after(async () => {
      for (const clean of cleanups.reverse()) await clean()
    })
    for (const [name, create] of [['sqlite', createSqlite] as const, ['postgres', createPostgres] as const]) {
      const fresh = async () => {
        const { url, remove } = await create()
        cleanups.push(remove)
        return { url }
      }
      describe(`on ${name}`, () => define({ name, fresh }))
    }
  })
}

async function createSqlite() {
  const folder = mkdtempSync(path.join(tmpdir(), 'portaria-sqlite-'))
  return { url: `sqlite:${path.join(folder, 'portaria.db')}`, remove: () => rmSync(folder, { recursive: true, force: true }) }
}

async function createPostgres() {
  const server = await findServer()
  const name = `portaria_${randomUUID().replaceAll('-', '')}`
  await execute(server, `create database ${name}`)
  const url = new URL(server)
  url.pathname = `/${name}`
  return { url: url.href, remove: () => execute(server, `drop database ${name} with (force)`) }
}

let own: Promise<TestPostgres> | undefined

/** `npm test` starts one server for all files; a file that is run alone starts its own. */
async function findServer(): Promise<string> {
  if (process.env.TEST_POSTGRES_URL) return process.env.TEST_POSTGRES_URL
  own ??= startPostgres()
  return (await own).url
}

after(async () => (await own)?.stop())

async function execute(url: string, statement: string): Promise<void> {
  const client = new Client({ connectionString: url })
  await client.connect()
  try {
    await client.query(statement)
  } finally {
    await client.end()
  }
}
