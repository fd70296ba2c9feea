import { sql } from 'kysely'
import type { Clock } from '../kit/index.ts'
import type { Storage } from './open.ts'

/** The database's time in ms; `undefined` where its clock is this process's own. */
export async function readTime({ db, address }: Pick<Storage, 'db' | 'address'>): Promise<number | undefined> {
  if (address.dialect === 'sqlite') return undefined
  const { rows } = await sql<{ time: number }>`select (extract(epoch from clock_timestamp()) * 1000)::bigint as time`.execute(db)
  return rows[0]?.time
}

/** Corrects a clock by the database's. Answers the database's time. */
export async function compareClocks(clock: Clock, storage: Pick<Storage, 'db' | 'address'>): Promise<number> {
  const askedAt = clock.own()
  const time = await readTime(storage)
  clock.compare({ askedAt, answeredAt: clock.own(), time })
  return time ?? clock.now()
}

/**
 * The time that decides who holds a lease: the database's, asked at this moment. A node's clock is corrected once a second, and one that
 * was set an hour ahead must not take what another node holds, even in that second. A given time is what it is.
 */
export async function leaseTime(clock: Clock, storage: Pick<Storage, 'db' | 'address'>): Promise<number> {
  return clock.isGiven ? clock.now() : compareClocks(clock, storage)
}
