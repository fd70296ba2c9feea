import { readFileSync } from 'node:fs'
import process from 'node:process'
import type { FastifyInstance } from 'fastify'
import { sql } from 'kysely'
import { createAdminToken } from '../server/src/admin/index.ts'
import { buildService } from '../server/src/app.ts'
import { readConfig } from '../server/src/config.ts'
import { type AppContext, openContext } from '../server/src/context.ts'
import { createLogger } from '../server/src/http/index.ts'
import { MASTER_KEY } from './harness/fixture.ts'
import { fillSeed, MIXED, type Seed } from './harness/seed.ts'

/** A token may ask 600 times a minute. */
const CALLS_OF_TOKEN = 500

/** The admin API over one database. */
export interface Place {
  seed: Seed
  /** Asks the admin API; answers the ms it took. */
  ask(address: string): Promise<number>
  /** Looks up which processes of the database's server work for it. */
  look(): Promise<void>
  /** Ms of processor time so far, of this thread and of those processes. */
  cpuMs(): number
  close(): Promise<void>
}

export async function open(url: string, users: number): Promise<Place> {
  const context = await openOne(url)
  const seed = await fillSeed(context, users, MIXED)
  const { app } = buildService(context, createLogger('silent'))
  await app.ready()
  await context.changes.start()
  const ask = asking(app, context)
  const { db, address } = context.storage
  let pids: number[] = []
  return {
    seed,
    ask,
    async look() {
      if (address.dialect === 'sqlite') return
      const found = await sql<{ pid: number }>`select pid from pg_stat_activity where datname = current_database()`.execute(db)
      pids = found.rows.map(({ pid }) => pid)
    },
    cpuMs() {
      const { user, system } = process.threadCpuUsage()
      return (user + system) / 1_000 + pids.reduce((sum, pid) => sum + cpuMsOf(pid), 0)
    },
    async close() {
      await app.close()
      await context.changes.stop()
      await context.close()
    },
  }
}

export async function openOne(url: string): Promise<AppContext> {
  const read = await readConfig({ DATABASE_URL: url, PORTARIA_MASTER_KEY: MASTER_KEY })
  if ('faults' in read) throw new Error(JSON.stringify(read.faults))
  const onFault = (error: unknown) => console.error(error)
  const context = await openContext({ ...read.config, masterKey: Buffer.from(MASTER_KEY, 'base64') }, { onFault })
  if ('refusal' in context) throw new Error(context.refusal)
  return context
}

/** Of a process that is no more, or where nobody keeps such accounts, nothing. */
function cpuMsOf(pid: number): number {
  try {
    return Number(readFileSync(`/proc/${pid}/schedstat`, 'utf8').split(' ')[0]) / 1e6
  } catch {
    return 0
  }
}

function asking(app: FastifyInstance, context: AppContext): Place['ask'] {
  let calls = 0
  let authorization = ''
  return async (address) => {
    if (calls++ % CALLS_OF_TOKEN === 0) {
      const token = await createAdminToken(
        { name: 'bench', role: 'owner', scopes: [], expiresDays: 1 },
        { ...context, actor: 'operator:bench' },
      )
      if ('refusal' in token) throw new Error(token.refusal)
      authorization = `Bearer ${token.key}`
    }
    const startedAt = performance.now()
    const answer = await app.inject({ url: `/api/admin${address}`, headers: { authorization } })
    const ms = performance.now() - startedAt
    if (answer.statusCode !== 200) throw new Error(`${address}: ${answer.statusCode} ${answer.body.slice(0, 200)}`)
    return ms
  }
}
