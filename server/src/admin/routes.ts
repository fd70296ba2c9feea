import type { FastifyInstance } from 'fastify'
import { accessAdminRoutes } from './access/access-routes.ts'
import { administratorRoutes } from './administrators/administrator-routes.ts'
import type { AdminDeps } from './api/deps.ts'
import { appearanceAdminRoutes } from './appearance/appearance-routes.ts'
import { previewRoutes } from './appearance/preview-routes.ts'
import { auditRoutes } from './audit/audit-routes.ts'
import { managedRoutes } from './config/managed-routes.ts'
import { describedClientRoutes } from './described-clients/described-client-routes.ts'
import { endpointRoutes } from './endpoints/endpoint-routes.ts'
import { eventRoutes } from './events/event-routes.ts'
import { exportRoutes } from './exports/export-routes.ts'
import { providerRoutes } from './identity-providers/provider-routes.ts'
import { jobRoutes } from './jobs/job-routes.ts'
import { notificationRoutes } from './notifications/notification-routes.ts'
import { overviewRoutes } from './overview/overview-routes.ts'
import { planRoutes } from './plans/plan-routes.ts'
import { gatewayCredentialsRoutes } from './products/gateway-credentials-routes.ts'
import { productEditRoutes } from './products/product-edit-routes.ts'
import { productKeyRoutes } from './products/product-key-routes.ts'
import { productRoutes } from './products/product-routes.ts'
import { snippetRoutes } from './products/snippets/snippet-routes.ts'
import { reportRoutes } from './reports/report-routes.ts'
import { searchRoutes } from './search/search-routes.ts'
import { sessionAdminRoutes } from './sessions/session-routes.ts'
import { signingKeyRoutes } from './signing-keys/signing-key-routes.ts'
import { subscriptionRoutes } from './subscriptions/subscription-routes.ts'
import { timelineRoutes } from './timeline/timeline-routes.ts'
import { tokenRoutes } from './tokens/token-routes.ts'
import { userActionRoutes } from './users/actions/user-action-routes.ts'
import { impersonationRoutes } from './users/impersonation-routes.ts'
import { meRoutes } from './users/me-routes.ts'
import { userRecordsRoutes } from './users/user-records-routes.ts'
import { userRoutes } from './users/user-routes.ts'
import { webhookTestRoutes } from './webhooks/webhook-test-routes.ts'

/** The routes of the operator's scripts and console. */
export function adminRoutes(scope: FastifyInstance, deps: AdminDeps): void {
  meRoutes(scope, deps)
  overviewRoutes(scope, deps)
  reportRoutes(scope, deps)
  searchRoutes(scope, deps)
  userRoutes(scope, deps)
  userRecordsRoutes(scope, deps)
  userActionRoutes(scope, deps)
  impersonationRoutes(scope, deps)
  accessAdminRoutes(scope, deps)
  timelineRoutes(scope, deps)
  sessionAdminRoutes(scope, deps)
  administratorRoutes(scope, deps)
  tokenRoutes(scope, deps)
  productRoutes(scope, deps)
  productEditRoutes(scope, deps)
  productKeyRoutes(scope, deps)
  snippetRoutes(scope, deps)
  gatewayCredentialsRoutes(scope, deps)
  describedClientRoutes(scope, deps)
  planRoutes(scope, deps)
  providerRoutes(scope, deps)
  managedRoutes(scope, deps)
  endpointRoutes(scope, deps)
  eventRoutes(scope, deps)
  appearanceAdminRoutes(scope, deps)
  previewRoutes(scope, deps)
  signingKeyRoutes(scope, deps)
  auditRoutes(scope, deps)
  jobRoutes(scope, deps)
  notificationRoutes(scope, deps)
  subscriptionRoutes(scope, deps)
  webhookTestRoutes(scope, deps)
  exportRoutes(scope, deps)
}
