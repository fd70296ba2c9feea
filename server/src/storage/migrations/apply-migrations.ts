import { setTimeout } from 'node:timers/promises'
import { sql } from 'kysely'
import { isConflict, isLockTaken } from '../faults.ts'
import type { Storage } from '../open.ts'
import { isBusy } from '../sqlite/sqlite-busy.ts'
import { beginMigration, createAppliedTable, findApplied, noteProgress, readApplied } from './applied.ts'
import type { FillPage, Migration, Step, Tables, TablesTransaction } from './migration.ts'

/**
 * The longest wait of a step for a table in use; other transactions wait behind it for as long. It is below the second after which
 * PostgreSQL looks for deadlocks, so that no transaction of others is ended.
 */
const LOCK_MS = 400
/** The pause for those others before the next try. */
const PAUSE_MS = 300
/** A dump, for example, may hold a table for as long as it takes. */
const TIMEOUT_MS = 30 * 60_000
const MAX_PAUSE_MS = 100
/** A quicker step needs no message. */
const LONG_MS = 2_000

type Place = Pick<Storage, 'db' | 'address'>
type Report = (line: string) => void

/** Called when work on a migration begins: its place among those that this call works on, from 1. */
export type OnMigration = (name: string, place: { at: number; of: number }) => void

/** Applies the migrations that the database lacks. Answers the names of those whose last step was done here. */
export async function applyPending(
  storage: Place & Pick<Storage, 'timeline'>,
  { report, onMigration }: { report: Report; onMigration: OnMigration },
): Promise<string[]> {
  const { timeline } = storage
  await inTransaction(storage, createAppliedTable)
  const done = new Set((await readApplied(storage)).filter(({ applied_at }) => applied_at !== null).map(({ name }) => name))
  const applied: string[] = []
  const from = performance.now()
  const lacking = Object.entries(timeline.migrations).filter(([name]) => !done.has(name))
  for (const [i, [name, migration]] of lacking.entries()) {
    onMigration(name, { at: i + 1, of: lacking.length })
    if (performance.now() - from > LONG_MS) report(`bringing the tables up to date: ${name}`)
    if (await apply(storage, { name, migration })) applied.push(name)
  }
  return applied
}

interface Named {
  name: string
  migration: Migration
}

/** One migration, from its next step on. Answers whether its last step was done here. */
async function apply(storage: Place & Pick<Storage, 'timeline'>, { name, migration }: Named): Promise<boolean> {
  const { timeline } = storage
  const row = {
    name,
    version: timeline.version,
    adds: migration.adds ? 1 : 0,
    steps_done: 0,
    place: null,
    applied_at: null,
    refilled: 0,
  } as const
  await inTransaction(storage, (db) => beginMigration(db, { ...row, began_at: Date.now() }))
  let isOurs = false
  for (const [at, step] of migration.steps.entries()) isOurs = await takeStep(storage, step, { name, at, of: migration.steps.length })
  return isOurs
}

interface StepPlace {
  name: string
  at: number
  of: number
}

/** Does a step unless it is done. The check is in the same transaction: on SQLite another process may do it too. */
async function takeStep(storage: Place, step: Step, { name, at, of }: StepPlace): Promise<boolean> {
  const isDue = async (db: Tables) => (await findApplied(db, name))?.steps_done === at
  const finish = (db: Tables) =>
    noteProgress(db, name, { stepsDone: at + 1, place: undefined, appliedAt: at + 1 === of ? Date.now() : undefined })
  const once = (work: (db: Tables) => Promise<void>) =>
    inTransaction(storage, async (db) => {
      if (!(await isDue(db))) return false
      await work(db)
      await finish(db)
      return true
    })
  const { dialect } = storage.address
  if (step.does === 'change') return once((db) => step.work(db, dialect))
  if (step.does === 'index') {
    if (dialect === 'sqlite') return once((db) => step.index(db.schema).execute())
    await makeIndexBeside(storage.db as unknown as Tables, step)
    return once(async () => {})
  }
  const from = (await findApplied(storage.db as unknown as Tables, name))?.place ?? undefined
  const note = (db: Tables, place: string) => noteProgress(db, name, { stepsDone: at, place, appliedAt: undefined })
  await fillPages(storage, step.page, { from, isDue, note })
  return once(async () => {})
}

/** PostgreSQL: while others write to the table. An index left invalid by a dead process refuses or finds nothing, and is made anew. */
async function makeIndexBeside(db: Tables, { index }: Extract<Step, { does: 'index' }>): Promise<void> {
  const builder = index(db.schema)
  const { name } = builder.toOperationNode().name
  const { rows } = await sql`select 1 from pg_index where indexrelid = to_regclass(${`"${name}"`}) and not indisvalid`.execute(db)
  if (rows.length > 0) await sql`drop index concurrently if exists ${sql.ref(name)}`.execute(db)
  const statement = builder.compile().sql.replace(/^create (unique )?index /, (beginning) => `${beginning}concurrently if not exists `)
  await sql.raw(statement).execute(db)
}

/** Each page is a transaction, with a pause after it that is as long as it took: writers get half of the time. */
export async function fillPages(
  storage: Place,
  page: FillPage,
  { from, isDue = async () => true, note = async () => {} }: FillProgress = {},
): Promise<void> {
  for (let after = from; ; ) {
    const began = performance.now()
    const place = after
    after = await inTransaction(storage, async (db) => {
      if (!(await isDue(db))) return undefined
      const end = await page(db, place)
      if (end !== undefined) await note(db, end)
      return end
    })
    if (after === undefined) return
    await setTimeout(Math.min(performance.now() - began, MAX_PAUSE_MS))
  }
}

interface FillProgress {
  from?: string | undefined
  isDue?: (db: Tables) => Promise<boolean>
  note?: (db: Tables, place: string) => Promise<void>
}

/** One short transaction, tried again while others use its tables. Nobody waits behind it for longer than `LOCK_MS`. */
export async function inTransaction<T>({ db, address }: Place, work: (tx: TablesTransaction) => Promise<T>): Promise<T> {
  const deadline = performance.now() + TIMEOUT_MS
  for (;;) {
    try {
      return await db.transaction().execute(async (tx) => {
        if (address.dialect === 'postgres') await sql`set local lock_timeout = ${sql.lit(LOCK_MS)}`.execute(tx)
        return work(tx as unknown as TablesTransaction)
      })
    } catch (error) {
      if (!(isLockTaken(error) || isConflict(error) || isBusy(error)) || performance.now() > deadline) throw error
      await setTimeout(PAUSE_MS * (0.5 + Math.random()))
    }
  }
}
