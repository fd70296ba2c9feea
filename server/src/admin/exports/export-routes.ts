import type { z } from 'zod'
import { recordAudit } from '../../audit/index.ts'
import { isMuchUncounted } from '../../reports/index.ts'
import type { AdminAnswer, AdminCall, AdminRoute, Nothing } from '../api/admin-route.ts'
import type { Caller } from '../api/caller.ts'
import type { AdminDeps } from '../api/deps.ts'
import { type Listing, wholeQuery } from '../api/list.ts'
import { adminRoute, type Operations } from '../api/operations.ts'
import { refuseBulk } from '../api/rate-limits.ts'
import type { Refused } from '../api/refusals.ts'
import { AUDIT_PERSONAL, auditListing, auditListQuery } from '../audit/audit-routes.ts'
import { notificationListing } from '../notifications/notification-listing.ts'
import { notificationListQuery } from '../notifications/notification-queries.ts'
import { subscriptionListing } from '../subscriptions/subscription-listing.ts'
import { SUBSCRIPTION_PERSONAL } from '../subscriptions/subscription-routes.ts'
import { subscriptionListQuery } from '../subscriptions/subscription-schemas.ts'
import { transactionListing } from '../transactions/transaction-listing.ts'
import { TRANSACTION_PERSONAL } from '../transactions/transaction-routes.ts'
import { transactionListQuery } from '../transactions/transaction-schemas.ts'
import { USER_PERSONAL, userListing } from '../users/listing/user-listing.ts'
import { userListQuery } from '../users/user-schemas.ts'
import { auditColumns, notificationColumns, subscriptionColumns, transactionColumns, userColumns } from './columns.ts'
import { createExportGate, type ExportGate } from './gate.ts'
import { readRows } from './read-rows.ts'

/** Rows that are held in memory. Notifications are read with what was sent, up to 256 KiB each. */
const PAGE_ROWS = { users: 200, subscriptions: 200, transactions: 200, audit: 200, notifications: 50 } as const
const BUSY_SECONDS = 10

type Name = keyof typeof PAGE_ROWS

/** The lists as tables to download, with the filters, the order and the masks of the lists. */
export function exportRoutes(operations: Operations, deps: AdminDeps): void {
  const gate = createExportGate()
  exportRoute(operations, deps, {
    name: 'users',
    operationId: 'exportUsers',
    summary: 'Users as a table (CSV)',
    may: 'users:read',
    personal: USER_PERSONAL,
    query: wholeQuery(userListQuery),
    columns: userColumns,
    listing: (query, caller) => userListing(query, caller, deps),
    gate,
  })
  exportRoute(operations, deps, {
    name: 'subscriptions',
    operationId: 'exportSubscriptions',
    summary: 'Subscriptions as a table (CSV)',
    may: 'subscriptions:read',
    personal: SUBSCRIPTION_PERSONAL,
    query: wholeQuery(subscriptionListQuery),
    columns: subscriptionColumns,
    isCounted: true,
    listing: (query) => subscriptionListing(query, deps),
    gate,
  })
  exportRoute(operations, deps, {
    name: 'transactions',
    operationId: 'exportTransactions',
    summary: 'Payments, refunds and lost disputes as a table (CSV)',
    may: 'subscriptions:read',
    personal: TRANSACTION_PERSONAL,
    query: wholeQuery(transactionListQuery),
    columns: transactionColumns,
    isCounted: true,
    listing: (query) => transactionListing(query, deps),
    gate,
  })
  exportRoute(operations, deps, {
    name: 'notifications',
    operationId: 'exportNotifications',
    summary: 'Notifications as a table (CSV), without what was sent',
    may: 'notifications:read',
    query: wholeQuery(notificationListQuery),
    columns: notificationColumns,
    listing: (query) => notificationListing(query, deps),
    gate,
  })
  exportRoute(operations, deps, {
    name: 'audit',
    operationId: 'exportAudit',
    summary: 'The audit log as a table (CSV)',
    may: 'audit:read',
    personal: AUDIT_PERSONAL,
    query: wholeQuery(auditListQuery),
    columns: auditColumns,
    listing: (query, caller) => auditListing(query, caller, deps),
    gate,
  })
}

interface Export<Query extends z.ZodObject, Row, Sort extends string>
  extends Pick<AdminRoute<Query, Nothing>, 'operationId' | 'summary' | 'may' | 'personal' | 'query'> {
  name: Name
  columns: readonly string[]
  listing(query: z.output<Query>, caller: Caller): Listing<Row, Sort> | Refused | Promise<Listing<Row, Sort> | Refused>
  gate: ExportGate
  /** Whether it can be a list behind figures. */
  isCounted?: boolean
}

function exportRoute<Query extends z.ZodObject, Row, Sort extends string>(
  operations: Operations,
  deps: AdminDeps,
  { name, columns, listing, gate, isCounted = false, ...route }: Export<Query, Row, Sort>,
): void {
  adminRoute(operations, {
    ...route,
    method: 'POST',
    path: `/${name}/export`,
    description:
      'All pages of the list with its filters and its order, as they are read. A POST, since it is written into the audit log. One at a time and 30 an hour for each caller.' +
      (isCounted
        ? ' Refused while many purchases are still being counted (`still_counting`): a table can not say that rows are missing.'
        : ''),
    authentication: 'recent',
    answer: { description: 'The table', csv: columns.join(',') },
    ...(isCounted && { refuses: ['conflict'] }),
    async work(call) {
      const found = await listing(call.query, call.caller)
      if ('refusal' in found) return found
      if (found.isCounting && (await isMuchUncounted(deps.storage.db)))
        return { refusal: 'conflict', reason: 'still_counting', retryAfterSeconds: BUSY_SECONDS }
      return (await refuseBulk('list-export', call, deps)) ?? send(found, { name, columns, gate, call, deps })
    },
  })
}

interface Sending {
  name: Name
  columns: readonly string[]
  gate: ExportGate
  call: AdminCall<object, unknown>
  deps: AdminDeps
}

/** Reads the first page before anything is sent: a fault of the database is still answered as one then. */
async function send<Row, Sort extends string>(listing: Listing<Row, Sort>, sending: Sending): Promise<AdminAnswer> {
  const { name, columns, gate, call, deps } = sending
  const place = gate.enter(call.caller.name)
  if (!place) return { refusal: 'too_many', retryAfterSeconds: BUSY_SECONDS }
  const at = deps.now()
  const record = auditOf(sending)
  try {
    await record({ state: 'begun' })
    const onEnd = (end: object) => record({ ...end }).finally(place.leave)
    const rest = readRows(listing, { pageRows: PAGE_ROWS[name], mayGoOn: call.stillMay, onEnd })
    const { value: first } = await rest.next()
    return { table: { name: `portaria-${name}-${new Date(at).toISOString().slice(0, 10)}.csv`, columns, first: first ?? [], rest } }
  } catch (fault) {
    place.leave()
    throw fault
  }
}

/** The names of filters alone: what was searched for may be somebody's address. */
function auditOf({ name, call, deps: { storage, now } }: Sending): (after: Record<string, unknown>) => Promise<void> {
  const { sort: _order, ...filters } = { sort: undefined, ...call.query }
  const asked = Object.entries(filters).flatMap(([filter, value]) => (value === undefined ? [] : [filter]))
  return (after) =>
    recordAudit(storage.db, { actor: call.actor, action: 'list.export', target: name, after: { ...after, filters: asked } }, now())
}
