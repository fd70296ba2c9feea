import type { AdminDeps } from '../api/deps.ts'
import { answerPage, onePage } from '../api/list.ts'
import { adminRoute, type Operations } from '../api/operations.ts'
import { grantRoutes } from './grant-routes.ts'
import { showSubscription, subscriptionAnswer } from './show-subscription.ts'
import { actionRoutes } from './subscription-action-routes.ts'
import { subscriptionListing } from './subscription-listing.ts'
import { listedExample, listedSchema, subscriptionListQuery } from './subscription-schemas.ts'

/** The buyer's address, and what the app calls them. */
export const SUBSCRIPTION_PERSONAL = ['email', 'product_user']

/** Subscriptions: listed and shown, and the operator's changes of them. */
export function subscriptionRoutes(operations: Operations, deps: AdminDeps): void {
  adminRoute(operations, {
    method: 'GET',
    path: '/subscriptions',
    operationId: 'listSubscriptions',
    summary: 'List subscriptions',
    may: 'subscriptions:read',
    personal: SUBSCRIPTION_PERSONAL,
    query: subscriptionListQuery,
    answer: onePage(listedSchema, listedExample, { isCounted: true }),
    refuses: ['bad_cursor'],
    work: async ({ query }) => answerPage('subscriptions', query, await subscriptionListing(query, deps), deps.cursors),
  })
  adminRoute(operations, {
    method: 'GET',
    path: '/subscriptions/:id',
    operationId: 'showSubscription',
    summary: 'Show a subscription',
    may: 'subscriptions:read',
    personal: SUBSCRIPTION_PERSONAL,
    answer: subscriptionAnswer,
    refuses: ['not_found'],
    work: ({ id, caller }) => showSubscription(id, caller, deps),
  })
  grantRoutes(operations, deps)
  actionRoutes(operations, deps)
}
