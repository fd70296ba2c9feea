// admin: the operator's actions on users and jobs, as use cases that reach across floors in one transaction; and /api/admin. Owns:
// creating, changing, disabling and removing users, with their sessions and the audit entry; retrying or removing jobs of the outbox;
// sealing everything anew; admin tokens, and the permissions of /api/admin; the test of the purchase webhook. Does not own: the commands
// (cli).
export { type AdminToken, adminTokenState } from './api/admin-token.ts'
export { createCursors } from './api/cursor.ts'
export { ADMIN_SCOPES, type AdminScope, ROLES, type Role } from './api/permissions.ts'
export { withoutFormulas } from './api/table/csv.ts'
export { adminTokenStore } from './api/token-store.ts'
export { appearanceJson } from './appearance/appearance-json.ts'
export { auditJson } from './audit/audit-json.ts'
export { type Applied, applyConfiguration, type ConfigurationFile, type Differing, diffConfiguration } from './config/apply/apply.ts'
export { readCurrent } from './config/current.ts'
export { readDrift } from './config/drift.ts'
export { type ConfigurationFault, secretPlaces } from './config/examine.ts'
export { hashOfFile, imageFile, listImagePlaces, writtenAppearance } from './config/form/appearance.ts'
export type { Difference } from './config/form/compare.ts'
export { type Configuration, type SecretPlace, writeSettingsSchema } from './config/form/configuration.ts'
export { MAX_FILE, readSettings, writeSettings } from './config/form/settings-text.ts'
export type { NeverFree, Waiting } from './copy/claim-source.ts'
export { type Copied, type CopyRefusal, copyDatabase } from './copy/copy-database.ts'
export { giveUpCopy } from './copy/give-up-copy.ts'
export { endpointJson, readSlugs } from './endpoints/endpoint-json.ts'
export { attemptJson, eventDetailsJson, eventJson } from './endpoints/event-json.ts'
export { callbackUrlOf, examineProvider } from './identity-providers/examine-provider.ts'
export { providerJson } from './identity-providers/provider-json.ts'
export { jobJson } from './jobs/job-json.ts'
export { type DroppedJob, dropJob, type JobRefusal, retryDeadJobs, retryJob } from './jobs/manage-outbox.ts'
export { notificationAttemptJson, notificationDetailsJson, notificationJson, payloadOf } from './notifications/notification-json.ts'
export { endAbandonedRun, notificationRunJob, startRun, stopRun, workOnRun } from './notifications/runs/run.ts'
export { runJson } from './notifications/runs/run-json.ts'
export { forgetRuns, type NotificationRun, type OpenSince, runStore } from './notifications/runs/run-store.ts'
export { keepDays, MAX_DAYS } from './overview/days.ts'
export { createFailedSignIns } from './overview/failed-sign-ins.ts'
export { planJson, planSlugs } from './plans/plan-json.ts'
export { type GatewayPlace, gatewayPlaceJson, readGatewayPlaces } from './products/gateway-place.ts'
export { type GatewayState, gatewayStateJson, listGatewayStates } from './products/gateway-state.ts'
export { type ProductDetails, productDetailsJson, productJson, readProductDetails } from './products/product-json.ts'
export { redirectUriSentence } from './products/redirect-uri-sentence.ts'
export { listPastEvents } from './purchases/gateway-events.ts'
export { type HotmartPlan, parseHotmartPlan } from './purchases/hotmart.ts'
export { type ImportedPurchases, importPurchases, type PastEvent } from './purchases/import-purchases.ts'
export { pastEventOf, readPurchasesFile } from './purchases/read-purchases-file.ts'
export { authenticateRoutes } from './reauthentication/authenticate-routes.ts'
export { reportJson } from './reports/report-json.ts'
export { type MasterKeyRefusal, rotateMasterKey } from './rotate-master-key.ts'
export { adminRoutes } from './routes.ts'
export { searchUsers } from './search/search-users.ts'
export { mintSetupLink } from './setup/setup-link.ts'
export { setupRoutes } from './setup/setup-routes.ts'
export { signingKeyJson } from './signing-keys/signing-key-json.ts'
export { historyJson, type Names, readNames, subscriptionJson } from './subscriptions/subscription-json.ts'
export { type AdminTokenRefusal, createAdminToken, revokeAdminToken } from './tokens/change-tokens.ts'
export { tokenJson } from './tokens/token-json.ts'
export {
  createUser,
  deleteDue,
  deleteUser,
  disableUser,
  enableUser,
  findUser,
  type PasswordRefusal,
  revokeUserSessions,
  setUser,
  setUserPassword,
} from './users/change-users.ts'
export { type Correction, type CorrectUserRefusal, correctUser } from './users/correct-user.ts'
export { exportUsers } from './users/export-users.ts'
export { parseFirebaseParameters, readAuth0Factors, readAuth0Hashes } from './users/import/files/export-parts.ts'
export { type ExportParts, OTHER_SYSTEMS, type OtherSystemName } from './users/import/files/other-systems.ts'
export { readUsersFile } from './users/import/files/read-users-file.ts'
export { importUsers } from './users/import/import-users.ts'
export type { LineResult } from './users/import/judge-line.ts'
export { inviteOf, sendsNothing } from './users/invite.ts'
export { removeFactors } from './users/remove-factors.ts'
export { readUserDetails, type UserDetails, userDetailsJson, userJson } from './users/user-json.ts'
export { VARIANTS, type Variant } from './webhooks/test-purchase.ts'
export { createOwnCalls, testWebhook, type WebhookTestRefusal } from './webhooks/test-webhook.ts'
