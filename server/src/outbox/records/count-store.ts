import type { Queryable } from '../../storage/index.ts'
import type { JobKind } from '../job.ts'

/** The numbers of pending jobs and of dead letters, for the metrics. */
export async function countJobs(db: Queryable): Promise<{ pending: number; dead: number }> {
  const rows = await db
    .selectFrom('outbox')
    .select((e) => [e.fn.countAll<number>().as('all'), e.fn.count<number>('dead_at').as('dead')])
    .execute()
  const { all = 0, dead = 0 } = rows[0] ?? {}
  return { pending: Number(all) - Number(dead), dead: Number(dead) }
}

/** The number of dead letters of these kinds. */
export async function countDeadJobs(db: Queryable, kinds: readonly JobKind[]): Promise<number> {
  const dead = db.selectFrom('outbox').where('kind', 'in', kinds).where('dead_at', 'is not', null)
  const { count } = await dead.select((e) => e.fn.countAll().as('count')).executeTakeFirstOrThrow()
  return Number(count)
}

/** Whether a job of this kind is pending or under way. */
export async function hasLivingJob(db: Queryable, kind: JobKind): Promise<boolean> {
  const living = db.selectFrom('outbox').select('id').where('kind', '=', kind).where('dead_at', 'is', null)
  return (await living.limit(1).executeTakeFirst()) !== undefined
}

/** The numbers of dead letters in the lanes of a group, by the second part of each lane's name. */
export async function countDeadLanes(db: Queryable, group: string): Promise<Array<{ lane: string; count: number }>> {
  const dead = db.selectFrom('outbox').where('dead_at', 'is not', null).where('lane', 'like', `${group}/%`)
  const rows = await dead
    .select((e) => ['lane', e.fn.countAll().as('count')])
    .groupBy('lane')
    .execute()
  return rows.map(({ lane, count }) => ({ lane: (lane ?? '').slice(group.length + 1), count: Number(count) }))
}
