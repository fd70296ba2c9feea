import { sql } from 'kysely'
import type { Queryable, Storage } from '../open.ts'
import type { Tables } from './migration.ts'

/** One migration that was begun on this database. */
export interface Applied {
  name: string
  /** The version of Portaria that applied it. */
  version: string
  adds: 0 | 1
  steps_done: number
  /** The position of the running step's fill. */
  place: string | null
  began_at: number
  /** When its last step was done. */
  applied_at: number | null
  /** How often its fills were repeated. */
  refilled: number
}

/** How a database and the migrations of this version fit together. */
export interface SchemaState {
  /** This version has them, the database does not. */
  pending: string[]
  /** The database has them, this version does not; they only add, so it works beside them. */
  newer: { name: string; version: string }[]
  /** The last migration that this version does not know and can't work beside, and the version that applied it. */
  needs: { name: string; version: string } | undefined
}

/** The handle for queries to either database. */
export type Place = Pick<Storage, 'db' | 'address'>

export async function schemaState({ timeline: { migrations }, ...place }: Place & Pick<Storage, 'timeline'>): Promise<SchemaState> {
  const applied = await readApplied(place)
  const done = new Set(applied.filter(({ applied_at }) => applied_at !== null).map(({ name }) => name))
  const unknown = applied.filter(({ name }) => !Object.hasOwn(migrations, name))
  return {
    pending: Object.keys(migrations).filter((name) => !done.has(name)),
    newer: unknown.filter(({ adds }) => adds === 1).map(({ name, version }) => ({ name, version })),
    needs: unknown
      .filter(({ adds }) => adds === 0)
      .map(({ name, version }) => ({ name, version }))
      .at(-1),
  }
}

/** For users of a database that this version is too old for. */
export function newerSentence({ name, version }: NonNullable<SchemaState['needs']>): string {
  return `Portaria ${version} has changed this database (${name}) so that older versions can't work with it: start ${version} or newer, or restore a backup from before`
}

/** For the operator: this version, and the newer ones that have added to its tables. */
export function besideNewer(newer: SchemaState['newer'], version: string): string {
  const names = newer.map((one) => `${one.name} of ${one.version}`).join(', ')
  return `a newer version has added to the tables (${names}): this one, ${version}, works beside it`
}

/** Whether a migration was ever begun on this database. */
export async function hasTables(place: Place): Promise<boolean> {
  return (await readApplied(place)).length > 0
}

/** In the order of their names; empty on a database that has no tables yet. */
export async function readApplied(place: Place): Promise<Applied[]> {
  if (!(await hasTable(place, 'applied_migrations'))) return []
  return (await sql<Applied>`select * from applied_migrations order by name`.execute(place.db)).rows
}

/** Creates the table of applied migrations, if it is absent. */
export async function createAppliedTable(db: Tables): Promise<void> {
  await sql`create table if not exists applied_migrations (name text primary key not null, version text not null, adds integer not null,
    steps_done integer not null, place text, began_at bigint not null, applied_at bigint, refilled integer not null)`.execute(db)
}

/** Records that a migration begins, unless it has begun already. */
export async function beginMigration(db: Tables, row: Applied): Promise<void> {
  await sql`insert into applied_migrations (name, version, adds, steps_done, place, began_at, applied_at, refilled)
    values (${row.name}, ${row.version}, ${row.adds}, ${row.steps_done}, ${row.place}, ${row.began_at}, ${row.applied_at}, ${row.refilled})
    on conflict do nothing`.execute(db)
}

async function hasTable({ db, address }: Place, name: string): Promise<boolean> {
  const asked =
    address.dialect === 'sqlite'
      ? sql`select 1 from sqlite_master where type = 'table' and name = ${name}`
      : sql`select 1 where to_regclass(${name}) is not null`
  return (await asked.execute(db)).rows.length > 0
}

export async function findApplied(db: Tables, name: string): Promise<Applied | undefined> {
  return (await sql<Applied>`select * from applied_migrations where name = ${name}`.execute(db)).rows[0]
}

/** Writes down how far a migration has come. */
export async function noteProgress(
  db: Tables,
  name: string,
  { stepsDone, place, appliedAt }: { stepsDone: number; place: string | undefined; appliedAt: number | undefined },
): Promise<void> {
  await sql`update applied_migrations set steps_done = ${stepsDone}, place = ${place ?? null}, applied_at = ${appliedAt ?? null} where name = ${name}`.execute(
    db,
  )
}

/** Counts a repetition of a migration's fills, once for all nodes that did it about the same time. */
export async function countRefill(db: Queryable, { name, refilled }: Pick<Applied, 'name' | 'refilled'>): Promise<void> {
  await sql`update applied_migrations set refilled = refilled + 1 where name = ${name} and refilled = ${refilled}`.execute(db)
}
