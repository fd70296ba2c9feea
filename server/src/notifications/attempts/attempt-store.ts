import { sql } from 'kysely'
import { newId } from '../../kit/index.ts'
import type { NotificationAttemptRow, Queryable } from '../../storage/index.ts'
import { type NotificationStatus, OWN_REASONS } from '../notification.ts'

/**
 * Why something was tried. `receipt`: it arrived. `fetch`: its gateway was asked. `retry`: an administrator wanted it. `resolution`: an
 * administrator said what was missing, or that nothing is to be done. `other`: another notification, or a reconciliation, brought what was
 * missing.
 */
export const ATTEMPT_KINDS = ['receipt', 'fetch', 'retry', 'resolution', 'other'] as const
export type AttemptKind = (typeof ATTEMPT_KINDS)[number]

/** The status that an attempt left; `asked`: its gateway is to be asked; `fault`: the gateway is asked again later by itself. */
export const ATTEMPT_OUTCOMES = ['processed', 'test', 'unresolved', 'ignored', 'failed', 'refused', 'asked', 'fault'] as const
export type AttemptOutcome = (typeof ATTEMPT_OUTCOMES)[number] & (NotificationStatus | 'asked' | 'fault')

/** One attempt to process a notification. */
export interface Attempt {
  kind: AttemptKind
  /** Ms: when it began. */
  at: number
  /** How long it took, where that was measured. */
  ms?: number | undefined
  outcome: AttemptOutcome
  why?: string | undefined
  actor?: string | undefined
  jobId?: string | undefined
  runId?: string | undefined
}

/** The attempts that are kept of one notification: the newest. */
export const MAX_ATTEMPTS = 50

export function attemptStore(db: Queryable) {
  return {
    /** Adds an attempt; the oldest ones go when there are too many. A delivery and its fetching write nothing but their own row. */
    async note(notificationId: string, { kind, at, ms, outcome, why, actor, jobId, runId }: Attempt): Promise<void> {
      const row = { id: newId(), notification_id: notificationId, kind, at, ms: ms ?? null, outcome, why: why ?? null }
      await db
        .insertInto('notification_attempts')
        .values({ ...row, actor: actor ?? null, job_id: jobId ?? null, run_id: runId ?? null })
        .execute()
      if (kind === 'receipt' || kind === 'fetch') return
      const newest = db.selectFrom('notification_attempts').select('id').where('notification_id', '=', notificationId)
      await db
        .deleteFrom('notification_attempts')
        .where('notification_id', '=', notificationId)
        .where('id', '<=', newest.orderBy('id', 'desc').offset(MAX_ATTEMPTS).limit(1))
        .execute()
    },
    /** The newest attempts of a notification, in the order of their times. */
    async list(notificationId: string): Promise<Attempt[]> {
      const own = db.selectFrom('notification_attempts').selectAll().where('notification_id', '=', notificationId)
      const rows = await own.orderBy('id', 'desc').limit(MAX_ATTEMPTS).execute()
      return rows.reverse().map(toAttempt)
    },
    /** The job that asked the gateway last. */
    async findJob(notificationId: string): Promise<string | undefined> {
      const row = await db
        .selectFrom('notification_attempts')
        .select('job_id')
        .where('notification_id', '=', notificationId)
        .where('job_id', 'is not', null)
        .orderBy('id', 'desc')
        .limit(1)
        .executeTakeFirst()
      return row?.job_id ?? undefined
    },
    /** Removes the texts of a gateway's API and of operators, which may name a buyer who is to be forgotten. Our own reasons stay. */
    async forgetTexts(notificationId: string): Promise<void> {
      await db
        .updateTable('notification_attempts')
        .set({ why: null })
        .where('notification_id', '=', notificationId)
        .where('why', 'not in', OWN_REASONS)
        .execute()
    },
    /** Counts the notifications whose gateways a run had asked, by their status at this moment. */
    async countAsked(runId: string): Promise<Array<{ status: string; why: string | undefined; count: number }>> {
      // Without values: PostgreSQL takes two equal values for different expressions.
      const awaiting = sql<string | null>`case when n.why = 'awaiting_gateway' then 'awaiting_gateway' end`
      const rows = await db
        .selectFrom('notification_attempts as a')
        .innerJoin('notifications as n', 'n.id', 'a.notification_id')
        .select((e) => ['n.status', awaiting.as('why'), e.fn.countAll().as('count')])
        .where('a.run_id', '=', runId)
        .where('a.outcome', '=', 'asked' satisfies AttemptOutcome)
        .groupBy(['n.status', awaiting])
        .execute()
      return rows.map(({ status, why, count }) => ({ status, why: why ?? undefined, count: Number(count) }))
    },
  }
}

function toAttempt({ kind, at, ms, outcome, why, actor, job_id, run_id }: NotificationAttemptRow): Attempt {
  return {
    kind: kind as AttemptKind,
    at,
    ms: ms ?? undefined,
    outcome: outcome as AttemptOutcome,
    why: why ?? undefined,
    actor: actor ?? undefined,
    jobId: job_id ?? undefined,
    runId: run_id ?? undefined,
  }
}
