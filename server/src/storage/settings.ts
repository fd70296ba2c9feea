import { sql } from 'kysely'
import type { Sealer } from '../kit/index.ts'
import type { Queryable } from './open.ts'

const MASTER_KEY_MARK = 'master_key_mark'

export async function readSetting(db: Queryable, name: string): Promise<string | undefined> {
  const row = await db.selectFrom('settings').select('value').where('name', '=', name).executeTakeFirst()
  return row?.value
}

export async function writeSetting(db: Queryable, name: string, value: string): Promise<void> {
  await db
    .insertInto('settings')
    .values({ name, value })
    .onConflict((conflict) => conflict.column('name').doUpdateSet({ value }))
    .execute()
}

/** Removes a setting that still has this value: of any number of concurrent calls, on any nodes, exactly one gets `true`. */
export async function takeSetting(db: Queryable, name: string, value: string): Promise<boolean> {
  const { numDeletedRows } = await db.deleteFrom('settings').where('name', '=', name).where('value', '=', value).executeTakeFirst()
  return numDeletedRows === 1n
}

/**
 * Takes a turn at regular work: of any number of nodes that ask, one gets `true`, and no other before `everyMs` have passed. A last time
 * that is a little ahead was read before another node's and written after it; one that is further ahead comes from a wrong clock.
 */
export async function takeTurn(db: Queryable, name: string, { at, everyMs }: { at: number; everyMs: number }): Promise<boolean> {
  const { numInsertedOrUpdatedRows } = await db
    .insertInto('settings')
    .values({ name, value: String(at) })
    .onConflict((conflict) =>
      conflict
        .column('name')
        .doUpdateSet({ value: String(at) })
        .where(sql<boolean>`cast(settings.value as bigint) not between ${at - everyMs + 1} and ${at + everyMs}`),
    )
    .executeTakeFirst()
  return numInsertedOrUpdatedRows === 1n
}

/**
 * Moves a time of regular work on, by `atMostMs` from where it was, and answers it. Nothing is behind it at first. It goes back at once: a
 * wrong clock had moved it then.
 */
export async function advance(db: Queryable, name: string, { to, atMostMs }: { to: number; atMostMs: number }): Promise<number> {
  const was = Number((await readSetting(db, name)) ?? to)
  const next = Math.min(to, was + atMostMs)
  await writeSetting(db, name, String(next))
  return next
}

/**
 * Leaves a sealed mark in a new database, and afterwards shows whether the present master key sealed it. Of several nodes that start at
 * once on an empty database one leaves the mark; the others are checked against it.
 */
export async function markMasterKey(db: Queryable, sealer: Sealer): Promise<'right_key' | 'wrong_key'> {
  const place = `settings.value.${MASTER_KEY_MARK}`
  // A node that starts while its database is copied can write nothing, not even what is there already.
  if ((await readSetting(db, MASTER_KEY_MARK)) === undefined)
    await db
      .insertInto('settings')
      .values({ name: MASTER_KEY_MARK, value: sealer.seal('portaria', place) })
      .onConflict((conflict) => conflict.doNothing())
      .execute()
  const mark = (await readSetting(db, MASTER_KEY_MARK)) ?? ''
  return sealer.open(mark, place) === 'portaria' ? 'right_key' : 'wrong_key'
}

/** Whether a master key has sealed something here; `false` also for a database without tables. */
export async function hasMasterKeyMark(db: Queryable): Promise<boolean> {
  const tables = await db.introspection.getTables()
  return tables.some(({ name }) => name === 'settings') && (await readSetting(db, MASTER_KEY_MARK)) !== undefined
}

/** Seals the mark with the sealer's current key: from then on the previous one alone no longer opens this database. */
export async function resealMasterKeyMark(db: Queryable, sealer: Sealer): Promise<void> {
  await writeSetting(db, MASTER_KEY_MARK, sealer.seal('portaria', `settings.value.${MASTER_KEY_MARK}`))
}
