import type { z } from 'zod'
import type { AdminAnswer } from '../api/admin-route.ts'
import type { AdminDeps } from '../api/deps.ts'
import { answerPage, onePage } from '../api/list.ts'
import { adminRoute, type Operations } from '../api/operations.ts'
import { batchRoute } from './batch-routes.ts'
import { countNotifications } from './notification-list-store.ts'
import { filterOf, notificationListing } from './notification-listing.ts'
import { countsExample, countsQuery, countsSchema, notificationListQuery } from './notification-queries.ts'
import { notificationExample, notificationSchema } from './notification-schemas.ts'
import { resolvingRoutes } from './resolving-routes.ts'
import { notificationRunRoutes } from './runs/run-routes.ts'
import { notificationAnswer, showNotification } from './show-notification.ts'

/** Notifications of payments: listed, shown with their effects, and resolved. */
export function notificationRoutes(operations: Operations, deps: AdminDeps): void {
  adminRoute(operations, {
    method: 'GET',
    path: '/notifications',
    operationId: 'listNotifications',
    summary: 'List notifications',
    may: 'notifications:read',
    query: notificationListQuery,
    answer: onePage(notificationSchema, notificationExample),
    refuses: ['bad_cursor'],
    work: ({ query }) => answerPage('notifications', query, notificationListing(query, deps), deps.cursors),
  })
  adminRoute(operations, {
    method: 'GET',
    path: '/notifications/counts',
    operationId: 'countNotifications',
    summary: 'Count notifications, those that wait and those that failed among them',
    may: 'notifications:read',
    query: countsQuery,
    answer: { description: 'How many', schema: countsSchema, example: countsExample },
    work: ({ query }) => count(query, deps),
  })
  adminRoute(operations, {
    method: 'GET',
    path: '/notifications/:id',
    operationId: 'showNotification',
    summary: 'Show a notification, with what was sent and what it changed',
    description: 'A viewer sees what was sent without personal data.',
    may: 'notifications:read',
    answer: notificationAnswer,
    refuses: ['not_found'],
    work: ({ id, caller }) => showNotification(id, caller, deps),
  })
  resolvingRoutes(operations, deps)
  batchRoute(operations, deps)
  notificationRunRoutes(operations, deps)
}

async function count(query: z.output<typeof countsQuery>, { storage: { db } }: AdminDeps): Promise<AdminAnswer> {
  const filter = filterOf(query)
  const all = await countNotifications(db, filter)
  const unresolved = await countNotifications(db, { ...filter, status: 'unresolved' })
  return { body: { all, unresolved, failed: await countNotifications(db, { ...filter, status: 'failed' }) } }
}
