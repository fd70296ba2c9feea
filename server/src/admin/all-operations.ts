import { setImmediate } from 'node:timers/promises'
import type { AdminDeps } from './api/deps.ts'
import type { Operations } from './api/operations.ts'

type AddOperations = (operations: Operations, deps: AdminDeps) => void

/** One after the other, in their order in the API description. */
const groups: ReadonlyArray<() => Promise<AddOperations>> = [
  async () => (await import('./users/me-routes.ts')).meRoutes,
  async () => (await import('./overview/overview-routes.ts')).overviewRoutes,
  async () => (await import('./reports/report-routes.ts')).reportRoutes,
  async () => (await import('./search/search-routes.ts')).searchRoutes,
  async () => (await import('./users/user-routes.ts')).userRoutes,
  async () => (await import('./users/user-records-routes.ts')).userRecordsRoutes,
  async () => (await import('./users/actions/user-action-routes.ts')).userActionRoutes,
  async () => (await import('./users/impersonation-routes.ts')).impersonationRoutes,
  async () => (await import('./access/access-routes.ts')).accessAdminRoutes,
  async () => (await import('./timeline/timeline-routes.ts')).timelineRoutes,
  async () => (await import('./sessions/session-routes.ts')).sessionAdminRoutes,
  async () => (await import('./sessions/failed-sign-in-routes.ts')).failedSignInRoutes,
  async () => (await import('./administrators/administrator-routes.ts')).administratorRoutes,
  async () => (await import('./tokens/token-routes.ts')).tokenRoutes,
  async () => (await import('./products/product-routes.ts')).productRoutes,
  async () => (await import('./products/product-edit-routes.ts')).productEditRoutes,
  async () => (await import('./products/product-key-routes.ts')).productKeyRoutes,
  async () => (await import('./products/snippets/snippet-routes.ts')).snippetRoutes,
  async () => (await import('./products/gateway-credentials-routes.ts')).gatewayCredentialsRoutes,
  async () => (await import('./described-clients/described-client-routes.ts')).describedClientRoutes,
  async () => (await import('./plans/plan-routes.ts')).planRoutes,
  async () => (await import('./identity-providers/provider-routes.ts')).providerRoutes,
  async () => (await import('./config/managed-routes.ts')).managedRoutes,
  async () => (await import('./endpoints/endpoint-routes.ts')).endpointRoutes,
  async () => (await import('./events/event-routes.ts')).eventRoutes,
  async () => (await import('./appearance/appearance-routes.ts')).appearanceAdminRoutes,
  async () => (await import('./appearance/preview-routes.ts')).previewRoutes,
  async () => (await import('./signing-keys/signing-key-routes.ts')).signingKeyRoutes,
  async () => (await import('./audit/audit-routes.ts')).auditRoutes,
  async () => (await import('./jobs/job-routes.ts')).jobRoutes,
  async () => (await import('./notifications/notification-routes.ts')).notificationRoutes,
  async () => (await import('./subscriptions/subscription-routes.ts')).subscriptionRoutes,
  async () => (await import('./transactions/transaction-routes.ts')).transactionRoutes,
  async () => (await import('./webhooks/webhook-test-routes.ts')).webhookTestRoutes,
  async () => (await import('./exports/export-routes.ts')).exportRoutes,
]

/**
 * Every operation of /api/admin. The first time they are read and compiled, which takes some tenths of a second. Others are answered
 * meanwhile.
 */
export async function readAllOperations(deps: AdminDeps): Promise<Operations> {
  const operations: Operations = new Map()
  for (const group of groups) {
    const addOperations = await group()
    addOperations(operations, deps)
    await setImmediate()
  }
  return operations
}
