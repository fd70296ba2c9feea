import type { z } from 'zod'
import { isoTime, normaliseEmail } from '../../kit/index.ts'
import type { Notification } from '../../notifications/index.ts'
import type { AdminDeps } from '../api/deps.ts'
import type { ListFilters, Listing } from '../api/list.ts'
import { notificationJson } from './notification-json.ts'
import { listNotifications } from './notification-list-store.ts'
import type { countsQuery, notificationListQuery } from './notification-queries.ts'

/** Notifications, without what was sent. */
export function notificationListing(
  query: ListFilters<typeof notificationListQuery>,
  { storage }: Pick<AdminDeps, 'storage'>,
): Listing<Notification, 'received_at'> {
  return {
    order: query.sort,
    read: (page) => listNotifications(storage.db, { ...filterOf(query), status: query.status, stuck: query.stuck && true }, page),
    placeOf: ({ id }) => ({ id, value: id }),
    json: rowJson,
  }
}

/** The filters that a list and its counts share. */
export function filterOf({ source, product_id: productId, email, since, until }: z.output<typeof countsQuery>) {
  return { source, productId, subject: email === undefined ? undefined : (normaliseEmail(email) ?? email), since, until }
}

/** A notification as lists show it. */
export function rowJson(notification: Notification) {
  const { why, productId, subscriptionId, processedAt } = notification
  return {
    ...notificationJson(notification),
    why: why ?? null,
    product_id: productId ?? null,
    subscription_id: subscriptionId ?? null,
    processed_at: isoTime(processedAt),
  }
}
