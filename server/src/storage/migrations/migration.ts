import type { CreateIndexBuilder, Kysely, SchemaModule, Transaction } from 'kysely'
import type { DatabaseAddress } from '../database-url.ts'

/** A database without table types: a migration's tables are those of its own time. */
export type Tables = Kysely<unknown>
export type TablesTransaction = Transaction<unknown>

/** A change of the tables that comes with a version. */
export interface Migration {
  /**
   * Whether older versions go on working beside it: it adds tables, nullable columns, and indexes that refuse nothing, and removes nothing.
   * `migrations.test.ts` compares the tables before and after. With `false` every older version refuses to start from then on, and says
   * which version it needs: the only way back is a backup.
   */
  adds: boolean
  /** In order, each once and in transactions of its own: after a crash between two, the next run continues there. */
  steps: readonly Step[]
}

/** An index that is not made yet. */
type NewIndex = Pick<CreateIndexBuilder, 'compile' | 'execute' | 'toOperationNode'>

export type Step =
  /** Quick changes of tables, in one short transaction. It alters at most one existing table, and makes no index on any. */
  | { does: 'change'; work: (db: Tables, dialect: DatabaseAddress['dialect']) => Promise<void> }
  /** An index on an existing table. PostgreSQL makes it without blocking writes. */
  | { does: 'index'; index: (schema: SchemaModule) => NewIndex }
  /** Values for existing rows, a page at a time. */
  | { does: 'fill'; page: FillPage }

/**
 * Fills one page of rows, those after the end of the page before (`undefined` is the beginning), and answers its own end; `undefined` when
 * none are left. It is repeated later, for rows that an older version wrote meanwhile: so it must not change a row that is right already.
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
