import { type ExpressionBuilder, sql } from 'kysely'
import { firstIdAt } from '../../../kit/index.ts'
import { isNotProcessed, isStuck, type NotificationStatus } from '../../../notifications/index.ts'
import { type NotificationRunRow, type Queryable, removeInPortions, type Schema } from '../../../storage/index.ts'
import type { NotificationRun, OpenSince, RunState } from './notification-run.ts'

const OPEN = ['unresolved', 'failed'] as const satisfies NotificationStatus[]

export function runStore(db: Queryable) {
  const running = (id: string) => db.updateTable('notification_runs').where('id', '=', id).where('state', '=', 'running')
  return {
    async countOpen(since: number): Promise<OpenSince> {
      const isAwaiting = sql<number>`case when why = 'awaiting_gateway' then 1 else 0 end`
      const rows = await db
        .selectFrom('notifications')
        .select((e) => ['status', isAwaiting.as('awaiting'), e.fn.countAll().as('count'), e.fn.max('id').as('last')])
        .where((e) => isOpen(e))
        .where('id', '>=', firstIdAt(since))
        .groupBy(['status', isAwaiting])
        .execute()
      const of = (status: string, awaiting: number) =>
        Number(rows.find((row) => row.status === status && Number(row.awaiting) === awaiting)?.count ?? 0)
      const last = rows.filter(({ awaiting }) => Number(awaiting) === 0).map((row) => row.last)
      return { unresolved: of('unresolved', 0), failed: of('failed', 0), awaitingGateway: of('unresolved', 1), lastId: last.sort().at(-1) }
    },
    /** Adds a run. Only one is under way at a time: of any number of concurrent calls exactly one gets `true`. */
    async add({ id, since, actor, mayConcernRoles, total, lastId }: Omit<NotificationRun, 'state'>, at: number): Promise<boolean> {
      const { numInsertedOrUpdatedRows } = await db
        .insertInto('notification_runs')
        .values({
          ...{ id, since, actor, total, state: 'running', may_concern_roles: mayConcernRoles ? 1 : 0, last_id: lastId },
          ...{ after_id: '', processed: 0, asked: 0, pending: '{}', created_at: at, updated_at: at, finished_at: null },
        })
        .onConflict((conflict) => conflict.doNothing())
        .executeTakeFirst()
      return numInsertedOrUpdatedRows === 1n
    },
    async find(id: string): Promise<NotificationRun | undefined> {
      const row = await db.selectFrom('notification_runs').selectAll().where('id', '=', id).executeTakeFirst()
      return row && toRun(row)
    },
    /** The newest first. */
    async list(limit: number): Promise<NotificationRun[]> {
      const rows = await db.selectFrom('notification_runs').selectAll().orderBy('id', 'desc').limit(limit).execute()
      return rows.map(toRun)
    },
    async findRunning(): Promise<NotificationRun | undefined> {
      const row = await db.selectFrom('notification_runs').selectAll().where('state', '=', 'running').executeTakeFirst()
      return row && toRun(row)
    },
    /** The next notifications to process, in the order of receipt, without those whose gateways are being asked. */
    async listNext({ since, afterId, lastId }: NotificationRun, limit: number): Promise<string[]> {
      const from = db.selectFrom('notifications').select('id').where('id', '>', afterId).where('id', '>=', firstIdAt(since))
      const rows = await from.where('id', '<=', lastId).where(isStuck()).orderBy('id').limit(limit).execute()
      return rows.map(({ id }) => id)
    },
    /**
     * Takes the next notification for the caller, whose transaction holds the run from here. Of any number of workers exactly one gets it;
     * `undefined`: another one has it, or the run has ended.
     */
    async take(id: string, notificationId: string, at: number): Promise<NotificationRun | undefined> {
      const row = await running(id)
        .set({ after_id: notificationId, updated_at: at })
        .where('after_id', '<', notificationId)
        .returningAll()
        .executeTakeFirst()
      return row && toRun(row)
    },
    /** Counts the result of a notification that was taken in the same transaction. */
    async count({ id, processed, asked, pending }: NotificationRun, result: 'processed' | 'asked' | { why: string }): Promise<void> {
      const more = typeof result === 'string' ? pending : { ...pending, [result.why]: (pending[result.why] ?? 0) + 1 }
      const counts = { processed: processed + (result === 'processed' ? 1 : 0), asked: asked + (result === 'asked' ? 1 : 0) }
      await running(id)
        .set({ ...counts, pending: JSON.stringify(more) })
        .execute()
    },
    /** Ends a run: of any number of concurrent calls exactly one gets `true`. */
    async end(id: string, state: 'done' | 'stopped', at: number): Promise<boolean> {
      const { numUpdatedRows } = await running(id).set({ state, updated_at: at, finished_at: at }).executeTakeFirst()
      return numUpdatedRows === 1n
    },
  }
}

/** Removes runs that ended before then (ms). */
export async function forgetRuns(db: Queryable, before: number): Promise<void> {
  await removeInPortions(db, 'notification_runs', (e) => e.and([e('finished_at', '<', before), e('id', '<', firstIdAt(before))]))
}

function isOpen(e: ExpressionBuilder<Schema, 'notifications'>) {
  return e.and([e('status', 'in', OPEN), isNotProcessed()])
}

function toRun(row: NotificationRunRow): NotificationRun {
  return {
    id: row.id,
    since: row.since,
    state: row.state as RunState,
    actor: row.actor,
    mayConcernRoles: row.may_concern_roles === 1,
    total: row.total,
    processed: row.processed,
    asked: row.asked,
    pending: JSON.parse(row.pending),
    afterId: row.after_id,
    lastId: row.last_id,
    createdAt: row.created_at,
    updatedAt: row.updated_at,
    finishedAt: row.finished_at ?? undefined,
  }
}
