import { holdMigrations } from '../locks.ts'
import type { Queryable, Storage } from '../open.ts'
import { openPostgres } from '../postgres.ts'
import { readApplied, type SchemaState, schemaState, takeRefill } from './applied.ts'
import { applyPending, fillPages } from './apply-migrations.ts'

/** An index over millions of rows takes minutes. */
const STATEMENT_MS = 60 * 60_000
/** How long after a migration its fills are done again: when the last older node has gone, as a rule, and when it surely has. */
const REFILLS_MS = [60 * 60_000, 24 * 60 * 60_000] as const

/** A database that a newer version has changed so that this one can't work with it. */
export interface NeedsNewer {
  refusal: 'needs_newer'
  needs: NonNullable<SchemaState['needs']>
}

/**
 * Brings the tables up to date and answers the names of what it applied. Any number of nodes may start at once. Each step is transactions
 * of its own, and nodes that serve meanwhile wait for none of them longer than a moment. `tell` hears what takes long.
 */
export async function migrate(
  storage: Storage,
  { tell = () => {} }: { tell?: (line: string) => void } = {},
): Promise<{ applied: string[] } | NeedsNewer> {
  const { needs, pending } = await schemaState(storage)
  if (needs) return { refusal: 'needs_newer', needs }
  if (pending.length === 0) return { applied: [] }
  return { applied: await onOwnConnection(storage, (db) => applyPending({ ...storage, db }, tell)) }
}

/** Does the fills of this version again when it is time to, for what older versions wrote beside it. */
export async function manageFills(storage: Storage, now: number): Promise<void> {
  for (const { name, applied_at, refilled } of await readApplied(storage)) {
    const after = REFILLS_MS[refilled]
    const isDue = applied_at !== null && after !== undefined && now >= applied_at + after
    if (isDue && hasFill(storage, name) && (await takeRefill(storage.db, { name, refilled }))) await refill(storage, name)
  }
}

/** Does all fills of this version again. Answers the names of their migrations. */
export async function fillAgain(storage: Storage): Promise<string[]> {
  const names = Object.keys(storage.timeline.migrations).filter((name) => hasFill(storage, name))
  for (const name of names) await refill(storage, name)
  return names
}

function hasFill({ timeline }: Storage, name: string): boolean {
  return timeline.migrations[name]?.steps.some(({ does }) => does === 'fill') ?? false
}

async function refill(storage: Storage, name: string): Promise<void> {
  for (const step of storage.timeline.migrations[name]?.steps ?? []) if (step.does === 'fill') await fillPages(storage, step.page)
}

/**
 * PostgreSQL: one connection with time for long statements, which holds the lock for as long as it lives; a node that dies gives both back.
 * SQLite: the one there is; each step makes sure for itself that nobody has done it already.
 */
async function onOwnConnection<T>({ db, address }: Storage, work: (db: Queryable) => Promise<T>): Promise<T> {
  if (address.dialect === 'sqlite') return work(db)
  const patient = await openPostgres(address.url, { statementMs: STATEMENT_MS })
  try {
    return await patient.db.connection().execute(async (one) => {
      await holdMigrations(one)
      return work(one)
    })
  } finally {
    await patient.close()
  }
}
