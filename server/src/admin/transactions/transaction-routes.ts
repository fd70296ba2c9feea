import type { AdminDeps } from '../api/deps.ts'
import { answerPage, onePage } from '../api/list.ts'
import { adminRoute, type Operations } from '../api/operations.ts'
import { transactionListing } from './transaction-listing.ts'
import { transactionExample, transactionListQuery, transactionSchema } from './transaction-schemas.ts'

export const TRANSACTION_PERSONAL = ['email']

/** The money behind the figures of the reports. */
export function transactionRoutes(operations: Operations, deps: AdminDeps): void {
  adminRoute(operations, {
    method: 'GET',
    path: '/transactions',
    operationId: 'listTransactions',
    summary: 'List payments, refunds and lost disputes, by the time at which they happened',
    description:
      'The amounts of the days of a month come to its `net`; those of a `figure` to that one. `docs/reports.md` says what counts.',
    may: 'subscriptions:read',
    personal: TRANSACTION_PERSONAL,
    query: transactionListQuery,
    answer: onePage(transactionSchema, transactionExample, { isCounted: true }),
    refuses: ['bad_cursor'],
    work: async ({ query }) => answerPage('transactions', query, await transactionListing(query, deps), deps.cursors),
  })
}
