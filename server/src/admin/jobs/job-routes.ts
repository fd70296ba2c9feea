import { z } from 'zod'
import { findJob, listJobsPage } from '../../outbox/index.ts'
import type { AdminAnswer } from '../api/admin-route.ts'
import type { AdminDeps } from '../api/deps.ts'
import { listQuery, onePage, readPage, writePage } from '../api/list.ts'
import { adminRoute, type Operations } from '../api/operations.ts'
import type { Refused } from '../api/refusals.ts'
import { actionBody, reasonedBody } from '../api/request/reason.ts'
import { jobJson } from './job-json.ts'
import { dropJob, type JobRefusal, retryDeadJobs, retryJob } from './manage-outbox.ts'

const time = z.iso.datetime().nullable()
const jobSchema = z
  .object({
    id: z.uuid(),
    kind: z.string(),
    state: z.enum(['pending', 'running', 'dead']),
    attempts: z.int(),
    created_at: time,
    run_at: time,
    dead_at: time.describe('when it was given up: a dead letter, which nobody tries again by itself'),
    last_error: z.string().nullable(),
  })
  .meta({ id: 'Job' })
const example = {
  id: '0199c2b4-b111-7c20-9d30-4e5f6a7b8c9d',
  kind: 'mail',
  state: 'dead',
  attempts: 12,
  created_at: '2026-11-18T12:00:00.000Z',
  run_at: '2026-11-20T12:00:00.000Z',
  dead_at: '2026-11-20T12:00:00.000Z',
  last_error: 'connect ECONNREFUSED',
}
const answer = { description: 'The job', schema: jobSchema, example }
const jobListQuery = listQuery({ sorts: ['created_at'], usual: 'created_at' }, { state: z.enum(['dead', 'living']).optional() })

const refused = {
  not_found: { refusal: 'not_found' },
  running: { refusal: 'conflict', reason: 'running' },
} as const satisfies Record<JobRefusal['refusal'], Refused>

/** Jobs of the outbox, mails and calls to gateways: pending ones, dead letters, and their faults. */
export function jobRoutes(operations: Operations, deps: AdminDeps): void {
  const { storage, now } = deps
  adminRoute(operations, {
    method: 'GET',
    path: '/jobs',
    operationId: 'listJobs',
    summary: 'List what waits or was given up',
    may: 'jobs:read',
    query: jobListQuery,
    answer: onePage(jobSchema, example),
    refuses: ['bad_cursor'],
    work: ({ query }) => list(query, deps),
  })
  adminRoute(operations, {
    method: 'GET',
    path: '/jobs/:id',
    operationId: 'showJob',
    summary: 'Show a job',
    may: 'jobs:read',
    answer,
    refuses: ['not_found'],
    async work({ id }) {
      const job = await findJob(storage.db, id)
      return job ? { body: jobJson(job, now()) } : { refusal: 'not_found' }
    },
  })
  adminRoute(operations, {
    method: 'POST',
    path: '/jobs/retry-dead',
    operationId: 'retryDeadJobs',
    summary: 'Try every dead letter now',
    may: 'jobs:write',
    body: actionBody,
    answer: { description: 'How many', schema: z.object({ retried: z.int() }), example: { retried: 3 } },
    async work({ actor }) {
      const retried = await retryDeadJobs({ storage, now, actor })
      deps.outbox.wake()
      return { body: { retried } }
    },
  })
  adminRoute(operations, {
    method: 'POST',
    path: '/jobs/:id/retry',
    operationId: 'retryJob',
    summary: 'Try a job now, as if it were new',
    may: 'jobs:write',
    body: actionBody,
    answer,
    refuses: ['not_found', 'conflict'],
    async work({ id, actor }) {
      const job = await retryJob(id, { storage, now, actor })
      if ('refusal' in job) return refused[job.refusal]
      deps.outbox.wake()
      return { body: jobJson(job, now()) }
    },
  })
  adminRoute(operations, {
    method: 'DELETE',
    path: '/jobs/:id',
    operationId: 'dropJob',
    summary: 'Remove a job: what it was for is not done',
    description:
      'One that still waits is for owners to remove: it may be the mail that informs somebody of what support has done. A notification whose gateway it was to ask becomes `failed` (`job_removed`), and can be processed again or ignored.',
    may: 'jobs:write',
    body: reasonedBody,
    answer: {
      description: 'Which',
      schema: z.object({ id: z.uuid(), deleted: z.literal(true), failed_notification_id: z.uuid().nullable() }),
      example: { id: example.id, deleted: true, failed_notification_id: null },
    },
    refuses: ['not_found', 'conflict'],
    async work({ id, actor, body, caller }) {
      const living = caller.role === 'owner' ? undefined : await findJob(storage.db, id)
      if (living && living.deadAt === undefined) return { refusal: 'not_allowed' }
      const job = await dropJob(id, body.reason, { storage, now, actor })
      return 'refusal' in job
        ? refused[job.refusal]
        : { body: { id, deleted: true, failed_notification_id: job.failedNotificationId ?? null } }
    },
  })
}

async function list(query: z.output<typeof jobListQuery>, { storage, cursors, now }: AdminDeps): Promise<AdminAnswer> {
  const asked = readPage('jobs', query, cursors)
  if ('refusal' in asked) return asked
  const found = await listJobsPage(storage.db, { only: query.state }, asked.page)
  return {
    body: writePage('jobs', found, query, { cursors, placeOf: ({ id }) => ({ id, value: id }), json: (job) => jobJson(job, now()) }),
  }
}
