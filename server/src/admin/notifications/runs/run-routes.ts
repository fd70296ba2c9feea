import type { AdminDeps } from '../../api/deps.ts'
import { adminRoute, type Operations } from '../../api/operations.ts'
import { refuseTooMany } from '../../api/rate-limits.ts'
import { actionBody } from '../../api/request/reason.ts'
import { mayConcernRoles } from '../resolve-for.ts'
import { startRun, stopRun } from './run.ts'
import { runJson } from './run-json.ts'
import { openExample, openQuery, openSchema, runBody, runExample, runListSchema, runSchema } from './run-schemas.ts'
import { runStore } from './run-store.ts'

const MAX_LISTED = 20
const answer = { description: 'The run', schema: runSchema, example: runExample }

/** Everything that waits or failed since a moment, processed again: counted before, begun, watched, stopped. */
export function notificationRunRoutes(operations: Operations, deps: AdminDeps): void {
  const { storage } = deps
  adminRoute(operations, {
    method: 'GET',
    path: '/notifications/open',
    operationId: 'countOpenNotifications',
    summary: 'Count what a run would process again',
    may: 'notifications:read',
    query: openQuery,
    answer: { description: 'How many', schema: openSchema, example: openExample },
    async work({ query }) {
      const { unresolved, failed, awaitingGateway } = await runStore(storage.db).countOpen(query.since)
      return { body: { unresolved, failed, awaiting_gateway: awaitingGateway } }
    },
  })
  adminRoute(operations, {
    method: 'GET',
    path: '/notification-runs',
    operationId: 'listNotificationRuns',
    summary: 'List the latest runs',
    may: 'notifications:read',
    answer: { description: `The ${MAX_LISTED} latest, the newest first`, schema: runListSchema, example: { data: [runExample] } },
    async work() {
      const runs = await runStore(storage.db).list(MAX_LISTED)
      return { body: { data: await Promise.all(runs.map((run) => runJson(storage.db, run))) } }
    },
  })
  adminRoute(operations, {
    method: 'GET',
    path: '/notification-runs/:id',
    operationId: 'showNotificationRun',
    summary: 'Show a run and how far it is',
    may: 'notifications:read',
    answer,
    refuses: ['not_found'],
    async work({ id }) {
      const run = await runStore(storage.db).find(id)
      return run ? { body: await runJson(storage.db, run) } : { refusal: 'not_found' }
    },
  })
  changingRoutes(operations, deps)
}

function changingRoutes(operations: Operations, deps: AdminDeps): void {
  const { storage } = deps
  adminRoute(operations, {
    method: 'POST',
    path: '/notification-runs',
    operationId: 'startNotificationRun',
    summary: 'Process everything again that waits or failed, since a time',
    description:
      'The service does it, the oldest first, and goes on wherever the caller is: ask for the run to see how far it is. Gateways are asked again about what failed. One run at a time: 409 `running` while another is under way. 10 a minute.',
    may: 'notifications:write',
    body: runBody,
    answer,
    refuses: ['conflict'],
    async work({ body, actor, caller }) {
      const tooMany = await refuseTooMany('reprocess', { caller }, deps)
      if (tooMany) return tooMany
      const run = await startRun({ since: body.since, mayConcernRoles: mayConcernRoles(caller) }, { ...deps, actor })
      if ('refusal' in run) return { refusal: 'conflict', reason: run.refusal }
      deps.outbox.wake()
      return { body: await runJson(storage.db, run) }
    },
  })
  adminRoute(operations, {
    method: 'POST',
    path: '/notification-runs/:id/stop',
    operationId: 'stopNotificationRun',
    summary: 'Stop a run; what it has done stays',
    description: 'One that has ended already is answered as it is.',
    may: 'notifications:write',
    body: actionBody,
    answer,
    refuses: ['not_found'],
    async work({ id, actor }) {
      const run = await stopRun(id, { ...deps, actor })
      return 'refusal' in run ? run : { body: await runJson(storage.db, run) }
    },
  })
}
