import type { Queryable } from '../open.ts'
import { readSetting, writeSetting } from '../settings.ts'

const [COPIED_TO, COPIED_FROM] = ['copied_to', 'copied_from'] as const
/** The settings in which a copy notes its state in the two databases. They are not copied. */
export const COPY_SETTINGS = [COPIED_TO, COPIED_FROM]

/** The sentence for the operator about a target that is not whole. */
export const COPY_UNFINISHED = 'a copy into this one has not come to its end: run `portaria copy` again, with the same --from and --to'

/** A copy as its source knows it. While there is one, the source can be read only. */
export interface Copy {
  id: string
  /** The target, without a password. */
  to: string
  beganAt: number
  /** When all of it had been compared; absent until then. */
  doneAt?: number
}

/** How far a copy has come, as its target knows it. A target with this is not whole. */
export interface CopyProgress {
  id: string
  /** The process that works on the copy. A second process takes it over from the first. */
  by: string
  /** The table of the last rows, and the key of the last one. */
  table?: string
  after?: ReadonlyArray<string | number>
}

/** The copy of which this database is the source. */
export async function findCopy(db: Queryable): Promise<Copy | undefined> {
  const text = await readSetting(db, COPIED_TO)
  return text === undefined ? undefined : (JSON.parse(text) as Copy)
}

/** Notes a copy, unless there is one: of any number of concurrent calls all get the same answer, the first one's copy. */
export async function beginCopy(db: Queryable, copy: Copy): Promise<Copy> {
  const values = { name: COPIED_TO, value: JSON.stringify(copy) }
  await db
    .insertInto('settings')
    .values(values)
    .onConflict((conflict) => conflict.doNothing())
    .execute()
  return (await findCopy(db)) ?? copy
}

/** `false` when the copy was given up meanwhile. */
export async function noteCopyDone(db: Queryable, copy: Copy, doneAt: number): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable('settings')
    .set({ value: JSON.stringify({ ...copy, doneAt }) })
    .where('name', '=', COPIED_TO)
    .where('value', '=', JSON.stringify(copy))
    .executeTakeFirst()
  return numUpdatedRows === 1n
}

export async function forgetCopy(db: Queryable): Promise<void> {
  await db.deleteFrom('settings').where('name', '=', COPIED_TO).execute()
}

/** The unfinished copy of which this database is the target. */
export async function findProgress(db: Queryable): Promise<CopyProgress | undefined> {
  const text = await readSetting(db, COPIED_FROM)
  return text === undefined ? undefined : (JSON.parse(text) as CopyProgress)
}

/** The same, held until the transaction ends: no page is written meanwhile. */
export async function holdProgress(tx: Queryable): Promise<CopyProgress | undefined> {
  await tx
    .updateTable('settings')
    .set((e) => ({ value: e.ref('value') }))
    .where('name', '=', COPIED_FROM)
    .execute()
  return findProgress(tx)
}

/** Makes a database the target of a copy, or takes an interrupted one over. */
export function takeTarget(db: Queryable, progress: CopyProgress): Promise<void> {
  return writeSetting(db, COPIED_FROM, JSON.stringify(progress))
}

/** `false` when another process has taken the copy over. */
export async function noteProgress(tx: Queryable, from: CopyProgress, to: CopyProgress): Promise<boolean> {
  const { numUpdatedRows } = await tx
    .updateTable('settings')
    .set({ value: JSON.stringify(to) })
    .where('name', '=', COPIED_FROM)
    .where('value', '=', JSON.stringify(from))
    .executeTakeFirst()
  return numUpdatedRows === 1n
}

/** The target is whole from now on, or given up. `false` when another process has taken the copy over. */
export async function forgetProgress(tx: Queryable, progress: CopyProgress): Promise<boolean> {
  const { numDeletedRows } = await tx
    .deleteFrom('settings')
    .where('name', '=', COPIED_FROM)
    .where('value', '=', JSON.stringify(progress))
    .executeTakeFirst()
  return numDeletedRows === 1n
}
