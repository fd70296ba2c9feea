import { serverUrls } from '../database-url.ts'
import { holdMigrations } from '../locks.ts'
import type { Queryable, Storage } from '../open.ts'
import { openPostgres } from '../postgres/postgres.ts'
import { countRefill, readApplied, type SchemaState, schemaState } from './applied.ts'
import { applyPending, fillPages, type OnMigration } from './apply-migrations.ts'

/** An index over millions of rows takes minutes. */
const STATEMENT_MS = 60 * 60_000
/** When the fills of a migration are repeated: once when the last older node has probably gone, and once when it surely has. */
const REFILLS_MS = [60 * 60_000, 24 * 60 * 60_000] as const

/** A database that a newer version has changed so that this one can't work with it. */
export interface NeedsNewer {
  refusal: 'needs_newer'
  needs: NonNullable<SchemaState['needs']>
}

/**
 * Runs the migrations and answers the names of those applied. Any number of nodes may start at once. Each step is transactions of its own,
 * and other nodes wait for none of them longer than a moment. `report` is called for steps that take long.
 */
export async function migrate(
  storage: Storage,
  { report = () => {}, onMigration = () => {} }: { report?: (line: string) => void; onMigration?: OnMigration } = {},
): Promise<{ applied: string[] } | NeedsNewer> {
  const { needs, pending } = await schemaState(storage)
  if (needs) return { refusal: 'needs_newer', needs }
  if (pending.length === 0) return { applied: [] }
  return { applied: await onOwnConnection(storage, (db) => applyPending({ ...storage, db }, { report, onMigration })) }
}

/**
 * Repeats the fills of this version when they are due, for rows that older versions wrote meanwhile. A fill counts when it has come to its
 * end: one that is cut off is done again at the next call. Two at the same time do no harm, since a fill may be repeated.
 */
export async function manageFills(storage: Storage, now: number): Promise<void> {
  const faults: unknown[] = []
  for (const { name, applied_at, refilled } of await readApplied(storage)) {
    const after = REFILLS_MS[refilled]
    const isDue = applied_at !== null && after !== undefined && now >= applied_at + after
    if (!isDue || !hasFill(storage, name)) continue
    try {
      await refill(storage, name)
      await countRefill(storage.db, { name, refilled })
    } catch (fault) {
      faults.push(fault) // it keeps no other from its turn
    }
  }
  if (faults.length > 0) throw faults[0]
}

/** Repeats all fills of this version. Answers the names of their migrations. */
export async function fillAgain(storage: Storage, { onMigration = () => {} }: { onMigration?: OnMigration } = {}): Promise<string[]> {
  const names = Object.keys(storage.timeline.migrations).filter((name) => hasFill(storage, name))
  for (const [i, name] of names.entries()) {
    onMigration(name, { at: i + 1, of: names.length })
    await refill(storage, name)
  }
  return names
}

function hasFill({ timeline }: Storage, name: string): boolean {
  return timeline.migrations[name]?.steps.some(({ does }) => does === 'fill') ?? false
}

async function refill(storage: Storage, name: string): Promise<void> {
  for (const step of storage.timeline.migrations[name]?.steps ?? []) if (step.does === 'fill') await fillPages(storage, step.page)
}

/**
 * PostgreSQL: a connection of its own with time for long statements, which holds the lock while it lives; when a node dies, both are
 * released. SQLite: the only connection; each step checks itself whether it is done.
 */
async function onOwnConnection<T>({ db, address }: Storage, work: (db: Queryable) => Promise<T>): Promise<T> {
  if (address.dialect === 'sqlite') return work(db)
  const patient = await openPostgres(serverUrls(address.url), { statementMs: STATEMENT_MS })
  try {
    return await patient.db.connection().execute(async (one) => {
      await holdMigrations(one)
      return work(one)
    })
  } finally {
    await patient.close()
  }
}
