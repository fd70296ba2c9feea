import type { CreateIndexBuilder, Kysely, SchemaModule } from 'kysely'
import type { DatabaseAddress } from '../database-url.ts'

/** A database whose tables are not known to the types: those of a migration are of its own time. */
export type Tables = Kysely<unknown>

/** A change of the tables that comes with a version. */
export interface Migration {
  /**
   * Whether a version that does not know it goes on working beside it: it adds tables, columns that may be absent, and indexes that refuse
   * nothing, and takes nothing away. `migrations.test.ts` compares the tables before and after. With `false` every older version refuses to
   * start from then on, and says which version it needs: there is no way back but a backup.
   */
  adds: boolean
  /** In order, each of them once, and each in transactions of its own: a process that dies between two is gone on from there. */
  steps: readonly Step[]
}

/** An index that is not made yet. */
type NewIndex = Pick<CreateIndexBuilder, 'compile' | 'execute' | 'toOperationNode'>

export type Step =
  /**
   * Quick changes of tables, in one short transaction. Of tables that were there before it alters one at most, and makes no index on any.
   */
  | { does: 'change'; work: (db: Tables, dialect: DatabaseAddress['dialect']) => Promise<void> }
  /** An index on a table that was there before. PostgreSQL makes it without holding up anybody's writes. */
  | { does: 'index'; index: (schema: SchemaModule) => NewIndex }
  /** Values for rows that are there, a page at a time. */
  | { does: 'fill'; page: FillPage }

/**
 * Fills one page of rows, those after the place where the page before ended (`undefined` is the beginning), and answers where it ended
 * itself; `undefined` when none are left. It is done again later, for what an older version wrote meanwhile: so it changes no row that is
 * right already.
 */
export type FillPage = (db: Tables, after: string | undefined) => Promise<string | undefined>

export function change(work: (db: Tables, dialect: DatabaseAddress['dialect']) => Promise<void>): Step {
  return { does: 'change', work }
}

export function index(make: (schema: SchemaModule) => NewIndex): Step {
  return { does: 'index', index: make }
}

export function fill(page: FillPage): Step {
  return { does: 'fill', page }
}
