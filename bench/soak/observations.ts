import { readdirSync, readFileSync, statSync } from 'node:fs'
import { DatabaseSync } from 'node:sqlite'
import { quantile } from '../harness/figures.ts'
import { ask, type Installation } from './installation.ts'
import type { Traffic } from './traffic.ts'

/** Everything that is looked at, as numbers under names, at a time in ms since the start. */
export interface Observation {
  at: number
  values: Record<string, number>
}

/** Looks once: memory and open files of each node, the delay of its event loop, how long checks took since, and sizes. */
export async function observe({ installation, checkTimes }: Traffic, startedAt: number): Promise<Observation> {
  const values: Record<string, number> = {}
  for (const { name, server, browser } of installation.places) {
    const proc = `/proc/${server.child.pid}`
    try {
      values[`memory of node ${name}, MB`] = Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`${proc}/status`, 'utf8'))?.[1]) / 1024
      values[`open files of node ${name}`] = readdirSync(`${proc}/fd`).length
      const { text } = await withLimit(browser('10.0.0.7').get('/metrics'))
      values[`event loop of node ${name}, p99 in ms`] = Number(/^nodejs_eventloop_lag_p99_seconds (\S+)/m.exec(text)?.[1]) * 1000
    } catch {
      // It is killed, or stands still: it is looked at again.
    }
  }
  const took = checkTimes.splice(0)
  if (took.length > 0) values['checks, p99 in ms'] = quantile(took, 0.99)
  Object.assign(values, await sizes(installation).catch(() => ({})))
  return { at: performance.now() - startedAt, values }
}

async function withLimit<Answer>(answer: Promise<Answer>): Promise<Answer> {
  answer.catch(() => {})
  const late = new Promise<never>((_resolve, reject) => setTimeout(() => reject(new Error('no answer')), 3_000).unref())
  return Promise.race([answer, late])
}

/** MB of the database, and rows of the tables that only work in progress fills. */
async function sizes({ cluster, file }: Installation): Promise<Record<string, number>> {
  const queues = ['outbox', 'pending_notifications', 'changes', 'handoff_redemptions', 'sessions']
  const count = (table: string) => `(select count(*) from ${table}) as "rows of ${table}"`
  const statement = `select ${queues.map(count).join(', ')}`
  if (file !== undefined) {
    const db = new DatabaseSync(file, { readOnly: true })
    const rows = { ...db.prepare(statement).get() } as Record<string, number>
    db.close()
    return { ...rows, 'database, MB': statSync(file).size / 2 ** 20, 'write-ahead log, MB': statSync(`${file}-wal`).size / 2 ** 20 }
  }
  if (!cluster) return {}
  const [found = {}] = await ask<Record<string, string>>(
    cluster.primary.url,
    `${statement}, pg_database_size(current_database()) / 1048576.0 as "database, MB"`,
  )
  return Object.fromEntries(Object.entries(found).map(([name, value]) => [name, Number(value)]))
}
